//! The joins of Xiao, Wang, Lin and Yu, *Efficient Similarity Joins for Near Duplicate Detection* (WWW 2008), as themselves.
//!
//! All three take the records by ascending size. Each record looks for partners among those before it, in an index of their prefixes,
//! and is then indexed itself:
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
//! | PPJoin | shorter (Lemma 3): partners to come are at least as large | and the positional filter |
//! | PPJoin+ | as PPJoin | and the suffix filter |
//!
//! They differ in nothing else, so what each filter is worth can be read off [`Counts`](super::Counts). The paper's accumulator is a hash map; here it
//! is an array. Its bounds, given for Jaccard, are those of any [`Threshold`](crate::measure::Threshold), computed once for every two sizes. With two collections
//! each has an index: a record looks into that of the other and enters its own, so the one that is found is never the larger.

mod algorithm;
mod all_pairs;
mod join;
mod lists;
mod overlaps;
mod pass;
mod ppjoin;
mod probe;
mod source;
mod suffix;
mod verify;
mod visit;

pub use algorithm::PaperAlgorithm;
pub use join::join;
pub(super) use source::PaperSource;
