//! What does the index know of a document?

use crate::sets::{Arranged, Span};

/// A document that may have a partner.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Document {
    pub(crate) arranged: Arranged,
    /// Where its elements lie that others have too.
    pub(crate) span: Span,
    pub(crate) size: u32,
    /// How many of its elements count as its short prefix here: see [`lengthen`].
    pub(crate) short: u32,
    pub(crate) long: u32,
}

/// A short prefix, made longer as long as the next elements are not much more frequent, within the long one.
///
/// Every element more asks for one hit more (see `Prober::find`). That is what parts the pages of one template that share one rare
/// phrase and differ in all others.
pub(super) fn lengthen(arranged: &Arranged, short: u32, long: u32) -> u32 {
    arranged.end_of_bands(short - 1, 4).clamp(short, long)
}
