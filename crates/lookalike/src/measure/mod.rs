//! How similar two sets are, and what a threshold on that implies, in integers.
//!
//! For sets of a and b elements, c of them common, and a threshold t = p/q, a pair is one that *reaches* the threshold, equality
//! included; under a distance, one that does not exceed it. Every bound below is derived from that inequality and computed without
//! rounding; `docs/theory/joins.md` has the derivations.

mod containment;
mod cosine;
mod dice;
mod hamming;
mod jaccard;
mod kind;
mod max;
mod overlap;
mod rational;
mod threshold;

pub use kind::Measure;
pub use rational::{Rational, RationalError};
pub use threshold::{Threshold, ThresholdError};

/// What the join needs to know of a measure; `t` is the threshold.
trait Bounds {
    /// Whether c common elements of a and b are enough.
    fn reaches(t: Rational, c: u64, a: u64, b: u64) -> bool;
    /// The least c that is enough.
    fn needed(t: Rational, a: u64, b: u64) -> u64;
    /// The least c that is enough with *any* partner: n + 1 minus this is the length of the long prefix.
    fn needed_with_any(t: Rational, n: u64) -> u64;
    /// The least c that is enough with a partner at least as large: n + 1 minus this is the length of the short prefix.
    fn needed_with_larger(t: Rational, n: u64) -> u64;
    /// The sizes that a partner may have.
    fn partners(t: Rational, n: u64) -> (u64, u64);
    /// The greatest size of a partner that is one whatever the two share; 0 if there is none.
    fn needless(_: Rational, _: u64) -> u64 {
        0
    }
    /// The similarity, or the distance.
    fn similarity(c: u64, a: u64, b: u64) -> f64;
    /// The two sides, in whole numbers, of comparing the similarities of two pairs: (c, a, b) each.
    fn sides(one: (u64, u64, u64), two: (u64, u64, u64)) -> (u128, u128);
}
