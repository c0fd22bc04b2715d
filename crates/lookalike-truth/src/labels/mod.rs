//! Labels that people gave to pairs: which are the same, which are different, and which labels contradict each other.

mod answer;
mod conflicts;
mod truth;

pub use answer::{Answer, Classes};
pub use conflicts::Conflict;
pub use truth::{Kind, Labels, LabelsBuilder};
