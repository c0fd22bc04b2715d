//! What does every source over sets know of its collection?

use std::cmp::Ordering;

use super::keep_order::{Compared, KeepOrder, Twin};
use super::references::References;
use crate::measure::Threshold;

pub(super) struct Frame {
    pub(super) threshold: Threshold,
    pub(super) keep: KeepOrder,
    pub(super) references: References,
    /// By document, the size of its set.
    pub(super) sizes: Vec<u32>,
    /// How many documents are taken together, if that is given.
    pub(super) block: Option<u32>,
}

impl Frame {
    pub(super) fn size(&self, document: u32) -> u32 {
        self.sizes[document as usize]
    }

    /// The documents that represent their groups and are not empty, in input order.
    pub(super) fn firsts(&self) -> Vec<u32> {
        let stands = |document: &u32| self.keep.groups.is_first(*document) && self.size(*document) > 0;
        (0..self.sizes.len() as u32).filter(stands).collect()
    }

    /// Puts these documents in keep order.
    pub(super) fn compared(&self, documents: impl Iterator<Item = u32>) -> Compared {
        let mut is_compared = vec![false; self.sizes.len()];
        documents.for_each(|document| is_compared[document as usize] = true);
        let is_compared = |document: &&u32| is_compared[**document as usize];
        let (references, others) = self.keep.order.split_at(self.keep.pinned);
        let mut documents: Vec<u32> = references.iter().filter(is_compared).copied().collect();
        let pinned = documents.len();
        documents.extend(others.iter().filter(is_compared));
        Compared { documents, pinned }
    }

    pub(super) fn compare(&self, document: u32, one: Twin, two: Twin) -> Ordering {
        let of = |twin: Twin| (twin.common, self.size(twin.document));
        self.threshold.compare(self.size(document), of(one), of(two))
    }

    pub(super) fn similarity(&self, a: u32, b: u32, common: u32) -> f64 {
        self.threshold.similarity(common, self.size(a), self.size(b))
    }

    /// How many elements two documents share: all if they are equal, otherwise what `compare` returns for their
    /// representatives.
    pub(super) fn common(&self, a: u32, b: u32, compare: impl FnOnce(u32, u32) -> u32) -> u32 {
        let (a, b) = (self.keep.groups.first(a), self.keep.groups.first(b));
        if a == b { self.size(a) } else { compare(a, b) }
    }
}
