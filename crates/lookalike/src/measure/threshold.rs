//! When are two sets a pair, and which bounds follow?

use std::cmp::Ordering;

use super::bounds::Bounds;
use super::containment::Containment;
use super::cosine::Cosine;
use super::dice::Dice;
use super::hamming::Hamming;
use super::jaccard::Jaccard;
use super::kind::Measure;
use super::max::Max;
use super::overlap::Overlap;
use super::rational::{Rational, RationalError};

/// A measure and the minimum value for a pair, inclusive. For a distance it is the maximum.
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

/// A threshold that the measure does not allow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ThresholdError {
    /// The text is not a number.
    #[error("threshold {0}")]
    NotANumber(#[from] RationalError),
    /// The value is 0, or greater than 1.
    #[error("threshold {value} is out of range for {measure}: it must be above 0 and at most 1{}", as_share(*value))]
    OutOfRange {
        /// The value that was given.
        value: Rational,
        /// The measure.
        measure: Measure,
    },
    /// The value is not a whole number, or is too small.
    #[error("threshold {value} for {measure} must be a whole number, {least} or more")]
    NotACount {
        /// The value that was given.
        value: Rational,
        /// The measure.
        measure: Measure,
        /// The least allowed value.
        least: u64,
    },
}

/// What one who means a percentage should write.
fn as_share(value: Rational) -> String {
    match value.to_f64() {
        percent if (10.0..=100.0).contains(&percent) => format!("; for {value} %, use {}", percent / 100.0),
        _ => String::new(),
    }
}

/// Calls a function of the measure's bounds.
macro_rules! bounds {
    ($measure:expr, $function:ident($($argument:expr),*)) => {
        match $measure {
            Measure::Jaccard => Jaccard::$function($($argument),*),
            Measure::Cosine => Cosine::$function($($argument),*),
            Measure::Dice => Dice::$function($($argument),*),
            Measure::Max => Max::$function($($argument),*),
            Measure::Overlap => Overlap::$function($($argument),*),
            Measure::Containment => Containment::$function($($argument),*),
            Measure::Hamming => Hamming::$function($($argument),*),
        }
    };
}

impl Threshold {
    /// Parses a threshold and checks it against the measure.
    pub fn new(measure: Measure, value: &str) -> Result<Threshold, ThresholdError> {
        let value: Rational = value.parse()?;
        if let Some(least) = measure.least_count() {
            if !value.is_whole() || value.p < least {
                return Err(ThresholdError::NotACount { value, measure, least });
            }
        } else if value.is_zero() || value.exceeds_one() {
            return Err(ThresholdError::OutOfRange { value, measure });
        }
        Ok(Threshold { measure, value })
    }

    /// Returns the measure.
    pub fn measure(&self) -> Measure {
        self.measure
    }

    /// Returns the value of the threshold.
    pub fn value(&self) -> Rational {
        self.value
    }

    /// Returns whether the measure is a distance. Then pairs are *at most* this far apart, and
    /// [`similarity`](Threshold::similarity) returns the distance.
    pub fn is_distance(&self) -> bool {
        self.measure.is_distance()
    }

    /// Returns whether two equal sets are always a pair, so that one can represent the other.
    pub fn groups_equal_sets(&self) -> bool {
        self.measure.groups_equal_sets()
    }

    /// Returns whether sets of a and b elements, `common` of them common, are a pair.
    #[inline]
    pub fn reaches(&self, common: u32, a: u32, b: u32) -> bool {
        bounds!(self.measure, reaches(self.value, common.into(), a.into(), b.into()))
    }

    /// Returns how many common elements sets of these sizes need to be a pair.
    #[inline]
    pub fn needed(&self, a: u32, b: u32) -> u32 {
        narrow(bounds!(self.measure, needed(self.value, a.into(), b.into())))
    }

    /// Returns how many of a set's rarest elements include at least one that it shares with any partner, if it shares
    /// any.
    #[inline]
    pub fn long_prefix(&self, n: u32) -> u32 {
        prefix(n, bounds!(self.measure, needed_with_any(self.value, n.into())))
    }

    /// Like [`long_prefix`](Threshold::long_prefix), for partners at least as large.
    #[inline]
    pub fn short_prefix(&self, n: u32) -> u32 {
        prefix(n, bounds!(self.measure, needed_with_larger(self.value, n.into())))
    }

    /// Returns the least and the greatest size of a partner.
    #[inline]
    pub fn partners(&self, n: u32) -> (u32, u32) {
        let (least, greatest) = bounds!(self.measure, partners(self.value, n.into()));
        (narrow(least), narrow(greatest))
    }

    /// The greatest size of a set that is a pair with one of n elements even if they share nothing; 0 if there is none.
    ///
    /// Such pairs share no element of a prefix. Only distances have them.
    #[inline]
    pub(crate) fn needless(&self, n: u32) -> u32 {
        narrow(bounds!(self.measure, needless(self.value, n.into())))
    }

