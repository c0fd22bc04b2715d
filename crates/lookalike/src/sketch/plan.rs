//! How a filter is chosen.
//!
//! Candidates are all [k, s, r] whose features fit in the bytes, whose functions fit in the limit, and which find a
//! pair at the threshold with the wanted probability. For a given k and r, the best has the largest s: it passes the
//! fewest pairs below the threshold. Among different k and r, the work decides, counted in exact comparisons:
//!
//! > work = ∫ (P(ρ) + c·k·ρˢ) f(ρ) dρ from 0 to the threshold
//!
//! P is the share of pairs that pass, and so are compared in vain. k·ρˢ is the number of features that a pair shares;
//! each is sorted and counted even if they are too few. c is the cost of that relative to an exact comparison, and f is
//! the [`Prior`]. Of all filters within 5 % of the least work, the one with the fewest bytes wins, then the one with
//! the fewest functions.

use super::filter::{FINE, integral};
use super::{Filter, Prior};

/// The cost of a shared feature, relative to an exact comparison of two sets.
const MEETING: f64 = 0.05;
/// Filters with up to this much more work than the least count as equally good.
const AS_GOOD: f64 = 1.05;

/// The maximum number of features to try: a kilobyte, and already eight thousand filters to compare.
const MOST_FEATURES: usize = 128;
/// Parts of an integral that only compares filters.
const COARSE: usize = 16;

/// The requirements for a filter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FilterNeeds {
    /// The minimum resemblance of a wanted pair.
    pub threshold: f64,
    /// The probability of finding a pair of exactly that resemblance.
    pub recall: f64,
    /// The maximum bytes of a document's features. More than 1,024 are not used.
    pub bytes: usize,
    /// The maximum number of functions of a sketch. It limits the time per document.
    pub functions: usize,
    /// How frequent resemblances are.
    pub prior: Prior,
}

impl FilterNeeds {
    /// Makes requirements with the usual limits: 128 bytes and 512 functions.
    pub fn new(threshold: f64, recall: f64) -> FilterNeeds {
        FilterNeeds { threshold, recall, bytes: 128, functions: 512, prior: Prior::default() }
    }
}

/// Why there is no filter.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The threshold is out of range.
    #[error("the threshold {0} must be above 0 and at most 1")]
    Threshold(f64),
    /// The recall is out of range.
    #[error("the recall {0} must be above 0 and below 1. To find every pair, use an exact method")]
    Recall(f64),
    /// There are no values to divide into bands.
    #[error("{0} values cannot be divided into bands")]
    Functions(usize),
    /// No filter fits in the limits.
    #[error(
        "no filter finds {recall} of the pairs at {threshold} within {bytes} bytes and {functions} functions per document"
    )]
    Budget {
        /// The threshold.
        threshold: f64,
        /// The recall.
        recall: f64,
        /// The bytes.
        bytes: usize,
        /// The functions.
        functions: usize,
    },
}

/// A chosen filter, and its expected results.
///
/// ```
/// use lookalike::sketch::{Plan, FilterNeeds};
///
/// let plan = Plan::choose(&FilterNeeds::new(0.8, 0.99))?;
/// assert!(plan.recall >= 0.99 && plan.filter.bytes() <= 128);
/// assert_eq!(plan.filter.to_string(), "16,6,1");
/// # Ok::<(), lookalike::sketch::PlanError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Plan {
    /// The filter.
    pub filter: Filter,
    /// The probability that a pair at the threshold is found.
    pub recall: f64,
    /// The share of all pairs at or above the threshold that are found.
    pub recall_above: f64,
    /// The share of the passing pairs that are below the threshold.
    pub useless: f64,
}

impl Plan {
    /// Computes the expected results of a given filter.
    pub fn of(filter: Filter, threshold: f64, prior: Prior) -> Plan {
        Plan {
            filter,
            recall: filter.found(threshold),
            recall_above: prior.recall(filter, threshold),
            useless: prior.useless(filter, threshold),
        }
    }

    /// Divides min-wise values into bands as datasketch and its relatives do: of all b bands of r values with b·r at most
    /// `functions`, those with the least sum of what is found below the threshold and missed above it, if all resemblances are
    /// equally frequent. Two documents pass if one band is equal.
    ///
    /// ```
    /// let plan = lookalike::sketch::Plan::bands(0.8, 128)?;
    /// assert_eq!(plan.filter.to_string(), "9,13,1");
    /// assert_eq!(format!("{:.3}", plan.recall), "0.399");
    /// # Ok::<(), lookalike::sketch::PlanError>(())
    /// ```
    pub fn bands(threshold: f64, functions: usize) -> Result<Plan, PlanError> {
        if !(threshold > 0.0 && threshold <= 1.0) {
            return Err(PlanError::Threshold(threshold));
        }
        let divisions = (1..=functions).flat_map(|bands| (1..=functions / bands).map(move |values| (bands, values)));
        let fitting = divisions.filter_map(|(bands, values)| Filter::new(bands, values, 1).ok());
        let errors = fitting.map(|filter| (band_error(filter, threshold), filter));
        // Of equals, the first: the fewest bands.
        let best = errors.reduce(|best, other| if other.0 < best.0 { other } else { best });
        best.map(|(_, filter)| Plan::of(filter, threshold, Prior::default())).ok_or(PlanError::Functions(functions))
    }

