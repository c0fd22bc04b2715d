//! Which pairs does a filter find, and which does it miss?

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

/// A filter for near-duplicates, [k, s, r]: two documents pass if at least r of their k features are equal. Each
/// feature has s min-wise values.
///
/// ```
/// use lookalike::sketch::Filter;
///
/// // The paper's 48 bytes.
/// let filter: Filter = "6,14,2".parse()?;
/// assert_eq!((filter.bytes(), filter.functions()), (48, 84));
/// assert_eq!(format!("{:.3}", filter.resemblance_at(0.5)), "0.909");
/// assert_eq!(format!("{:.4}", filter.missed(0.975)), "0.0107");
/// // What a common setting, 14 bands of 8, finds at 0.8.
/// assert_eq!(format!("{:.3}", Filter::new(14, 8, 1)?.found(0.8)), "0.924");
/// # Ok::<(), lookalike::sketch::FilterError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Filter {
    k: u16,
    s: u16,
    r: u16,
}

/// Why numbers are not a filter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FilterError {
    /// The text is not three whole numbers.
    #[error("'{0}' is not a filter like 6,14,2: k features of s values each, of which r must be equal")]
    Form(String),
    /// The three numbers are out of range.
    #[error(
        "[{0}, {1}, {2}] is not a filter: k and s must be from 1 to {most}, k·s at most {functions}, r from 1 to k",
        most = Filter::MOST,
        functions = Filter::MOST_FUNCTIONS
    )]
    Range(usize, usize, usize),
}

