//! Reads tables that people or other tools wrote: pairs, clusters, labels.

mod found;
mod labels;
mod rows;
mod shape;
mod visit;

pub use found::FoundOptions;
pub(crate) use found::read_found;
pub use labels::LabelOptions;
pub(crate) use labels::read_labels;
pub(crate) use rows::{TableRead, split_written};
pub use shape::TableInput;
pub(crate) use visit::{Visited, visit};
