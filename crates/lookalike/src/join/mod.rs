//! Every pair of sets at or above a threshold, or of texts within an edit distance ([`edit`]), exactly.
//!
//! A [`Join`] says what is wanted, and makes a collection ready: equal sets are grouped, and an [`Algorithm`] is chosen from the data. The
//! result is a [`Joinable`], a [`PairSource`] like all others. All algorithms find the same pairs:
//!
//! * `sparse/`: for sets whose elements mostly occur nowhere else, like the word shingles of documents;
//! * `dense/`: for sets of few different elements, coded as [`Records`], like words, q-grams or baskets;
//! * [`paper`]: All-Pairs, PPJoin and PPJoin+ as themselves, over [`Records`];
//! * `brute`: every set with every other, the oracle.
//!
//! Under a distance, two small sets may be a pair although they share nothing: `disjoint` finds those, for all of them.
//!
//! [`edit`] compares texts instead of sets.

mod algorithm;
mod brute;
mod choose;
mod coding;
mod counts;
mod dense;
mod disjoint;
pub mod edit;
mod error;
mod estimate;
mod expand;
mod forecast;
mod frame;
mod joinable;
mod pair;
pub mod paper;
mod plan;
mod prepare;
mod record_sides;
mod records;
mod references;
mod sizes;
mod source;
mod sparse;

pub use crate::candidates::Side;
pub use algorithm::Algorithm;
pub use brute::brute_pairs;
#[cfg(test)]
pub(crate) use choose::every_way;
pub use counts::Counts;
pub use edit::{EditJoin, EditSource, Texts};
pub use error::JoinError;
pub use estimate::Counted;
pub use joinable::Joinable;
pub use pair::Pair;
pub use paper::PaperAlgorithm;
pub use plan::Plan;
pub use prepare::Join;
pub use records::Records;
pub use source::{Compared, Emit, Indexed, KeepOrder, PairSource, Twin};
pub(crate) use sparse::{Index, Match, Prober, Scratches};
