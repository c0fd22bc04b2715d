//! The bounds of cosine similarity.

use super::bounds::Bounds;
use super::rational::Rational;

/// c / √(a·b).
pub(super) struct Cosine;

/// p² and q².
fn squares(t: Rational) -> (u128, u128) {
    (u128::from(t.p) * u128::from(t.p), u128::from(t.q) * u128::from(t.q))
}

fn square(c: u64) -> u128 {
    u128::from(c) * u128::from(c)
}

impl Bounds for Cosine {
    // c/√(ab) ≥ p/q  ⇔  c²q² ≥ p²ab
    fn reaches(t: Rational, c: u64, a: u64, b: u64) -> bool {
        let (pp, qq) = squares(t);
        square(c) * qq >= pp * u128::from(a) * u128::from(b)
    }

    // The least c with c² ≥ ⌈p²ab/q²⌉.
    fn needed(t: Rational, a: u64, b: u64) -> u64 {
        let (pp, qq) = squares(t);
        let least = (pp * u128::from(a) * u128::from(b)).div_ceil(qq);
        let root = least.isqrt() as u64;
        if square(root) < least { root + 1 } else { root }
    }

    // c² ≥ t²ab ≥ t²ac, since b ≥ c.
    fn needed_with_any(t: Rational, n: u64) -> u64 {
        let (pp, qq) = squares(t);
        (pp * u128::from(n)).div_ceil(qq) as u64
    }

    fn needed_with_larger(t: Rational, n: u64) -> u64 {
        Self::needed(t, n, n)
    }

    // min² ≥ c² ≥ t²·min·max.
    fn partners(t: Rational, n: u64) -> (u64, u64) {
        let (pp, qq) = squares(t);
        let largest = qq * u128::from(n) / pp;
        (Self::needed_with_any(t, n), u64::try_from(largest).unwrap_or(u64::MAX))
    }

    fn similarity(c: u64, a: u64, b: u64) -> f64 {
        // A set compared with itself is 1, however the root of the square rounds.
        if c == a && c == b { 1.0 } else { c as f64 / (a as f64 * b as f64).sqrt() }
    }

    // Each product has four 32-bit factors.
    fn sides(one: (u64, u64, u64), two: (u64, u64, u64)) -> (u128, u128) {
        let sizes = |(_, a, b): (u64, u64, u64)| u128::from(a) * u128::from(b);
        (square(one.0) * sizes(two), square(two.0) * sizes(one))
    }
}
