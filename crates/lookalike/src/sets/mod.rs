//! From tokens to sets: shingles, their hashes, and the store of every document's set.

mod arranged;
mod batched;
mod counters;
mod element;
mod error;
mod groups;
mod hash;
mod order;
mod shared;
#[cfg(feature = "text")]
mod shingle;
mod sort;
mod store;

pub(crate) use arranged::{ArrangedSets, Span};
pub(crate) use batched::{BATCH, Batched};
pub(crate) use counters::{CounterBudget, Counters, sieve};
pub use element::Element;
pub(crate) use element::is_set;
pub use error::SetsError;
pub use groups::Groups;
#[cfg(test)]
pub(crate) use hash::hash_occurrence;
pub(crate) use hash::{hash_numbers, hash_shingles, mix, number_occurrences};
pub use hash::{hash_set, hash_shingle, hash_token};
pub(crate) use order::Arranged;
pub use shared::{DigestSieve, Frequencies, Sieve};
#[cfg(feature = "text")]
pub use shingle::{Explanation, Recipe, SetMaker};
pub(crate) use sort::{Sorter, sort_by_digits};
pub use store::{SetArena, SetBatch, SetBlock, SetStore};
