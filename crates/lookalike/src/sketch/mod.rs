//! Sets to sketches: a few hundred bytes, or a few dozen, that tell how similar two sets are without the sets.
//!
//! | sketch | of what | tells |
//! |---|---|---|
//! | [`MinHash`] | the least values of t functions | resemblance and containment, place by place |
//! | [`BottomHash`] | the t least values of one function | the same, of any two sets, and all of a small one |
//! | [`Features`] | groups of a min-wise sketch, hashed | whether the resemblance is high, by a [`Filter`] |
//! | [`SimHash`] | all elements with their frequencies | the angle between two texts, in bits that agree |
//!
//! [`Filter`] is the theory of features: what is found and what is missed; [`Plan`] chooses one for a threshold, a recall and a number of
//! bytes.
//!
//! Everything here is the same on every machine and in every version: sketches may be kept and compared later.

mod bottom;
mod estimate;
mod features;
mod filter;
mod minhash;
mod plan;
mod prior;
mod simhash;
mod splitmix;

pub use bottom::BottomHash;
pub use estimate::Estimate;
pub use features::{Features, feature, shared_features, super_features};
pub use filter::{Filter, FilterError};
pub use minhash::{EMPTY, MinHash};
pub use plan::{Plan, PlanError, Wish};
pub use prior::Prior;
pub use simhash::{SimHash, SimHashError, agreeing_bits};
