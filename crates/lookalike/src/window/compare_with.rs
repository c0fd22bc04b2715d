//! Which documents of a window is a new one compared with?

/// Which documents of the window a new one is compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompareWith {
    /// All, including duplicates, as in the paper.
    #[default]
    All,
    /// Only those that were new when they were added.
    Accepted,
}
