//! What does not fit into memory.

mod sort;

pub use sort::{Entry, Sorted, Sorter};
