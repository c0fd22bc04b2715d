//! Compares more sets than fit in memory, with the same result.
//!
//! 1. `counting.rs`: while the inputs are read for the first time, a sieve counts the elements of all sets. No set is stored.
//! 2. `select.rs`: the inputs are read again. Only sets that may have a partner are stored, in a temporary file.
//! 3. `divide.rs`: two documents that are a pair share a rare element. So documents that share none, not even through others, can be
//!    compared separately: the sets are divided into parts that fit in memory.
//! 4. `part.rs`: each part is compared in memory. `tiles.rs` compares a part that is still too large.
//!
//! `budget.rs` decides what fits, from a sample of the inputs (`estimate.rs`).

mod budget;
mod counting;
mod divide;
mod estimate;
mod part;
mod plan;
mod postings;
mod run;
mod saved;
mod select;
mod set_file;
mod source;
#[cfg(test)]
mod tests;
mod tiles;
mod whole;

pub use plan::{MemoryPart, RunPlan};
pub(crate) use run::Run;
pub use run::{RunOptions, RunState};
pub(crate) use source::{External, PartsSource, in_memory};
pub(crate) use whole::{Whole, groups_equal_sets};
