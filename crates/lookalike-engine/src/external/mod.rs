//! Compares more sets than fit in memory, with the same result.
//!
//! 1. `counting.rs`: while the inputs are read for the first time, a sieve counts the elements of all sets. No set is stored.
//! 2. `select.rs`: the inputs are read again. Only sets that may have a partner are stored, in a temporary file.
//! 3. `parts/divide.rs`: two documents that are a pair share a rare element. So documents that share none, not even through others, can be
//!    compared separately: the sets are divided into parts that fit in memory.
//! 4. `parts/part.rs`: each part is compared in memory. `parts/tiles.rs` compares a part that is still too large, tile by tile.
//!
//! `budget/` decides what fits, from a sample of the inputs. `resume/` keeps what is done, so that a run can continue after a crash.
//! `reading.rs` takes a `ReadRequest` and chooses the plan, and `watch.rs` says when it must choose another: the inputs may hold more than the sample tells.
//! `reader.rs` takes these steps, and `source.rs` is the source of pairs that comes of them. `set_lookup.rs` finds single sets for `check`.
//! `digested.rs` is for inputs that fit: it decides by 32 bits of each element in memory, and reads single rows again.

mod budget;
mod counting;
mod digested;
mod parts;
mod postings;
mod reader;
mod reading;
mod request;
mod resume;
mod select;
mod set_lookup;
mod source;
#[cfg(test)]
mod tests;
mod watch;
mod whole;

pub(crate) use budget::{Besides, IndexBudget, SIGNATURES_ON_DISK, Streamed, TEXTS_ON_DISK, index_room};
pub use budget::{MemoryPart, RunPlan, usual_memory};
pub(crate) use digested::Digested;
pub(crate) use reader::{Divider, External};
pub(crate) use reading::WasRead;
pub(crate) use request::ReadRequest;
pub(crate) use resume::Run;
pub use resume::{RunOptions, RunState};
pub(crate) use set_lookup::SetLookup;
pub(crate) use source::{PartsSource, in_memory};
pub(crate) use whole::{Whole, few_partners};
