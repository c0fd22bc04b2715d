//! How similar two sets are, and what a threshold on that implies, in integers.
//!
//! For sets of a and b elements, c of them common, and a threshold t = p/q, a pair is one that *reaches* the threshold, equality
//! included; under a distance, one that does not exceed it. Every bound below is derived from that inequality and computed without
//! rounding; `docs/theory/joins.md` has the derivations.

mod bounds;
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
