//! Where data goes that does not fit in memory.

mod sort;

pub use sort::{Entry, Sorted, Sorter};
