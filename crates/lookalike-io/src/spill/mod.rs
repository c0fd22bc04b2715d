//! Where data goes that does not fit in memory.

mod sort;
mod space;
mod spool;

pub use sort::{Entry, Sorted, Sorter};
pub use space::Space;
pub use spool::{Blocks as SpoolBlocks, Spool, Spooled};