    /// Returns the similarity of sets of a and b elements, or their distance, as the nearest 64-bit float.
    pub fn similarity(&self, common: u32, a: u32, b: u32) -> f64 {
        bounds!(self.measure, similarity(common.into(), a.into(), b.into()))
    }

    /// Compares two other sets, each (common, size), by how much a set of `a` elements resembles them, without
    /// rounding.
    pub fn compare(&self, a: u32, one: (u32, u32), two: (u32, u32)) -> Ordering {
        self.measure.compare((one.0, a, one.1), (two.0, a, two.1))
    }
}

impl Measure {
    /// Compares the similarities of two pairs, each (common, size, size), without rounding.
    pub fn compare(self, one: (u32, u32, u32), two: (u32, u32, u32)) -> Ordering {
        let wide = |(common, a, b): (u32, u32, u32)| (u64::from(common), u64::from(a), u64::from(b));
        let (left, right) = bounds!(self, sides(wide(one), wide(two)));
        left.cmp(&right)
    }
}

fn narrow(n: u64) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// The length of the prefix of n elements that must hold a shared one. If no shared element is needed, it is the whole
/// set.
fn prefix(n: u32, needed: u64) -> u32 {
    narrow((u64::from(n) + 1).saturating_sub(needed.max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks every bound against its definition, for all small sizes and overlaps and for thresholds on and around
    /// every similarity.
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
            "0",
            "1",
            "2",
            "3",
            "7",
            "24",
            "47",
            "48",
            "1000",
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
                let pairs: Vec<u32> = (0..=a.min(b)).filter(|&c| threshold.reaches(c, a, b)).collect();
                let needed = threshold.needed(a, b);
                assert_eq!(pairs.first().copied().unwrap_or(needed), needed, "{threshold:?} {a} {b}");
                assert!(pairs.is_empty() == (needed > a.min(b)), "{threshold:?} {a} {b}");
                assert_eq!(needed == 0, b <= threshold.needless(a), "{threshold:?} {a} {b}");
                if !pairs.is_empty() {
                    assert!((least..=greatest).contains(&b), "{threshold:?} {a} {b}");
                    assert!(threshold.long_prefix(a) > a - needed.max(1), "{threshold:?} {a} {b}");
                    assert!(b < a || threshold.short_prefix(a) > a - needed.max(1), "{threshold:?} {a} {b}");
                }
                for c in 0..=a.min(b) {
                    let t = threshold.value().to_f64();
                    let similarity = threshold.similarity(c, a, b);
                    let beyond = if threshold.is_distance() { similarity < t } else { similarity > t };
                    assert!((similarity - t).abs() < 1e-12 || beyond == threshold.reaches(c, a, b));
                }
            }
            assert!(threshold.short_prefix(a) <= threshold.long_prefix(a) && threshold.long_prefix(a) <= a);
        }
    }

    /// The exact comparison agrees with the similarities, where those are far enough apart to tell.
    #[test]
    fn the_more_similar_is_greater() {
        const N: u32 = 6;
        let sizes = || (1..=N).flat_map(|a| (1..=N).map(move |b| (a, b)));
        let pairs: Vec<_> = sizes().flat_map(|(a, b)| (0..=a.min(b)).map(move |c| (c, a, b))).collect();
        for measure in Measure::ALL {
            let threshold = Threshold::new(measure, "1").unwrap();
            for (&one, &two) in pairs.iter().flat_map(|one| pairs.iter().map(move |two| (one, two))) {
                let similarity = |(c, a, b)| threshold.similarity(c, a, b);
                let sign = if threshold.is_distance() { -1.0 } else { 1.0 };
                let more = sign * (similarity(one) - similarity(two));
                let expected = if more.abs() < 1e-12 { Ordering::Equal } else { more.total_cmp(&0.0) };
                assert_eq!(measure.compare(one, two), expected, "{measure} {one:?} {two:?}");
                if one.1 == two.1 {
                    assert_eq!(threshold.compare(one.1, (one.0, one.2), (two.0, two.2)), expected);
                }
            }
        }
    }

    #[test]
    fn counts_and_fractions() {
        let error = |measure, value| Threshold::new(measure, value).unwrap_err().to_string();
        assert_eq!(error(Measure::Overlap, "0"), "threshold 0 for overlap must be a whole number, 1 or more");
        assert_eq!(error(Measure::Hamming, "0.5"), "threshold 0.5 for hamming must be a whole number, 0 or more");
        assert!(error(Measure::Containment, "2").starts_with("threshold 2 is out of range for containment"));
        assert!(error(Measure::Containment, "0").starts_with("threshold 0 is out of range for containment"));
        assert!(Threshold::new(Measure::Hamming, "0").is_ok());
        for measure in Measure::ALL {
            assert_eq!(measure.name().parse(), Ok(measure));
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
                assert_eq!(measure.compare((n, n, n), (n - 1, n, n)), Ordering::Greater);
            }
        }
    }
}
