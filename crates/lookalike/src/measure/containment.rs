//! The bounds of containment.

use super::bounds::Bounds;
use super::rational::Rational;

/// c / min(a, b): the share of the smaller set that is in the larger.
pub(super) struct Containment;

impl Bounds for Containment {
    // c/min(a,b) ≥ p/q  ⇔  cq ≥ p·min(a,b)
    fn reaches(t: Rational, c: u64, a: u64, b: u64) -> bool {
        c * t.q >= t.p * a.min(b)
    }

    fn needed(t: Rational, a: u64, b: u64) -> u64 {
        (t.p * a.min(b)).div_ceil(t.q)
    }

    // A partner of one element needs only that one.
    fn needed_with_any(_: Rational, _: u64) -> u64 {
        1
    }

    fn needed_with_larger(t: Rational, n: u64) -> u64 {
        Self::needed(t, n, n)
    }

    fn partners(_: Rational, _: u64) -> (u64, u64) {
        (1, u64::MAX)
    }

    fn similarity(c: u64, a: u64, b: u64) -> f64 {
        c as f64 / a.min(b) as f64
    }

    fn sides(one: (u64, u64, u64), two: (u64, u64, u64)) -> (u128, u128) {
        let smaller = |(_, a, b): (u64, u64, u64)| u128::from(a.min(b));
        (u128::from(one.0) * smaller(two), u128::from(two.0) * smaller(one))
    }
}
