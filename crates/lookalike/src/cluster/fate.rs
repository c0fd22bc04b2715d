/// What becomes of a document.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fate {
    /// It stays.
    Kept,
    /// It goes, because it resembles `twin`, which stays.
    Removed {
        /// The kept document.
        twin: u32,
        /// Their exact similarity.
        similarity: f64,
        /// Whether it has the same set as an earlier document of its kind.
        identical: bool,
    },
}

impl Fate {
    /// Whether the document stays.
    pub fn is_kept(&self) -> bool {
        matches!(self, Fate::Kept)
    }
}
