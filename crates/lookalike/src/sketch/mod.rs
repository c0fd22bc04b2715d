//! Sketches of sets: a few dozen to a few hundred bytes that show how similar two sets are.
//!
//! | sketch | contains | estimates |
//! |---|---|---|
//! | [`MinHash`] | the smallest value of each of t functions | resemblance and containment, place by place |
//! | [`BottomHash`] | the t smallest values of one function | the same, for sets of any sizes; exact for small sets |
//! | [`Features`] | hashed groups of a min-wise sketch | whether the resemblance is high, by a [`Filter`] |
//! | [`Lexicon`] | one hash of a document's terms, by I-Match | whether the telling terms are the same |
//! | [`SimHash`] | one bit per coordinate of the sum of all elements | the angle between two texts |
//!
//! A [`Filter`] computes what features find and what they miss. [`Plan`] chooses a filter for a threshold, a recall and
//! a number of bytes.
//!
//! Sketches are the same on every machine and in every version, so you can store them and compare them later.

mod bottom;
mod estimate;
mod features;
mod filter;
mod i_match;
mod minhash;
mod plan;
mod prior;
mod simhash;
mod splitmix;

pub use bottom::BottomHash;
pub use estimate::Estimate;
pub use features::{Features, feature, shared_features, super_features};
pub use filter::{Filter, FilterError};
pub use i_match::{IMatch, IdfError, IdfRange, Lexicon};
pub use minhash::{EMPTY, MinHash};
pub use plan::{FilterNeeds, Plan, PlanError};
pub use prior::Prior;
pub use simhash::{SimHash, SimHashError, agreeing_bits};
