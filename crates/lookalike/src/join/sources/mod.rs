//! The joins of sets as sources of pairs.

mod brute;
mod dense;
mod paper;
mod sparse;

pub(in crate::join) use brute::Brute;
pub use brute::brute_pairs;
pub(in crate::join) use dense::DenseSource;
pub(in crate::join) use paper::PaperSource;
pub(in crate::join) use sparse::SparseSource;
