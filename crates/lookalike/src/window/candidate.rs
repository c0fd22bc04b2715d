//! A document that may resemble another: what an index of a window finds.

use super::verdict::DocumentRef;

/// A document that shares elements with another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) at: DocumentRef,
    pub(super) common: u32,
}
