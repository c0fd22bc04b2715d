//! Which arguments do several commands share?

mod matching;
mod measure;
mod memory;
mod method;
mod print;
mod read;
mod remembered;
mod report;
mod rows;
mod size;
mod typed;
mod window;
mod without;

pub use matching::MatchArgs;
pub use measure::MeasureArg;
pub use memory::{BudgetArgs, MemoryArgs};
pub use method::{MethodArg, MethodArgs};
pub use print::{FoundArgs, PrintArgs};
pub use read::ReadArgs;
pub use remembered::RememberedArgs;
pub use report::ReportArgs;
pub use rows::{READING, RowArgs};
pub use size::parse_size;
pub use typed::Typed;
pub use window::WindowArgs;
pub use without::WithoutArgs;
