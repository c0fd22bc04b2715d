//! How do many small sets get into an arena?

use super::error::SetsError;
use super::store::{LIMITS, Limits, SetArena, SetBatch, SetBlock, SetStore};

/// Elements in a batch. It is limited because a set must start near the beginning of a slab.
pub(crate) const BATCH: usize = 1 << 20;

/// Stores sets one by one, in batches of about `most` elements.
pub(crate) struct Batched {
    arena: SetArena,
    batch: SetBatch,
    blocks: Vec<SetBlock>,
    /// Elements in the batch, and how many are enough.
    elements: usize,
    most: usize,
}

impl Batched {
    pub(crate) fn new(arena: SetArena, most: usize) -> Batched {
        Batched { arena, batch: SetBatch::default(), blocks: Vec::new(), elements: 0, most }
    }

    /// Adds a set, which should be ascending and distinct.
    pub(crate) fn push(&mut self, set: &[u64]) -> Result<(), SetsError> {
        self.batch.push(set)?;
        self.elements += set.len();
        if self.elements >= self.most {
            self.blocks.push(self.arena.put(&self.batch)?);
            self.batch.clear();
            self.elements = 0;
        }
        Ok(())
    }

    /// Returns the arena, and the blocks of all sets in order.
    pub(crate) fn finish(mut self) -> Result<(SetArena, Vec<SetBlock>), SetsError> {
        self.blocks.push(self.arena.put(&self.batch)?);
        Ok((self.arena, self.blocks))
    }
}

impl SetStore {
    /// Makes a store of these sets, numbered from 0. Each must be ascending and distinct.
    ///
    /// ```
    /// use lookalike::engine::{SetStore, SetsError};
    ///
    /// let store = SetStore::of_sets([vec![1, 2, 3], vec![2, 3]])?;
    /// assert_eq!(store.set(1), [2, 3]);
    /// assert_eq!(SetStore::of_sets([vec![1, 2], vec![3, 2]]).err(), Some(SetsError::NotAscending(1)));
    /// # Ok::<(), SetsError>(())
    /// ```
    pub fn of_sets<S: AsRef<[u64]>>(sets: impl IntoIterator<Item = S>) -> Result<SetStore, SetsError> {
        let store = SetStore::in_batches(&LIMITS, BATCH, sets)?;
        store.check_sets()?;
        Ok(store)
    }

    pub(super) fn in_batches<S: AsRef<[u64]>>(
        limits: &Limits,
        most: usize,
        sets: impl IntoIterator<Item = S>,
    ) -> Result<SetStore, SetsError> {
        let mut batched = Batched::new(SetArena::new(0), most);
        sets.into_iter().try_for_each(|set| batched.push(set.as_ref()))?;
        let (arena, blocks) = batched.finish()?;
        SetStore::within(limits, vec![arena], blocks)
    }
}

/// Collects sets.
///
/// # Panics
///
/// If [`SetStore::of_sets`] returns an error.
impl<S: AsRef<[u64]>> FromIterator<S> for SetStore {
    fn from_iter<I: IntoIterator<Item = S>>(sets: I) -> SetStore {
        SetStore::of_sets(sets).unwrap_or_else(|error| panic!("{error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The sets are the same in batches of any size.
        #[test]
        fn any_batches(
            sets in proptest::collection::vec(proptest::collection::btree_set(0..50u64, 0..9), 0..30),
            most in prop_oneof![0..12usize, Just(BATCH)],
            first_slab in 1..20usize,
        ) {
            let sets: Vec<Vec<u64>> = sets.into_iter().map(|set| set.into_iter().collect()).collect();
            let mut batched = Batched::new(SetArena::new(0).first_slab(first_slab), most);
            sets.iter().try_for_each(|set| batched.push(set)).unwrap();
            let (arena, blocks) = batched.finish().unwrap();
            let store = SetStore::new(vec![arena], blocks).unwrap();
            let stored: Vec<Vec<u64>> = (0..store.len() as u32).map(|document| store.set(document).to_vec()).collect();
            prop_assert_eq!(stored, sets);
        }
    }
}
