//! The jobs, one file per command.

mod check;
mod compare;
mod dedup;
mod graph;
mod index;
mod judge;
mod load;
mod pairs;
mod sketch;
mod stream;
mod truth;

pub use check::Check;
pub use compare::{Compare, Compared, Comparison, Measured, TwoDocuments, compare_texts};
pub use dedup::{Bound, Dedup};
pub use graph::{Counted, Graph, GraphReport, Values};
pub use index::{
    ChangeReport, CheckIndex, Existing, GrowIndex, IndexReport, MergeIndex, PartReport, QueryIndex, QueryReport,
    RemoveFromIndex, ShowIndex,
};
pub use judge::Judgement;
pub use load::{Load, Loaded};
pub use pairs::{Pairs, Wanted};
pub use sketch::{Sketch, SketchReport};
pub use stream::{Only, Stream, StreamReport};
pub use truth::{
    Calibrate, CalibrateReport, Evaluate, EvaluateBy, EvaluateReport, Propose, Proposed, Search, VerifyCandidates,
    VerifyReport,
};
