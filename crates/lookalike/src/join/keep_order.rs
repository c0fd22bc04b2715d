//! In which order are documents kept, and which of them are compared?

use crate::sets::Groups;

/// All documents in keep order, and which of them are equal.
#[derive(Clone)]
pub struct KeepOrder {
    /// Every document once. The first `pinned` are the reference collection.
    pub order: Vec<u32>,
    /// How many documents are references: they are kept whatever they resemble, and are not compared with each other.
    pub pinned: usize,
    /// Equal documents. Only the first of each group is compared; the others share its fate.
    pub groups: Groups,
}

impl KeepOrder {
    /// How many documents there are.
    pub fn documents(&self) -> usize {
        self.order.len()
    }

    /// By document: whether it is a reference that stands for documents that are not.
    pub(crate) fn mixed(&self) -> Vec<bool> {
        self.groups.mixed(&self.order, self.pinned)
    }
}

/// A kept document that another resembles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Twin {
    /// The kept one.
    pub document: u32,
    /// How many elements the two share, or whatever else the source counts.
    pub common: u32,
}

/// The documents of a source that may have a partner, equal ones once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// In keep order, references first.
    pub documents: Vec<u32>,
    /// How many of them are references.
    pub pinned: usize,
}
