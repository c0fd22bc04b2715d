//! In which form are the sets of a block kept: whole, as digests, as traces, or not at all?

use lookalike::engine::{SetArena, SetBatch, SetBlock, SetsError};

/// Takes the hash and the elements of a set, and appends its trace.
pub(crate) type AddTrace<'a> = dyn Fn(u128, &[u64], &mut Vec<u32>) + Sync + 'a;

/// Which form of the sets is kept.
#[derive(Clone, Copy)]
pub(crate) enum KeepSets<'a> {
    /// All of it.
    Whole,
    /// The first 32 bits of every element.
    Digests,
    /// Nothing: a function takes the hash and the elements of every set, from any thread.
    Counted(&'a (dyn Fn(u128, &[u64]) + Sync)),
    /// The trace that a function appends, which takes the hash and the elements.
    Traces(&'a AddTrace<'a>),
}

impl KeepSets<'_> {
    /// Whether the sets are counted as they are read, and not stored.
    pub(super) fn are_counted(self) -> bool {
        matches!(self, KeepSets::Counted(_) | KeepSets::Traces(_))
    }
}

/// The sets of a thread, as far as they are kept.
pub(crate) enum Arena {
    Whole(SetBatch, SetArena),
    Digests(SetBatch<u32>, SetArena<u32>),
}

impl Arena {
    pub(super) fn new(keeps_digests: bool, number: usize) -> Arena {
        match keeps_digests {
            true => Arena::Digests(SetBatch::default(), SetArena::new(number)),
            false => Arena::Whole(SetBatch::default(), SetArena::new(number)),
        }
    }

    /// Starts the sets of a block.
    pub(super) fn clear(&mut self) {
        match self {
            Arena::Whole(batch, _) => batch.clear(),
            Arena::Digests(batch, _) => batch.clear(),
        }
    }

    pub(super) fn push(&mut self, set: &[u64]) -> Result<(), SetsError> {
        match self {
            Arena::Whole(batch, _) => batch.push(set),
            Arena::Digests(batch, _) => batch.push(set),
        }
    }

    /// Stores the sets of the block.
    pub(super) fn put(&mut self) -> Result<SetBlock, SetsError> {
        match self {
            Arena::Whole(batch, arena) => arena.put(batch),
            Arena::Digests(batch, arena) => arena.put(batch),
        }
    }
}

/// The traces of the sets of a block: 32 bits of some or all elements of each, which tell whether a set must be made again.
#[derive(Default)]
pub(crate) struct Traces {
    pub(super) elements: Vec<u32>,
    /// Where the trace of each document ends.
    ends: Vec<u32>,
}

impl Traces {
    /// The trace of a document, by its index in the block.
    pub(crate) fn of(&self, index: usize) -> &[u32] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.elements[start as usize..self.ends[index] as usize]
    }

    /// Ends the trace of a document.
    pub(super) fn end(&mut self) -> Result<(), SetsError> {
        let end = u32::try_from(self.elements.len()).map_err(|_| SetsError::LargeSet(self.elements.len()))?;
        self.ends.push(end);
        Ok(())
    }
}
