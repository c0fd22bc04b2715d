//! Which of the paper's algorithms?

use super::suffix::MAX_DEPTH;

/// Which of the paper's algorithms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaperAlgorithm {
    /// Prefix and size filter.
    AllPairs,
    /// With the positional filter and the shorter index.
    PpJoin,
    /// And with the suffix filter.
    PpJoinPlus {
        /// How often the suffixes are divided: the paper's MAXDEPTH.
        max_depth: u32,
    },
}

impl PaperAlgorithm {
    /// All of them, with the depth that the paper uses.
    pub const ALL: [PaperAlgorithm; 3] =
        [PaperAlgorithm::AllPairs, PaperAlgorithm::PpJoin, PaperAlgorithm::PpJoinPlus { max_depth: MAX_DEPTH }];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            PaperAlgorithm::AllPairs => "allpairs",
            PaperAlgorithm::PpJoin => "ppjoin",
            PaperAlgorithm::PpJoinPlus { .. } => "ppjoin+",
        }
    }
}
