use hashbrown::HashTable;

use super::store::SetStore;

/// Documents with equal sets, one of which stands for all.
#[derive(Clone)]
pub struct Groups {
    first: Vec<u32>,
}

impl Groups {
    /// Every document for itself.
    pub fn single(documents: usize) -> Groups {
        Groups { first: (0..documents as u32).collect() }
    }

    /// Groups equal sets; the first in `order` (every document once) stands for its group. Empty sets equal nothing.
    ///
    /// Fingerprints bring equal sets together, and the sets themselves decide.
    pub fn of_equal_sets(store: &SetStore, order: &[u32]) -> Groups {
        let nonempty = order.iter().copied().filter(|&document| store.size(document) > 0);
        let equal = |a: u32, b: u32| store.fingerprint(a) == store.fingerprint(b) && store.set(a) == store.set(b);
        Groups::of_equal(store.len(), nonempty, |document| store.fingerprint(document) as u64, equal)
    }

    /// Groups documents whose keys are equal: hashes of 128 bits, such as [`hash_set`](super::hash_set)'s, that are trusted, since what they were made of is
    /// not at hand. The first in `order` stands for its group; documents that are not in the order equal nothing.
    pub fn of_equal_keys(keys: &[u128], order: impl Iterator<Item = u32>) -> Groups {
        let key = |document: u32| keys[document as usize];
        Groups::of_equal(keys.len(), order, |document| key(document) as u64, |a, b| key(a) == key(b))
    }

    /// Groups those of `order` that are `equal`, as equal hashes suggest. Documents that are not in the order equal nothing.
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

    /// The document that stands for this one: itself, or one before it in the order.
    #[inline]
    pub fn first(&self, document: u32) -> u32 {
        self.first[document as usize]
    }

    /// By document: whether it is among the first `pinned` of the order and stands for one that is not.
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

    /// Whether this document stands for its group.
    #[inline]
    pub fn is_first(&self, document: u32) -> bool {
        self.first[document as usize] == document
    }
}
