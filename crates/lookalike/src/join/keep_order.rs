//! In which order are documents kept, and which of them are compared?

use crate::sets::Groups;

/// All documents in keep order, and which of them are equal.
#[derive(Clone)]
pub struct KeepOrder {
    /// Every document once. The first `pinned` are the reference collection.
    pub order: Vec<u32>,
    /// The number of references. They are always kept, and are not compared with each other.
    pub pinned: usize,
    /// Groups of equal documents. Only the first of each group is compared; the others share its fate.
    pub groups: Groups,
}

impl KeepOrder {
    /// Returns the number of documents.
    pub fn documents(&self) -> usize {
        self.order.len()
    }

    /// By document, whether it is a reference that represents documents that are not.
    pub(crate) fn mixed(&self) -> Vec<bool> {
        self.groups.mixed(&self.order, self.pinned)
    }
}

/// A kept document that another resembles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Twin {
    /// The kept document.
    pub document: u32,
    /// How many elements the two share, or another count that the source defines.
    pub common: u32,
}

/// The documents of a source that may have a partner, each group of equal documents once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// The documents in keep order, references first.
    pub documents: Vec<u32>,
    /// The number of references among them.
    pub pinned: usize,
}
