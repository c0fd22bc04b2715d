//! The bounds of Jaccard similarity.

use super::bounds::Bounds;
use super::rational::Rational;

/// c / (a + b − c).
pub(super) struct Jaccard;

impl Bounds for Jaccard {
    // c/(a+b−c) ≥ p/q  ⇔  c(p+q) ≥ p(a+b)
    fn reaches(t: Rational, c: u64, a: u64, b: u64) -> bool {
        c * (t.p + t.q) >= t.p * (a + b)
    }

    fn needed(t: Rational, a: u64, b: u64) -> u64 {
        (t.p * (a + b)).div_ceil(t.p + t.q)
    }

    // c ≥ t(a+b−c) ≥ t·a, since b ≥ c.
    fn needed_with_any(t: Rational, n: u64) -> u64 {
        (t.p * n).div_ceil(t.q)
    }

    fn needed_with_larger(t: Rational, n: u64) -> u64 {
        Self::needed(t, n, n)
    }

    // t ≤ c/(a+b−c) ≤ min(a,b)/max(a,b).
    fn partners(t: Rational, n: u64) -> (u64, u64) {
        ((t.p * n).div_ceil(t.q), t.q * n / t.p)
    }

    fn similarity(c: u64, a: u64, b: u64) -> f64 {
        c as f64 / (a + b - c) as f64
    }

    fn sides(one: (u64, u64, u64), two: (u64, u64, u64)) -> (u128, u128) {
        let union = |(c, a, b): (u64, u64, u64)| u128::from(a + b - c);
        (u128::from(one.0) * union(two), u128::from(two.0) * union(one))
    }
}