impl Filter {
    /// Settings that other tools have published, with their source: the number of bands, and of values in a band. All
    /// have r = 1.
    pub const PUBLISHED: [(usize, usize, &'static str); 4] =
        [(14, 8, "datatrove"), (20, 13, "NeMo Curator"), (9, 13, "datasketch, 0.8 of 128"), (26, 11, "")];
    /// The maximum number of features, and of values in a feature.
    pub const MOST: usize = 1024;
    /// The maximum number of values in all features together.
    pub const MOST_FUNCTIONS: usize = 16_384;

    /// Makes a filter of `k` features of `s` values, of which `r` must be equal.
    pub fn new(k: usize, s: usize, r: usize) -> Result<Filter, FilterError> {
        let range = 1..=Filter::MOST;
        if range.contains(&k) && range.contains(&s) && (1..=k).contains(&r) && k * s <= Filter::MOST_FUNCTIONS {
            return Ok(Filter { k: k as u16, s: s as u16, r: r as u16 });
        }
        Err(FilterError::Range(k, s, r))
    }

    /// Returns the number of features of a document.
    pub fn k(self) -> usize {
        self.k.into()
    }

    /// Returns the number of values in a feature.
    pub fn s(self) -> usize {
        self.s.into()
    }

    /// Returns how many features must be equal.
    pub fn r(self) -> usize {
        self.r.into()
    }

    /// Returns the bytes of a document's features.
    pub fn bytes(self) -> usize {
        8 * self.k()
    }

    /// Returns the number of functions of the sketch that the features come from.
    pub fn functions(self) -> usize {
        self.k() * self.s()
    }

    /// Returns the number of super-features of a document: the ways to choose r of k. It is a float because it can
    /// exceed any integer type.
    pub fn super_features(self) -> f64 {
        ln_choose(self.k(), self.r()).exp().round()
    }

    /// Returns the probability that two documents of this resemblance pass: P\[k, s, r\](ρ).
    ///
    /// It is a sum of positive terms, one for each number of equal features from r to k. So a small probability is as
    /// precise as a large one: a dozen digits.
    pub fn found(self, resemblance: f64) -> f64 {
        self.terms(resemblance, self.r()..=self.k())
    }

    /// Returns the probability that they do not pass, 1 − P, with the same precision.
    pub fn missed(self, resemblance: f64) -> f64 {
        self.terms(resemblance, 0..=self.r() - 1)
    }

    /// Returns the resemblance at which this share of pairs is found: the inverse of [`found`](Filter::found).
    pub fn resemblance_at(self, probability: f64) -> f64 {
        let (mut low, mut high) = (0.0, 1.0);
        // As close as floats can be.
        while let middle = low + (high - low) / 2.0
            && low < middle
            && middle < high
        {
            if self.found(middle) < probability { low = middle } else { high = middle }
        }
        if probability <= 0.0 { 0.0 } else { high }
    }

    /// Returns the paper's total error for a threshold, if all resemblances are equally frequent: what is found below
    /// it plus what is missed above it.
    pub fn error(self, threshold: f64) -> f64 {
        integral(FINE, 0.0, threshold, |x| self.found(x)) + integral(FINE, threshold, 1.0, |x| self.missed(x))
    }

    /// Returns the filter of `k` features that the paper's rules give for a threshold ρ₀: s = 1 / ln(1/ρ₀), where ρˢ is
    /// steepest, and r = k·ρ₀ˢ. Both are rounded to the nearest allowed number.
    pub fn by_rules(k: usize, threshold: f64) -> Result<Filter, FilterError> {
        let most = (Filter::MOST_FUNCTIONS / k.max(1)).clamp(1, Filter::MOST);
        let s = (Filter::steepest_s(threshold).round() as usize).clamp(1, most);
        let r = ((k as f64 * threshold.powi(s as i32)).round() as usize).clamp(1, k.max(1));
        Filter::new(k, s, r)
    }

    /// Returns the s for which ρˢ is steepest at a threshold: 1 / ln(1/ρ₀), not rounded.
    pub fn steepest_s(threshold: f64) -> f64 {
        threshold.recip().ln().recip()
    }

    /// Sums the probabilities that exactly this many features are equal.
    fn terms(self, resemblance: f64, equal: std::ops::RangeInclusive<usize>) -> f64 {
        // NaN is not a resemblance; treat it as probability 0.
        let resemblance = if resemblance > 0.0 { resemblance.min(1.0) } else { 0.0 };
        let (k, ln_p) = (self.k(), self.s() as f64 * resemblance.ln());
        if ln_p == 0.0 {
            return if equal.contains(&k) { 1.0 } else { 0.0 };
        }
        // ln(1 − p), without the digits that 1 − p loses for p near 1.
        let ln_q = (-ln_p.exp_m1()).ln();
        // Zero to the power of zero is 1.
        let power = |ln: f64, exponent: usize| if exponent == 0 { 0.0 } else { ln * exponent as f64 };
        let mut choose = 0.0;
        let mut sum = 0.0;
        for i in 0..=*equal.end() {
            if i > 0 {
                choose += ln(k - i + 1) - ln(i);
            }
            if i >= *equal.start() {
                sum += (choose + power(ln_p, i) + power(ln_q, k - i)).exp();
            }
        }
        sum.min(1.0)
    }
}

/// The logarithm of the number of ways to choose `r` of `k`.
fn ln_choose(k: usize, r: usize) -> f64 {
    (1..=r.min(k - r)).map(|i| ln(k - i + 1) - ln(i)).sum()
}

/// The logarithm of a number up to [`Filter::MOST`], from a table: choosing a filter needs many millions of them.
fn ln(number: usize) -> f64 {
    static LOGARITHMS: LazyLock<Vec<f64>> =
        LazyLock::new(|| (0..=Filter::MOST).map(|number| (number as f64).ln()).collect());
    LOGARITHMS[number]
}

/// Parts of an integral whose value is reported.
pub(super) const FINE: usize = 64;

/// Integrates a smooth function by Gauss's five-point rule on each of `parts` parts.
pub(super) fn integral(parts: usize, from: f64, to: f64, function: impl Fn(f64) -> f64) -> f64 {
    const POINTS: [(f64, f64); 5] = [
        (-0.906_179_845_938_664, 0.236_926_885_056_189_1),
        (-0.538_469_310_105_683, 0.478_628_670_499_366_5),
        (0.0, 0.568_888_888_888_888_9),
        (0.538_469_310_105_683, 0.478_628_670_499_366_5),
        (0.906_179_845_938_664, 0.236_926_885_056_189_1),
    ];
    let half = (to - from) / (2 * parts) as f64;
    let part = |at: usize| {
        let middle = from + half * (2 * at + 1) as f64;
        POINTS.iter().map(|(place, weight)| weight * function(middle + half * place)).sum::<f64>()
    };
    half * (0..parts).map(part).sum::<f64>()
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{},{},{}", self.k, self.s, self.r)
    }
}

impl FromStr for Filter {
    type Err = FilterError;

