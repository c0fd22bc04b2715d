//! Where data goes that does not fit in memory.

mod run_folder;
mod sort;
mod space;
mod spool;
mod texts;

pub use run_folder::RunFolder;
pub use sort::{Entry, Sorted, Sorter};
pub use space::Space;
pub use spool::{Blocks as SpoolBlocks, Spool, SpoolStream, Spooled};
pub use texts::SpilledText;
