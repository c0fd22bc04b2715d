//! How similar two sets are, and which bounds a threshold implies, in integers.
//!
//! Let two sets have a and b elements, c of them common, and let the threshold be t = p/q. The sets are a pair if they
//! *reach* the threshold, equality included; under a distance, if they do not exceed it. Every bound is derived from
//! that inequality and computed without rounding. See `docs/theory/joins.md` for the derivations.

mod bounds;
mod containment;
mod cosine;
mod descending;
mod dice;
mod hamming;
mod histogram;
mod jaccard;
mod kind;
mod max;
mod overlap;
mod rational;
mod threshold;

pub use descending::descending;
pub use histogram::{Bin, Histogram};
pub use kind::Measure;
pub use rational::{Rational, RationalError};
pub use threshold::{Threshold, ThresholdError};
