//! Which documents are in the window, by id, and on disk.
//!
//! | module | question |
//! |---|---|
//! | `documents` | [`Store`]: how is a document judged, logged, read and deleted? |
//! | `catalog` | which document has which id, and where is its record? |
//! | `entry` | what does a record of the log hold? |
//! | `replay` | how does the log become a catalog again? |
//! | `snapshot` | how does the next start take less time? |
//! | `high_water_mark` | did the log lose its end? |

mod catalog;
mod documents;
mod entry;
mod error;
mod high_water_mark;
mod replay;
mod snapshot;
#[cfg(test)]
mod tests;

pub use documents::{Lost, Opened, Store};
pub use error::StoreError;

pub use crate::document::{Incoming, Stored};
