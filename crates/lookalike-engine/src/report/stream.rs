//! The report of `stream`.

use serde::Serialize;

use super::common::ReadReport;

/// The report of the job.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct StreamReport {
    /// Documents read.
    pub documents: u64,
    /// What was read. Documents that are empty, or have no usable text or time, count as new.
    #[serde(flatten)]
    pub read: ReadReport,
    /// Documents that resembled nothing in the window.
    pub new: u64,
    /// Documents whose set was in the window already.
    pub exact: u64,
    /// Documents that resembled one in the window.
    pub near: u64,
    /// Documents that were older than the window.
    pub old: u64,
    /// The measure.
    pub measure: &'static str,
    /// The least similarity of a duplicate.
    pub threshold: f64,
    /// What the elements of a set are.
    pub tokens: String,
    /// The length of the window.
    pub window_seconds: f64,
    /// The length of a segment.
    pub segment_seconds: f64,
    /// The kind of index.
    pub index: &'static str,
    /// Documents in the window at the end.
    pub in_window: u64,
    /// Seconds that it took.
    pub seconds: f64,
    /// Documents per second.
    pub documents_per_second: f64,
    /// The peak resident memory.
    pub peak_memory_bytes: u64,
}