    fn from_str(text: &str) -> Result<Filter, FilterError> {
        let numbers: Option<Vec<usize>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
        match numbers.as_deref() {
            Some(&[k, s, r]) => Filter::new(k, s, r),
            _ => Err(FilterError::Form(text.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn filter(k: usize, s: usize, r: usize) -> Filter {
        Filter::new(k, s, r).unwrap()
    }

    #[track_caller]
    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() <= 1e-11 * expected.abs(), "{found:e}, not {expected:e}");
    }

    /// The expected values come from Python's fractions, rounded only at the end.
    #[test]
    fn exact_values() {
        let paper = filter(6, 14, 2);
        near(paper.missed(0.975), MISSED_975);
        near(paper.missed(0.99), MISSED_99);
        near(paper.found(0.77), FOUND_77);
        near(paper.found(0.5), FOUND_5);
        near(paper.resemblance_at(0.5), HALF);
        near(paper.error(0.909), ERROR_909);
        near(filter(14, 8, 1).found(0.8), FOUND_14_8);
        near(filter(20, 13, 1).found(0.8), FOUND_20_13);
        near(filter(9, 13, 1).found(0.8), FOUND_9_13);
        near(filter(26, 11, 1).found(0.8), FOUND_26_11);
        near(filter(256, 3, 100).found(0.5), FOUND_256_3_100);
        near(filter(256, 3, 100).missed(0.875), MISSED_256_3_100);
    }
    const MISSED_975: f64 = 0.010672151627708678;
    const MISSED_99: f64 = 0.00020816622459427303;
    const FOUND_77: f64 = 0.009286332215913583;
    const FOUND_5: f64 = 5.5870260154391104e-08;
    const FOUND_14_8: f64 = 0.923547558632581;
    const FOUND_20_13: f64 = 0.6772541928777576;
    const FOUND_9_13: f64 = 0.3988438782401637;
    const FOUND_26_11: f64 = 0.9032068748315834;
    const FOUND_256_3_100: f64 = 6.949952067907792e-27;
    const MISSED_256_3_100: f64 = 1.7877313415431462e-20;
    const HALF: f64 = 0.9093662347114284;
    const ERROR_909: f64 = 0.03412037291458986;

    #[test]
    fn ends() {
        for filter in [filter(1, 1, 1), filter(6, 14, 2), filter(1024, 16, 1024)] {
            assert_eq!((filter.found(0.0), filter.missed(0.0)), (0.0, 1.0));
            assert_eq!((filter.found(1.0), filter.missed(1.0)), (1.0, 0.0));
            assert_eq!((filter.found(f64::NAN), filter.found(-1.0), filter.found(7.0)), (0.0, 0.0, 1.0));
            assert_eq!((filter.resemblance_at(0.0), filter.resemblance_at(1.0) <= 1.0), (0.0, true));
        }
        assert_eq!(filter(6, 14, 2).super_features(), 15.0);
        assert_eq!(filter(40, 1, 20).super_features(), 137_846_528_820.0);
    }

    #[test]
    fn forms() {
        assert_eq!("6, 14 ,2".parse(), Ok(filter(6, 14, 2)));
        assert_eq!(filter(6, 14, 2).to_string(), "6,14,2");
        for wrong in ["", "6", "6,14", "6,14,2,1", "6,14,x", "-6,14,2", "6x14"] {
            assert_eq!(wrong.parse::<Filter>(), Err(FilterError::Form(wrong.to_string())));
        }
        for (k, s, r) in [(0, 1, 1), (1, 0, 1), (1, 1, 0), (6, 14, 7), (1025, 1, 1), (1, 1025, 1), (1024, 17, 1)] {
            assert_eq!(Filter::new(k, s, r), Err(FilterError::Range(k, s, r)));
        }
    }

    proptest! {
        #[test]
        fn all_in_all_certain(k in 1..300_usize, s in 1..40_usize, at in 0.0..1.0_f64, rho in 0.0..=1.0_f64) {
            let filter = filter(k, s, 1 + (at * k as f64) as usize);
            let (found, missed) = (filter.found(rho), filter.missed(rho));
            prop_assert!((found + missed - 1.0).abs() < 1e-11, "{} + {}", found, missed);
            prop_assert!(filter.found((rho + 0.01).min(1.0)) >= found - 1e-12);
        }

        #[test]
        fn the_inverse_is_one(k in 1..100_usize, s in 1..30_usize, at in 0.0..1.0_f64, probability in 0.001..0.999_f64) {
            let filter = filter(k, s, 1 + (at * k as f64) as usize);
            prop_assert!((filter.found(filter.resemblance_at(probability)) - probability).abs() < 1e-9);
        }
    }
}
