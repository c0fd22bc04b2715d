//! The jobs of `index`, and the part of `dedup` that adds documents to one.

mod change;
mod grow;
mod query;
mod show;

pub use change::{MergeIndex, RemoveFromIndex};
pub(crate) use grow::{Batch, Growing};
pub use grow::{Existing, GrowIndex};
pub use query::QueryIndex;
pub use show::{CheckIndex, ShowIndex};
