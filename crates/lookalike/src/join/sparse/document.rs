//! What does the index know of a document?

use crate::sets::{Arranged, Span};

/// A document that may have a partner.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Document {
    pub(crate) arranged: Arranged,
    /// The position of its elements that others have too.
    pub(crate) span: Span,
    pub(crate) size: u32,
    /// The length of its short prefix here; see [`lengthen`].
    pub(crate) short: u32,
    pub(crate) long: u32,
}

/// Extends a short prefix, within the long one, while the next elements are not much more frequent.
///
/// Each additional element requires one more hit (see `Prober::find`). That separates pages of one template that share
/// one rare phrase and nothing else.
pub(super) fn lengthen(arranged: &Arranged, short: u32, long: u32) -> u32 {
    arranged.end_of_bands(short - 1, 4).clamp(short, long)
}
