//! What does a join need to know of a measure?

use super::rational::Rational;

/// The bounds that a measure gives a join. `t` is the threshold, a and b are set sizes, c the number of common
/// elements.
pub(super) trait Bounds {
    /// Whether c common elements are enough.
    fn reaches(t: Rational, c: u64, a: u64, b: u64) -> bool;
    /// The least c that is enough.
    fn needed(t: Rational, a: u64, b: u64) -> u64;
    /// The least c that is enough with *any* partner: n + 1 minus this is the length of the long prefix.
    fn needed_with_any(t: Rational, n: u64) -> u64;
    /// The least c that is enough with a partner at least as large: n + 1 minus this is the length of the short prefix.
    fn needed_with_larger(t: Rational, n: u64) -> u64;
    /// The sizes that a partner may have.
    fn partners(t: Rational, n: u64) -> (u64, u64);
    /// The greatest size of a partner that needs no common element; 0 if there is none.
    fn needless(_: Rational, _: u64) -> u64 {
        0
    }
    /// The similarity, or the distance.
    fn similarity(c: u64, a: u64, b: u64) -> f64;
    /// Two whole numbers that compare like the similarities of two pairs, each given as (c, a, b).
    fn sides(one: (u64, u64, u64), two: (u64, u64, u64)) -> (u128, u128);
}
