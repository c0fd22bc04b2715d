//! Which published algorithms are there?

use super::suffix::MAX_DEPTH;

/// A published algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PaperAlgorithm {
    /// The prefix filter and the size filter.
    AllPairs,
    /// Also the positional filter, with a shorter index.
    PpJoin,
    /// Also the suffix filter.
    PpJoinPlus {
        /// How often suffixes are divided: the paper's MAXDEPTH.
        max_depth: u32,
    },
    /// SpotSigs' partitions by size, with an inverted index in each.
    SpotSigs,
}

impl PaperAlgorithm {
    /// All algorithms, with the paper's depth.
    pub const ALL: [PaperAlgorithm; 4] = [
        PaperAlgorithm::AllPairs,
        PaperAlgorithm::PpJoin,
        PaperAlgorithm::PpJoinPlus { max_depth: MAX_DEPTH },
        PaperAlgorithm::SpotSigs,
    ];

    /// Returns the name of the algorithm.
    pub fn name(self) -> &'static str {
        match self {
            PaperAlgorithm::AllPairs => "allpairs",
            PaperAlgorithm::PpJoin => "ppjoin",
            PaperAlgorithm::PpJoinPlus { .. } => "ppjoin+",
            PaperAlgorithm::SpotSigs => "spotsigs",
        }
    }
}
