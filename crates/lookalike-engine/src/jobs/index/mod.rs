//! The jobs of `index`, and the part of `dedup` that adds documents to one.

mod change;
mod grow;
mod query;
mod show;

pub use change::{ChangeReport, MergeIndex, RemoveFromIndex};
pub(crate) use grow::{Batch, Growing};
pub use grow::{Existing, GrowIndex};
pub use query::{QueryIndex, QueryReport};
pub use show::{CheckIndex, IndexReport, PartReport, ShowIndex};
