//! Numbers that say how good a result is, and how certain they are.

mod bootstrap;
mod clusters;
mod curve;
mod interval;

pub use bootstrap::{Cell, resample};
pub use clusters::{ClusterScores, compare_clusterings};
pub use curve::{Level, Ranked, average_precision, by_level};
pub use interval::{Interval, f1_of, wilson};
