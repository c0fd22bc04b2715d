//! The jobs, one file per command.

mod boilerplate;
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

pub use boilerplate::LearnBoilerplate;
pub use check::Check;
pub use compare::{Compare, Compared, Comparison, Measured, TwoDocuments, compare_texts};
pub use dedup::{Bound, Dedup};
pub use graph::Graph;
pub use index::{CheckIndex, Existing, GrowIndex, MergeIndex, QueryIndex, RemoveFromIndex, ShowIndex};
pub use judge::Judgement;
pub use load::{Load, Loaded};
pub use pairs::{Pairs, Wanted};
pub use sketch::Sketch;
pub use stream::{Only, Stream};
pub use truth::{Calibrate, Evaluate, EvaluateBy, Propose, Proposed, Search, VerifyCandidates};
