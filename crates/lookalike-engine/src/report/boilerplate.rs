//! The report of `boilerplate`.

use serde::Serialize;

use super::common::{EffortReport, ReadReport};

/// The report of `boilerplate`.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct BoilerplateReport {
    /// Documents of the inputs.
    pub documents: u64,
    /// Sites. Documents without a site count as one.
    pub sites: u64,
    /// Sites with a passage in the table.
    pub sites_with_passages: u64,
    /// Passages in the table.
    pub passages: u64,
    /// Bytes of these passages, as often as they are in the documents.
    pub passage_bytes: u64,
    /// What was read.
    #[serde(flatten)]
    pub read: ReadReport,
    /// The threads, time and memory that it used.
    #[serde(flatten)]
    pub effort: EffortReport,
}
