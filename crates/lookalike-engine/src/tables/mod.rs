//! Reads tables that people or other tools wrote: pairs, clusters, labels.

mod found_pairs;
mod labels;
mod rows;
mod shape;
mod visit;

pub use found_pairs::FoundOptions;
pub(crate) use found_pairs::read_found;
pub use labels::LabelOptions;
pub(crate) use labels::read_labels;
pub(crate) use rows::{TableRead, split_written};
pub use shape::TableInput;
pub(crate) use visit::{Visited, visit};
