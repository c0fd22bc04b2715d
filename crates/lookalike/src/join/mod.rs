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

mod brute;
mod counts;
mod dense;
pub mod edit;
mod error;
mod expand;
mod frame;
mod joinable;
mod keep_order;
mod pair;
pub mod paper;
mod plan;
mod prepare;
mod records;
mod references;
mod search;
mod source;
mod sparse;

pub use crate::candidates::Side;
pub use brute::brute_pairs;
pub use counts::Counts;
pub use edit::{EditJoin, EditSource, Texts};
pub use error::JoinError;
pub use joinable::Joinable;
pub use keep_order::{Compared, KeepOrder, Twin};
pub use pair::{Emit, Pair};
pub use paper::PaperAlgorithm;
#[cfg(test)]
pub(crate) use plan::every_way;
pub use plan::{Algorithm, Counted, Plan};
pub use prepare::Join;
pub use records::Records;
pub use source::{Indexed, PairSource};
pub(crate) use sparse::{Index, Match, Prober, Scratches};
