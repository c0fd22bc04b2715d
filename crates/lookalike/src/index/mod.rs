//! A collection that grows: which of its documents does a new one resemble?
//!
//! The index is made of parts. A part is written once, holds whole sets, and posts of each set of n elements the n − k + 1 that are rarest
//! in the part, where k is how many elements the set shares with any partner at least. Whichever k elements a partner shares, one of them
//! is posted. So a new document finds all its partners if it looks up *all* of its elements. Parts need no common order of elements,
//! and can be merged freely.
//!
//! Everything here works on bytes, in memory or in a mapped file. No file is opened here.

mod ask;
mod build;
mod elements;
mod error;
mod filter;
mod find;
mod grow;
mod layout;
mod limits;
mod memory;
mod merge;
mod part;
mod parts;
mod sealed;

pub use build::{NewDocument, NewPart, Remembered};
pub use elements::Elements;
pub use error::PartError;
pub use find::{FindScratch, Found};
pub use grow::{Growth, IndexReference, find_references, share_fates};
pub use limits::IndexLimits;
pub use memory::{MemoryIndex, Settled};
pub use merge::{due_for_merging, merge, merge_needs};
pub use part::Part;
pub use parts::{Parts, Place};
pub use sealed::{PartBytes, seal};
