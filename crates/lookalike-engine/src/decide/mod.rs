//! Pairs to a decision: which documents stay, and which belong together.

mod clusters;
mod decision;

pub(crate) use clusters::Clusters;
pub(crate) use decision::Decision;
pub use decision::Rule;
