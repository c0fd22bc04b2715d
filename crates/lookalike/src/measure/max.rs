//! The bounds of the share of the larger set.

use super::bounds::Bounds;
use super::rational::Rational;

/// c / max(a, b): the similarity of the DDD paper.
pub(super) struct Max;

impl Bounds for Max {
    fn reaches(t: Rational, c: u64, a: u64, b: u64) -> bool {
        c * t.q >= t.p * a.max(b)
    }

    fn needed(t: Rational, a: u64, b: u64) -> u64 {
        (t.p * a.max(b)).div_ceil(t.q)
    }

    fn needed_with_any(t: Rational, n: u64) -> u64 {
        Self::needed(t, n, n)
    }

    fn needed_with_larger(t: Rational, n: u64) -> u64 {
        Self::needed(t, n, n)
    }

    fn partners(t: Rational, n: u64) -> (u64, u64) {
        (Self::needed(t, n, n), t.q * n / t.p)
    }

    fn similarity(c: u64, a: u64, b: u64) -> f64 {
        c as f64 / a.max(b) as f64
    }

    fn sides(one: (u64, u64, u64), two: (u64, u64, u64)) -> (u128, u128) {
        let larger = |(_, a, b): (u64, u64, u64)| u128::from(a.max(b));
        (u128::from(one.0) * larger(two), u128::from(two.0) * larger(one))
    }
}
