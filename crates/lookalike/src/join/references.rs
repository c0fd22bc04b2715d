//! Which documents are references, and which pairs are wanted?

use super::keep_order::KeepOrder;
use super::{Records, Side};
use crate::sets::{SetStore, SetsError};

/// Which documents belong to the reference collection, or to the second of two collections.
pub(crate) struct References {
    /// By document, whether it is a reference.
    are: Vec<bool>,
    /// By document, whether it is a reference that represents documents that are not.
    mixed: Vec<bool>,
    /// Whether only pairs with references are wanted.
    pub(super) across: bool,
}

impl References {
    pub(super) fn new(keep: &KeepOrder, across: bool) -> References {
        let mut are = vec![false; keep.documents()];
        keep.order[..keep.pinned].iter().for_each(|&document| are[document as usize] = true);
        References { are, mixed: keep.mixed(), across }
    }

    /// Whether a document is a reference.
    pub(super) fn is_one(&self, document: u32) -> bool {
        self.are[document as usize]
    }

    /// Whether a pair of these two documents is wanted.
    pub(super) fn want(&self, a: u32, b: u32) -> bool {
        match (self.are[a as usize], self.are[b as usize]) {
            (true, true) => false,
            (false, false) => !self.across,
            _ => true,
        }
    }

    /// The side of a document that represents its group.
    pub(super) fn side(&self, first: u32) -> Side {
        match self.are[first as usize] {
            true if self.mixed[first as usize] => Side::Both,
            true => Side::Second,
            false if self.across => Side::First,
            false => Side::Both,
        }
    }

    pub(super) fn code(&self, store: &SetStore, firsts: &[u32]) -> Result<Records, SetsError> {
        let records = Records::try_code(store, firsts)?;
        let has_sides = self.across || self.are.contains(&true);
        Ok(if has_sides { records.on_sides(|first| self.side(first)) } else { records })
    }

    /// Whether a pair of documents from these two groups may be wanted.
    pub(super) fn want_groups(&self, a: u32, b: u32) -> bool {
        let (a, b) = (self.side(a), self.side(b));
        a == Side::Both || a != b
    }
}
