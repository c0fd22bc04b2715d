//! What does a watch report?

use std::path::Path;

use lookalike::Verdict;

/// An event that a watch reports when it happens.
#[derive(Debug)]
pub enum Event<'a> {
    /// The watch has started. If it polls because notification failed, this is the reason.
    Watching(Option<&'a str>),
    /// A file was judged, and is in its place.
    Verdict(&'a Verdict),
    /// A file was left where it is, for this reason.
    Left(&'a Path, &'a str),
}

/// What a watch reports at the end: the number of files by verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// New files.
    pub new: u64,
    /// Exact copies.
    pub exact: u64,
    /// Near-duplicates.
    pub near: u64,
    /// Files older than the window.
    pub old: u64,
    /// Files that could not be judged and were left.
    pub left: u64,
    /// Whether the watch was stopped.
    pub is_stopped: bool,
}
