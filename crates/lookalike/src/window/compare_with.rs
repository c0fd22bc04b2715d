//! With which documents of a window is one compared?

/// With which documents of the window one is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CompareWith {
    /// With all, duplicates too, as in the paper.
    #[default]
    All,
    /// With those that were new when they came.
    Accepted,
}
