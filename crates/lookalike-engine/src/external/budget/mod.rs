//! What fits in the memory that a run may use, and what will it need?

mod available;
mod estimate;
mod indexed;
mod plan;
mod shares;
mod streamed;
mod traces;

pub use available::usual_memory;
pub(super) use estimate::Estimate;
pub(crate) use indexed::{IndexBudget, index_room};
pub(crate) use plan::{Besides, SIGNATURES_ON_DISK, TEXTS_ON_DISK};
pub use plan::{MemoryPart, RunPlan};
pub(super) use shares::{Budget, Shares};
pub(crate) use streamed::Streamed;
pub(super) use traces::TraceShare;
