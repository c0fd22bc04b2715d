//! The reports of finished jobs.

mod check;
mod common;
mod dedup;
mod pairs;
mod stats;

pub use check::{Failure, Verdict};
pub(crate) use common::{ALL_IN_MEMORY, DIGESTS_IN_MEMORY, Planned, peak_memory};
pub use common::{ComparedReport, MemoryReport, ReadReport};
pub use dedup::{DedupReport, DedupSeconds, GrownReport};
pub use pairs::{PairsReport, StageSeconds};
pub(crate) use stats::to_json;
