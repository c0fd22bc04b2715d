//! Which arguments do the commands about what is true take?

mod calibrate;
mod evaluate;
mod tables;
mod verify;

pub use calibrate::CalibrateArgs;
pub use evaluate::EvaluateArgs;
pub use tables::{LabelArgs, LabelMeaningArgs};
pub use verify::VerifyArgs;
