//! The bounds of overlap.

use super::bounds::Bounds;
use super::rational::Rational;

/// c itself; the threshold is a whole number.
pub(super) struct Overlap;

impl Bounds for Overlap {
    fn reaches(t: Rational, c: u64, _: u64, _: u64) -> bool {
        c >= t.p
    }

    fn needed(t: Rational, _: u64, _: u64) -> u64 {
        t.p
    }

    fn needed_with_any(t: Rational, _: u64) -> u64 {
        t.p
    }

    fn needed_with_larger(t: Rational, _: u64) -> u64 {
        t.p
    }

    fn partners(t: Rational, _: u64) -> (u64, u64) {
        (t.p, u64::MAX)
    }

    fn similarity(c: u64, _: u64, _: u64) -> f64 {
        c as f64
    }

    fn sides(one: (u64, u64, u64), two: (u64, u64, u64)) -> (u128, u128) {
        (u128::from(one.0), u128::from(two.0))
    }
}
