use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use super::cosine::Cosine;
use super::dice::Dice;
use super::jaccard::Jaccard;
use super::max::Max;
use super::overlap::Overlap;
use super::{Bounds, Rational, RationalError};

/// How the similarity of two sets is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
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
}

impl Measure {
    /// All measures.
    pub const ALL: [Measure; 5] = [Measure::Jaccard, Measure::Cosine, Measure::Dice, Measure::Max, Measure::Overlap];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Measure::Jaccard => "jaccard",
            Measure::Cosine => "cosine",
            Measure::Dice => "dice",
            Measure::Max => "max",
            Measure::Overlap => "overlap",
        }
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Measure {
    type Err = String;

    fn from_str(name: &str) -> Result<Measure, String> {
        let known = Measure::ALL.into_iter().find(|measure| measure.name() == name);
        known.ok_or_else(|| format!("'{name}' is none of jaccard, cosine, dice, max, overlap"))
    }
}

/// A measure and the value from which on two documents are a pair.
///
/// ```
/// use lookalike::{Measure, Threshold};
/// let threshold = Threshold::new(Measure::Jaccard, "0.8")?;
/// assert!(threshold.reaches(8, 9, 9)); // 8 / 10: on the threshold is in
/// assert!(!threshold.reaches(7, 9, 9));
/// assert!(Threshold::new(Measure::Jaccard, "1.5").is_err());
/// # Ok::<(), lookalike::ThresholdError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threshold {
    measure: Measure,
    value: Rational,
}

/// A threshold that its measure does not allow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ThresholdError {
    /// Not a number.
    #[error("threshold {0}")]
    NotANumber(#[from] RationalError),
    /// A similarity of 0 or above 1.
    #[error("threshold {value} is outside of what {measure} can be: above 0, at most 1")]
    OutOfRange {
        /// What was asked for.
        value: Rational,
        /// Of which measure.
        measure: Measure,
    },
    /// A count that is none.
    #[error("threshold {value} for overlap must be a whole number, 1 or more")]
    NotACount {
        /// What was asked for.
        value: Rational,
    },
}

/// Calls a function of the measure's own bounds.
macro_rules! bounds {
    ($measure:expr, $function:ident($($argument:expr),*)) => {
        match $measure {
            Measure::Jaccard => Jaccard::$function($($argument),*),
            Measure::Cosine => Cosine::$function($($argument),*),
            Measure::Dice => Dice::$function($($argument),*),
            Measure::Max => Max::$function($($argument),*),
            Measure::Overlap => Overlap::$function($($argument),*),
        }
    };
}

impl Threshold {
    /// A threshold as the user wrote it, checked against the measure.
    pub fn new(measure: Measure, value: &str) -> Result<Threshold, ThresholdError> {
        let value: Rational = value.parse()?;
        if measure == Measure::Overlap {
            if value.is_zero() || !value.is_whole() {
                return Err(ThresholdError::NotACount { value });
            }
        } else if value.is_zero() || value.exceeds_one() {
            return Err(ThresholdError::OutOfRange { value, measure });
        }
        Ok(Threshold { measure, value })
    }

    /// What is measured.
    pub fn measure(&self) -> Measure {
        self.measure
    }

    /// From where on two documents are a pair.
    pub fn value(&self) -> Rational {
        self.value
    }

    /// Whether two equal sets always are a pair, so that one may stand for the other.
    pub(crate) fn groups_equal_sets(&self) -> bool {
        self.measure != Measure::Overlap
    }

    /// Whether sets of a and b elements with `common` common ones are a pair.
    #[inline]
    pub fn reaches(&self, common: u32, a: u32, b: u32) -> bool {
        bounds!(self.measure, reaches(self.value, common.into(), a.into(), b.into()))
    }

    /// How many common elements sets of these sizes need to be a pair.
    #[inline]
    pub fn needed(&self, a: u32, b: u32) -> u32 {
        narrow(bounds!(self.measure, needed(self.value, a.into(), b.into())))
    }

