//! What does an index find?

use super::verdict::DocumentRef;

/// A document that shares elements with another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) at: DocumentRef,
    pub(super) common: u32,
}
