//! Every pair of sets at or above a threshold, or of texts within an edit distance ([`edit`]), exactly.
//!
//! A [`Join`] holds the settings and prepares a collection: it groups equal sets and chooses an [`Algorithm`] that
//! suits the data. The result is a [`Joinable`], which is a [`PairSource`]. All algorithms find the same pairs:
//!
//! * `sparse/`: for sets whose elements are mostly unique, like the word shingles of documents;
//! * `dense/`: for sets of few distinct elements, coded as [`Records`], like words, q-grams or baskets;
//! * [`paper`]: All-Pairs, PPJoin and PPJoin+ as published, over [`Records`];
//! * `sources/brute`: compares every set with every other; the oracle of the tests.
//!
//! Under a distance, two small sets can be a pair although they share nothing. `records/disjoint` finds those pairs for
//! all algorithms.
//!
//! [`edit`] compares texts instead of sets.

mod counts;
mod dense;
pub(crate) mod edit;
mod error;
mod expand_groups;
mod forecast;
mod frame;
mod keep_order;
mod pair;
pub(crate) mod paper;
mod plan;
mod prepare;
mod records;
mod references;
mod sort;
mod source;
mod sources;
mod sparse;

pub(crate) use crate::candidates::Side;
pub use counts::Counts;
pub use edit::{EditJoin, EditSource, Texts};
pub use error::JoinError;
pub use forecast::Sifted;
pub use keep_order::{Compared, KeepOrder, Twin};
pub use pair::{Emit, Pair};
pub use paper::PaperAlgorithm;
pub use plan::{Algorithm, Plan};
#[cfg(test)]
pub(crate) use prepare::every_way;
pub use prepare::{Counted, Join, Joinable};
pub use records::Records;
pub(crate) use sort::sort_in;
pub(crate) use source::Indexed;
pub use source::PairSource;
pub use sources::brute_pairs;
pub(crate) use sparse::{Index, Match, Prober, Scratches};
