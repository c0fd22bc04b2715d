//! How the documents of a window are found again: one of two indexes, which give the same answers.

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
pub use kind::IndexKind;
