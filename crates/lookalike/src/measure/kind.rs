//! Which measures are there?

use std::fmt;
use std::str::FromStr;

use crate::names::NameError;

/// How to compare two sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Measure {
    /// Common elements divided by all elements.
    #[default]
    Jaccard,
    /// Common elements divided by the geometric mean of the sizes.
    Cosine,
    /// Common elements divided by the mean of the sizes.
    Dice,
    /// Common elements divided by the larger size.
    Max,
    /// The number of common elements.
    Overlap,
    /// Common elements divided by the smaller size.
    Containment,
    /// The number of elements that only one of the two sets has. It is a distance: smaller means more similar.
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

    /// Returns the name of the measure.
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

    /// Returns whether the measure is a distance: smaller means more similar.
    pub fn is_distance(self) -> bool {
        self == Measure::Hamming
    }

    /// Returns whether thresholds are whole numbers. Otherwise they are fractions, above 0 and at most 1.
    pub fn is_count(self) -> bool {
        self.least_count().is_some()
    }

    /// Returns whether two equal sets are always a pair, so that one can represent the other.
    pub fn groups_equal_sets(self) -> bool {
        self != Measure::Overlap
    }

    /// Returns the least threshold if thresholds are whole numbers, and `None` if they are fractions.
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
