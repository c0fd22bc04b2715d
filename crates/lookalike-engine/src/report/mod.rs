//! The reports of finished jobs.

mod boilerplate;
mod check;
mod common;
mod dedup;
mod graph;
mod index;
mod pairs;
mod signed;
mod sketch;
mod stats;
mod stream;
mod truth;

pub use boilerplate::BoilerplateReport;
pub use check::{Failure, Verdict};
pub(crate) use common::{ALL_IN_MEMORY, DIGESTS_IN_MEMORY, Planned, peak_memory};
pub use common::{BadRowsReport, ComparedReport, EffortReport, MemoryReport, ReadReport};
pub use dedup::{DedupReport, DedupSeconds};
pub use graph::{Counted, GraphReport, Values};
pub use index::{ChangeReport, GrownReport, IndexReport, PartReport, QueryReport};
pub use pairs::{PairsReport, StageSeconds};
pub use signed::{Recall, SignedReport};
pub use sketch::SketchReport;
pub(crate) use stats::to_json;
pub use stream::StreamReport;
pub use truth::{CalibrateReport, EvaluateReport, VerifyReport};
