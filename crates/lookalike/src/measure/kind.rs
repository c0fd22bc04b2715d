use std::fmt;
use std::str::FromStr;

use crate::names::NameError;

/// How the similarity of two sets is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Measure {
    /// Common elements over all elements.
    #[default]
    Jaccard,
    /// Common elements over the geometric mean of the sizes.
    Cosine,
    /// Common elements over the mean of the sizes.
    Dice,
    /// Common elements over the larger size.
    Max,
    /// The number of common elements.
    Overlap,
    /// Common elements over the smaller size.
    Containment,
    /// The number of elements that only one of the two has: a distance, so less is more similar.
    Hamming,
}

impl Measure {
    /// All measures.
    pub const ALL: [Measure; 7] = [
        Measure::Jaccard,
        Measure::Cosine,
        Measure::Dice,
        Measure::Max,
        Measure::Overlap,
        Measure::Containment,
        Measure::Hamming,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Measure::Jaccard => "jaccard",
            Measure::Cosine => "cosine",
            Measure::Dice => "dice",
            Measure::Max => "max",
            Measure::Overlap => "overlap",
            Measure::Containment => "containment",
            Measure::Hamming => "hamming",
        }
    }

    /// The least whole number that is a threshold, if thresholds are counts and not fractions.
    pub(super) fn least_count(self) -> Option<u64> {
        match self {
            Measure::Overlap => Some(1),
            Measure::Hamming => Some(0),
            _ => None,
        }
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Measure {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Measure, NameError> {
        let known = Measure::ALL.into_iter().find(|measure| measure.name() == name);
        known.ok_or_else(|| NameError::new(name, Measure::ALL.map(Measure::name)))
    }
}
