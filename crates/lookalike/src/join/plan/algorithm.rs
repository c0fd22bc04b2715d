use std::fmt;
use std::str::FromStr;

use crate::join::paper::PaperAlgorithm;
use crate::names::NameError;

/// How an exact join is done. All find the same pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Algorithm {
    /// What suits the data: one of the next three.
    #[default]
    Auto,
    /// The engine for sets whose elements mostly occur nowhere else.
    Sparse,
    /// The engine for sets of few different elements, with its plan for short lists.
    Light,
    /// The same, with its plan for long lists.
    Heavy,
    /// An algorithm of the PPJoin paper, as itself, on one thread.
    Paper(PaperAlgorithm),
    /// Every set with every other.
    Brute,
}

impl Algorithm {
    /// All of them.
    pub const ALL: [Algorithm; 8] = [
        Algorithm::Auto,
        Algorithm::Sparse,
        Algorithm::Light,
        Algorithm::Heavy,
        Algorithm::Paper(PaperAlgorithm::ALL[0]),
        Algorithm::Paper(PaperAlgorithm::ALL[1]),
        Algorithm::Paper(PaperAlgorithm::ALL[2]),
        Algorithm::Brute,
    ];

    /// Its name.
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
