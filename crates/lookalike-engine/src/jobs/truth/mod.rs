//! The jobs about what is true: `evaluate`, `verify` and `calibrate`.

mod calibrate;
mod evaluate;
mod propose;
mod thresholds;
mod trials;
mod verify;
mod verify_clusters;

pub use calibrate::Calibrate;
pub use evaluate::{Evaluate, EvaluateBy};
pub use propose::{Propose, Proposed};
pub use trials::Search;
pub use verify::VerifyCandidates;