    /// Chooses a filter.
    pub fn choose(needs: &FilterNeeds) -> Result<Plan, PlanError> {
        let FilterNeeds { threshold, recall, bytes, functions, prior } = *needs;
        if !(threshold > 0.0 && threshold <= 1.0) {
            return Err(PlanError::Threshold(threshold));
        }
        if !(recall > 0.0 && recall < 1.0) {
            return Err(PlanError::Recall(recall));
        }
        let most = (bytes / 8).min(functions).min(MOST_FEATURES);
        let sizes = (1..=most).flat_map(|k| (1..=k).map(move |r| (k, r)));
        let fitting: Vec<(f64, Filter)> = sizes
            .filter_map(|(k, r)| longest(k, r, needs))
            .map(|filter| (work(filter, threshold, prior), filter))
            .collect();
        let least = fitting.iter().map(|(work, _)| *work).fold(f64::INFINITY, f64::min);
        let as_good = fitting.iter().filter(|(work, _)| *work <= least * AS_GOOD);
        let best = as_good.min_by(|(work_a, a), (work_b, b)| {
            (a.bytes(), a.functions()).cmp(&(b.bytes(), b.functions())).then(work_a.total_cmp(work_b))
        });
        match best {
            Some((_, filter)) => Ok(Plan::of(*filter, threshold, prior)),
            None => Err(PlanError::Budget { threshold, recall, bytes, functions }),
        }
    }
}

/// Of the filters with k features and r equal ones, returns the one with the largest s that finds enough.
fn longest(k: usize, r: usize, needs: &FilterNeeds) -> Option<Filter> {
    let finds_enough = |s: usize| {
        let filter = Filter::new(k, s, r).ok()?;
        (filter.found(needs.threshold) >= needs.recall).then_some(filter)
    };
    let mut best = finds_enough(1)?;
    let most = (needs.functions / k).min(Filter::MOST).min(Filter::MOST_FUNCTIONS / k);
    let (mut low, mut high) = (1, most + 1);
    // The share of pairs found falls with s.
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        match finds_enough(middle) {
            Some(filter) => (low, best) = (middle, filter),
            None => high = middle,
        }
    }
    Some(best)
}

/// What bands find below a threshold plus what they miss above it. [`Filter::error`] gives the same for any filter, more slowly.
fn band_error(filter: Filter, threshold: f64) -> f64 {
    let missed = |x: f64| (1.0 - x.powi(filter.s() as i32)).powi(filter.k() as i32);
    integral(FINE, 0.0, threshold, |x| 1.0 - missed(x)) + integral(FINE, threshold, 1.0, missed)
}

/// The work below the threshold that a filter causes.
fn work(filter: Filter, threshold: f64, prior: Prior) -> f64 {
    let (k, s) = (filter.k() as f64, filter.s() as i32);
    prior.below(COARSE, threshold, |x| filter.found(x) + MEETING * k * x.powi(s))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What datasketch 2.0.0 chose when it was run with equal weights.
    #[test]
    fn bands_of_datasketch() {
        let thresholds = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95];
        for (functions, theirs) in [
            (64, [(14, 4), (10, 6), (8, 8), (5, 11), (3, 21), (2, 32)]),
            (128, [(25, 5), (18, 7), (14, 9), (9, 13), (5, 25), (3, 42)]),
            (256, [(42, 6), (32, 8), (25, 10), (17, 15), (9, 28), (5, 51)]),
        ] {
            let filters = thresholds.map(|threshold| Plan::bands(threshold, functions).unwrap().filter);
            assert_eq!(filters.map(|filter| (filter.k(), filter.s())), theirs, "{functions}");
        }
        assert_eq!(Plan::bands(0.5, 1).unwrap().filter.to_string(), "1,1,1");
        assert_eq!(Plan::bands(0.5, 0), Err(PlanError::Functions(0)));
        assert_eq!(Plan::bands(0.0, 8), Err(PlanError::Threshold(0.0)));
    }

    #[test]
    fn the_error_of_bands() {
        for filter in [Filter::new(9, 13, 1).unwrap(), Filter::new(25, 5, 1).unwrap()] {
            assert!((band_error(filter, 0.7) - filter.error(0.7)).abs() < 1e-9);
        }
    }
}
