//! Every pair of sets at or above a threshold, or of texts within an edit distance ([`edit`]), exactly.
//!
//! A [`Join`] says what is wanted, and makes a collection ready: equal sets are grouped, and a [`Method`] is chosen from the data. All
//! find the same pairs:
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
mod choose;
mod coding;
mod collection;
mod dense;
mod disjoint;
pub mod edit;
mod error;
mod estimate;
mod forecast;
mod front;
mod method;
mod pair;
pub mod paper;
mod plan;
mod records;
mod references;
mod sides;
mod sizes;
mod sparse;

pub use crate::candidates::Side;
pub use brute::brute_pairs;
#[cfg(test)]
pub(crate) use choose::every_way;
pub use collection::{Collection, NamedPair};
pub(crate) use dense::Dense;
pub use edit::{EditJoin, EditPair, Texts};
pub use error::JoinError;
pub use estimate::Counted;
pub(crate) use front::Engine;
pub use front::{Join, Joinable};
pub use method::Method;
pub use pair::Pair;
pub use plan::Plan;
pub use records::Records;
#[cfg(test)]
pub(crate) use sparse::Sifted;
pub(crate) use sparse::{Index, Match, Prober, Scratches, Work};
