//! A number and the range in which the true one probably is.

use serde::Serialize;

/// A number with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// The number.
    pub value: f64,
    /// The low end of the interval.
    pub low: f64,
    /// The high end of the interval.
    pub high: f64,
}

/// The 0.975 quantile of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// A share with Wilson's interval; `None` if there is nothing to take a share of.
pub fn wilson(part: u64, whole: u64) -> Option<Interval> {
    if whole == 0 {
        return None;
    }
    let (p, n) = (part as f64 / whole as f64, whole as f64);
    let middle = p + Z * Z / (2.0 * n);
    let reach = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    let below = 1.0 + Z * Z / n;
    // At the ends rounding must not exclude the share from the interval.
    let low = if part == 0 { 0.0 } else { ((middle - reach) / below).clamp(0.0, p) };
    let high = if part == whole { 1.0 } else { ((middle + reach) / below).clamp(p, 1.0) };
    Some(Interval { value: p, low, high })
}

/// The harmonic mean of precision and recall, from counts; 0 if nothing is right.
pub fn f1_of(right: f64, wrong: f64, missed: f64) -> f64 {
    if right == 0.0 { 0.0 } else { 2.0 * right / (2.0 * right + wrong + missed) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_as_published() {
        // Wilson's interval for 8 of 10, as in Brown, Cai and DasGupta's tables and in statsmodels.
        let interval = wilson(8, 10).unwrap();
        assert!((interval.low - 0.490_16).abs() < 1e-4 && (interval.high - 0.943_32).abs() < 1e-4, "{interval:?}");
        assert_eq!(wilson(0, 0), None);
        assert_eq!(wilson(0, 5).unwrap().low, 0.0);
        assert_eq!(wilson(5, 5).unwrap().high, 1.0);
    }
}
