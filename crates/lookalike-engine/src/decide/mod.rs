//! Decides from pairs which documents are kept, and which form a cluster.

mod clusters;
mod decision;

pub(crate) use clusters::Clusters;
pub(crate) use decision::Decision;
pub use decision::Rule;
