use std::fmt;
use std::str::FromStr;

use super::paper::Algorithm;

/// How pairs are found. They are the same pairs, whichever it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Method {
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
    Paper(Algorithm),
    /// Every set with every other.
    Brute,
}

impl Method {
    /// All of them.
    pub const ALL: [Method; 8] = [
        Method::Auto,
        Method::Sparse,
        Method::Light,
        Method::Heavy,
        Method::Paper(Algorithm::ALL[0]),
        Method::Paper(Algorithm::ALL[1]),
        Method::Paper(Algorithm::ALL[2]),
        Method::Brute,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Method::Auto => "auto",
            Method::Sparse => "sparse",
            Method::Light => "light",
            Method::Heavy => "heavy",
            Method::Paper(algorithm) => algorithm.name(),
            Method::Brute => "brute",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Method {
    type Err = String;

    fn from_str(name: &str) -> Result<Method, String> {
        let known = Method::ALL.into_iter().find(|method| method.name() == name);
        // `ppjoin+:3` divides suffixes three times.
        let deeper = || {
            let max_depth = name.strip_prefix("ppjoin+:")?.parse().ok()?;
            Some(Method::Paper(Algorithm::PpJoinPlus { max_depth }))
        };
        known.or_else(deeper).ok_or_else(|| format!("'{name}' is none of {}", Method::ALL.map(Method::name).join(", ")))
    }
}
