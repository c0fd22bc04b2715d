//! The bounds of Dice similarity.

use super::bounds::Bounds;
use super::rational::Rational;

/// 2c / (a + b).
pub(super) struct Dice;

impl Bounds for Dice {
    // 2c/(a+b) ≥ p/q  ⇔  2cq ≥ p(a+b)
    fn reaches(t: Rational, c: u64, a: u64, b: u64) -> bool {
        2 * c * t.q >= t.p * (a + b)
    }

    fn needed(t: Rational, a: u64, b: u64) -> u64 {
        (t.p * (a + b)).div_ceil(2 * t.q)
    }

    // 2c ≥ t(a+b) ≥ t(a+c), since b ≥ c; so c(2−t) ≥ t·a.
    fn needed_with_any(t: Rational, n: u64) -> u64 {
        (t.p * n).div_ceil(2 * t.q - t.p)
    }

    fn needed_with_larger(t: Rational, n: u64) -> u64 {
        Self::needed(t, n, n)
    }

    // At best all elements of the smaller set are common: 2·min ≥ t(min+max).
    fn partners(t: Rational, n: u64) -> (u64, u64) {
        ((t.p * n).div_ceil(2 * t.q - t.p), (2 * t.q - t.p) * n / t.p)
    }

    fn similarity(c: u64, a: u64, b: u64) -> f64 {
        (2 * c) as f64 / (a + b) as f64
    }

    fn sides(one: (u64, u64, u64), two: (u64, u64, u64)) -> (u128, u128) {
        let sizes = |(_, a, b): (u64, u64, u64)| u128::from(a + b);
        (u128::from(one.0) * sizes(two), u128::from(two.0) * sizes(one))
    }
}
