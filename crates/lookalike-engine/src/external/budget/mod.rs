//! What fits in the memory that a run may use, and what will it need?

mod estimate;
mod plan;
mod shares;

pub use plan::{MemoryPart, RunPlan};
pub(super) use shares::{Budget, Shares};
