//! The bounds of Hamming distance.

use super::bounds::Bounds;
use super::rational::Rational;

/// a + b − 2c: the number of elements that only one of the sets has. The threshold d is a whole number, the maximum for
/// a pair.
pub(super) struct Hamming;

impl Bounds for Hamming {
    // a+b−2c ≤ d  ⇔  a+b ≤ d+2c
    fn reaches(t: Rational, c: u64, a: u64, b: u64) -> bool {
        a + b <= t.p + 2 * c
    }

    // 2c ≥ a+b−d; nothing is needed if the sets are so small that d covers both.
    fn needed(t: Rational, a: u64, b: u64) -> u64 {
        (a + b).saturating_sub(t.p).div_ceil(2)
    }

    // 2c ≥ a+b−d ≥ a+c−d, since b ≥ c; so c ≥ a−d.
    fn needed_with_any(t: Rational, n: u64) -> u64 {
        n.saturating_sub(t.p)
    }

    // ⌈(2n−d)/2⌉ = n−⌊d/2⌋
    fn needed_with_larger(t: Rational, n: u64) -> u64 {
        Self::needed(t, n, n)
    }

    // Sets whose sizes differ by more than d differ in more than d elements.
    fn partners(t: Rational, n: u64) -> (u64, u64) {
        (n.saturating_sub(t.p).max(1), n + t.p)
    }

    // needed = 0  ⇔  a+b ≤ d
    fn needless(t: Rational, n: u64) -> u64 {
        t.p.saturating_sub(n)
    }

    fn similarity(c: u64, a: u64, b: u64) -> f64 {
        (a + b - 2 * c) as f64
    }

    // A smaller distance is a greater similarity.
    fn sides(one: (u64, u64, u64), two: (u64, u64, u64)) -> (u128, u128) {
        let distance = |(c, a, b): (u64, u64, u64)| u128::from(a + b - 2 * c);
        (distance(two), distance(one))
    }
}
