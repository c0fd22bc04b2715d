//! The joins of Xiao, Wang, Lin and Yu, *Efficient Similarity Joins for Near Duplicate Detection* (WWW 2008), as
//! published.
//!
//! All three process records by ascending size. Each record searches an index of the prefixes of earlier records, and
//! is then indexed itself:
//!
//! ```text
//! for each record x:
//!     A ← 0 for every record                               overlaps
//!     for i = 1 to the length of x's probing prefix:
//!         for each (y, j) in the list of x[i], |y| not too small:
//!             accumulate: All-Pairs, PPJoin or PPJoin+     all_pairs, ppjoin, suffix
//!     for each y with A[y] > 0: verify                     verify
//!     index x's prefix                                     lists
//! ```
//!
//! | | indexed prefix | a candidate is dropped by |
//! |---|---|---|
//! | All-Pairs | as long as the probing one | its size |
//! | PPJoin | shorter (Lemma 3), because later partners are at least as large | also the positional filter |
//! | PPJoin+ | as PPJoin | also the suffix filter |
//!
//! They differ in nothing else, so [`Counts`](super::Counts) shows the effect of each filter. The paper accumulates
//! overlaps in a hash map; here it is an array. Its bounds for Jaccard become those of any
//! [`Threshold`](crate::measure::Threshold), or of an edit distance (`bounds`), computed once for every two sizes. With two collections, each has its own
//! index: a record searches that of the other and is entered in its own, so a found record is never the larger.
//!
//! `spotsigs` is the matching of another paper, as published too: partitions by size instead of prefixes.

mod algorithm;
mod all_pairs;
mod bounds;
mod join;
mod lists;
mod overlaps;
mod pass;
mod ppjoin;
mod probe;
mod spotsigs;
mod suffix;
mod verify;
mod visit;

pub use algorithm::PaperAlgorithm;
pub(super) use bounds::{Bounds, GramBounds};
pub use join::join;
pub(super) use join::join_by;
