//! How the documents of a window are found: two indexes, with the same results.

mod band;
#[cfg(feature = "bitmaps")]
mod bitmaps;
mod codes;
mod dictionary;
mod generation;
mod kind;
mod lists;
mod prefix;

pub(super) use kind::Index;
pub use kind::WindowIndex;
