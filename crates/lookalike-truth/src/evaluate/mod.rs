//! Compares what was found with labels.

mod found;
mod judge;
mod result;
mod split;

pub use found::{Found, FoundPair};
pub use judge::evaluate;
pub use result::{Evaluation, Example, Slice};
pub use split::Values;
