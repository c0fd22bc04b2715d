//! Decides from pairs which documents are kept, and which form a cluster.

mod decision;

pub(crate) use decision::Decision;
pub use decision::Rule;
