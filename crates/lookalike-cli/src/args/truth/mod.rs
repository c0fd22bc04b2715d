//! Which arguments do the commands that use labels or candidates take?

mod calibrate;
mod evaluate;
mod tables;
mod verify;

pub use calibrate::CalibrateArgs;
pub use evaluate::EvaluateArgs;
pub use tables::{LabelArgs, LabelMeaningArgs};
pub use verify::VerifyArgs;
