//! Is a document kept or removed?

/// Whether a document is kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fate {
    /// The document is kept.
    Kept,
    /// The document is removed, because it resembles `twin`, which is kept.
    Removed {
        /// The kept document.
        twin: u32,
        /// Their exact similarity.
        similarity: f64,
        /// Whether an earlier document of its kind has the same set.
        identical: bool,
    },
}

impl Fate {
    /// Returns whether the document is kept.
    pub fn is_kept(&self) -> bool {
        matches!(self, Fate::Kept)
    }
}
