//! Whole jobs, from files to files.
//!
//! A [`Collector`] says how the inputs are read into sets; [`Dedup`] reads them, decides who stays and writes it down; [`Check`] takes what a run wrote and tries to refute it. What happens meanwhile is told to a [`Watch`].

mod error;
mod watch;

mod collect;
mod documents;
mod keep;

mod clusters;
mod pairs;

mod outputs;
mod rows;
mod write;

mod check;
mod dedup;
mod report;

pub use check::{Check, Failure, Verdict};
pub use collect::{Collector, Problem, Tally};
pub use dedup::Dedup;
pub use error::Error;
pub use keep::Keep;
pub use outputs::{KeptTarget, Outputs};
pub use report::{Bin, Report, Seconds};
pub use watch::{Silent, Unit, Watch};