    /// How many of a set's rarest elements hold at least one of those it shares with any partner.
    #[inline]
    pub fn long_prefix(&self, n: u32) -> u32 {
        prefix(n, bounds!(self.measure, needed_with_any(self.value, n.into())))
    }

    /// The same for partners at least as large.
    #[inline]
    pub fn short_prefix(&self, n: u32) -> u32 {
        prefix(n, bounds!(self.measure, needed_with_larger(self.value, n.into())))
    }

    /// The least and the greatest size of a partner.
    #[inline]
    pub fn partners(&self, n: u32) -> (u32, u32) {
        let (least, greatest) = bounds!(self.measure, partners(self.value, n.into()));
        (narrow(least), narrow(greatest))
    }

    /// The similarity of sets of a and b elements: the nearest number of 64 bits.
    pub fn similarity(&self, common: u32, a: u32, b: u32) -> f64 {
        bounds!(self.measure, similarity(common.into(), a.into(), b.into()))
    }

    /// Which of two others a set of `a` elements resembles more, without rounding; each is (common, size).
    pub fn compare(&self, a: u32, one: (u32, u32), two: (u32, u32)) -> Ordering {
        let wide = |(common, size): (u32, u32)| (u64::from(common), u64::from(size));
        let (left, right) = bounds!(self.measure, sides(a.into(), wide(one), wide(two)));
        left.cmp(&right)
    }
}

fn narrow(n: u64) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

fn prefix(n: u32, needed: u64) -> u32 {
    narrow((u64::from(n) + 1).saturating_sub(needed))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every bound against its meaning, for every small size and overlap and thresholds on and around every similarity.
    #[test]
    fn bounds_mean_what_they_say() {
        let values = [
            "0.000000001",
            "0.1",
            "0.3",
            "0.333333333",
            "0.5",
            "0.6",
            "0.666666667",
            "0.75",
            "0.8",
            "0.9",
            "0.999999999",
            "1",
            "2",
            "3",
            "7",
        ];
        for measure in Measure::ALL {
            for threshold in values.iter().filter_map(|value| Threshold::new(measure, value).ok()) {
                check(threshold);
            }
        }
    }

    fn check(threshold: Threshold) {
        const N: u32 = 24;
        for a in 1..=N {
            let (least, greatest) = threshold.partners(a);
            for b in 1..=N {
                let pairs: Vec<u32> = (1..=a.min(b)).filter(|&c| threshold.reaches(c, a, b)).collect();
                let needed = threshold.needed(a, b);
                assert_eq!(pairs.first().copied().unwrap_or(needed), needed, "{threshold:?} {a} {b}");
                assert!(pairs.is_empty() == (needed > a.min(b)), "{threshold:?} {a} {b}");
                if !pairs.is_empty() {
                    assert!((least..=greatest).contains(&b), "{threshold:?} {a} {b}");
                    assert!(threshold.long_prefix(a) > a - needed, "{threshold:?} {a} {b}");
                    assert!(b < a || threshold.short_prefix(a) > a - needed, "{threshold:?} {a} {b}");
                }
                for c in 1..=a.min(b) {
                    let t = threshold.value().to_f64();
                    let similarity = threshold.similarity(c, a, b);
                    assert!((similarity - t).abs() < 1e-12 || (similarity > t) == threshold.reaches(c, a, b));
                }
            }
            assert!(threshold.short_prefix(a) <= threshold.long_prefix(a));
        }
    }

    #[test]
    fn the_largest_sets_do_not_overflow() {
        for measure in Measure::ALL {
            for value in ["0.000000001", "0.999999999", "1"] {
                let Ok(threshold) = Threshold::new(measure, value) else { continue };
                let n = u32::MAX;
                assert!(threshold.reaches(n, n, n));
                assert!(threshold.needed(n, n) <= n);
                threshold.partners(n);
                assert!(threshold.long_prefix(n) >= 1);
                assert_eq!(threshold.compare(n, (n, n), (n - 1, n)), Ordering::Greater);
            }
        }
    }
}
