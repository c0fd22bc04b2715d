//! Tokens to sets: shingles, their hashes, and the store that holds every document's set.

mod counters;
mod error;
mod groups;
mod hash;
mod order;
mod shingle;
mod slab;
mod sort;
mod store;

pub(crate) use counters::{Counters, sieve};
pub use error::SetsError;
pub use groups::Groups;
pub(crate) use hash::{hash_numbers, mix};
pub use hash::{hash_occurrence, hash_set, hash_shingle, hash_shingles, hash_token};
pub(crate) use order::{Arranged, Arranger};
pub(crate) use shingle::number_occurrences;
pub use shingle::{Recipe, Seen, SetMaker};
pub(crate) use sort::{Sorter, sort_by_digits};
pub(crate) use store::is_set;
pub use store::{SetArena, SetBatch, SetBlock, SetStore};
