//! Which documents have equal sets?

use hashbrown::HashTable;

use super::store::SetStore;

/// Groups of documents with equal sets. One document represents each group.
#[derive(Clone)]
pub struct Groups {
    first: Vec<u32>,
}

impl Groups {
    /// Puts every document in its own group.
    pub fn single(documents: usize) -> Groups {
        Groups { first: (0..documents as u32).collect() }
    }

    /// Groups equal sets. The first in `order` (every document once) represents its group. Empty sets equal nothing.
    ///
    /// Hashes select candidates, and the sets themselves decide.
    pub fn of_equal_sets(store: &SetStore, order: &[u32]) -> Groups {
        let nonempty = order.iter().copied().filter(|&document| store.size(document) > 0);
        let equal = |a: u32, b: u32| store.set_hash(a) == store.set_hash(b) && store.set(a) == store.set(b);
        Groups::of_equal(store.len(), nonempty, |document| store.set_hash(document) as u64, equal)
    }

    /// Groups documents with equal keys: 128-bit hashes, such as [`hash_set`](super::hash_set)'s. The keys decide,
    /// because the originals are not available. The first in `order` represents its group. Documents that are not in
    /// the order equal nothing.
    pub fn of_equal_keys(keys: &[u128], order: impl Iterator<Item = u32>) -> Groups {
        let key = |document: u32| keys[document as usize];
        Groups::of_equal(keys.len(), order, |document| key(document) as u64, |a, b| key(a) == key(b))
    }

    /// Groups documents of `order` whose hashes match and that are `equal`. Documents that are not in the order equal
    /// nothing.
    pub(crate) fn of_equal(
        documents: usize,
        order: impl Iterator<Item = u32>,
        hash: impl Fn(u32) -> u64,
        equal: impl Fn(u32, u32) -> bool,
    ) -> Groups {
        let mut first: Vec<u32> = (0..documents as u32).collect();
        let mut seen: HashTable<u32> = HashTable::with_capacity(order.size_hint().1.unwrap_or(documents));
        for document in order {
            match seen.find(hash(document), |&other| equal(other, document)) {
                Some(&other) => first[document as usize] = other,
                None => {
                    seen.insert_unique(hash(document), document, |&other| hash(other));
                }
            }
        }
        Groups { first }
    }

    /// Returns the document that represents this one: itself, or an earlier one in the order.
    #[inline]
    pub fn first(&self, document: u32) -> u32 {
        self.first[document as usize]
    }

    /// By document, whether it is among the first `pinned` of the order and represents one that is not.
    pub(crate) fn mixed(&self, order: &[u32], pinned: usize) -> Vec<bool> {
        let mut mixed = vec![false; self.first.len()];
        for &document in &order[pinned..] {
            mixed[self.first(document) as usize] = true;
        }
        for &document in &order[pinned..] {
            mixed[document as usize] = false;
        }
        mixed
    }

    /// Returns whether this document represents its group.
    #[inline]
    pub fn is_first(&self, document: u32) -> bool {
        self.first[document as usize] == document
    }
}
