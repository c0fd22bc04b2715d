//! Compares what was found with labels.

mod found_pairs;
mod judge;
mod result;
mod split;

pub use found_pairs::{Found, FoundCluster, FoundPair};
pub use judge::evaluate;
pub use result::{Evaluation, Example, Slice};
pub use split::Values;
