//! Which algorithms are there?

use std::fmt;
use std::str::FromStr;

use crate::join::paper::PaperAlgorithm;
use crate::names::NameError;

/// How an exact join is computed. All algorithms find the same pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Algorithm {
    /// Choose one of the next three to suit the data.
    #[default]
    Auto,
    /// For sets whose elements are mostly unique.
    Sparse,
    /// For sets of few distinct elements, with the plan for short lists.
    Light,
    /// For sets of few distinct elements, with the plan for long lists.
    Heavy,
    /// An algorithm of the PPJoin paper, or of the SpotSigs paper, as published, on one thread.
    Paper(PaperAlgorithm),
    /// Compare every set with every other.
    Brute,
}

impl Algorithm {
    /// All algorithms.
    pub const ALL: [Algorithm; 9] = [
        Algorithm::Auto,
        Algorithm::Sparse,
        Algorithm::Light,
        Algorithm::Heavy,
        Algorithm::Paper(PaperAlgorithm::ALL[0]),
        Algorithm::Paper(PaperAlgorithm::ALL[1]),
        Algorithm::Paper(PaperAlgorithm::ALL[2]),
        Algorithm::Paper(PaperAlgorithm::ALL[3]),
        Algorithm::Brute,
    ];

    /// Returns the name of the algorithm.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Auto => "auto",
            Algorithm::Sparse => "sparse",
            Algorithm::Light => "light",
            Algorithm::Heavy => "heavy",
            Algorithm::Paper(algorithm) => algorithm.name(),
            Algorithm::Brute => "brute",
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Algorithm {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Algorithm, NameError> {
        let known = Algorithm::ALL.into_iter().find(|algorithm| algorithm.name() == name);
        // `ppjoin+:3` divides suffixes three times.
        let deeper = || {
            let max_depth = name.strip_prefix("ppjoin+:")?.parse().ok()?;
            Some(Algorithm::Paper(PaperAlgorithm::PpJoinPlus { max_depth }))
        };
        known.or_else(deeper).ok_or_else(|| NameError::new(name, Algorithm::ALL.map(Algorithm::name)))
    }
}
