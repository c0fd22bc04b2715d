//! What a run that removes near-duplicates reports.

use serde::Serialize;

use super::common::{ComparedReport, ReadReport};
use super::histogram::Bin;
use crate::sign::SignedReport;

/// What a run did, for a person's summary or a machine's.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct DedupReport {
    /// Documents of the inputs.
    pub documents: u64,
    /// Documents of the reference collection.
    pub references: u64,
    /// What was read.
    #[serde(flatten)]
    pub read: ReadReport,
    /// Removed documents whose set an earlier document had.
    pub identical: u64,
    /// Other removed documents.
    pub near: u64,
    /// Documents that are kept.
    pub kept: u64,
    /// Groups of a kept document and those removed because they resemble it.
    pub clusters: u64,
    /// Pairs, if they were asked for.
    pub pairs: Option<u64>,
    /// What was compared.
    #[serde(flatten)]
    pub compared: ComparedReport,
    /// Which documents stay: `survivors` or `components`.
    pub rule: &'static str,
    /// Which of several similar documents is kept.
    pub keep: String,
    /// How many threads worked.
    pub threads: usize,
    /// Seconds by stage.
    pub seconds: DedupSeconds,
    /// Megabytes of text a second.
    pub megabytes_per_second: f64,
    /// The most memory that was resident.
    pub peak_memory_bytes: u64,
    /// What signatures did, if pairs were found by them.
    pub signatures: Option<SignedReport>,
    /// The similarities found: of the pairs if they were asked for, else of removed documents to their twins.
    pub histogram: Vec<Bin>,
}

/// Seconds by stage.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct DedupSeconds {
    /// Files to sets.
    pub read: f64,
    /// Sets to a decision.
    pub compare: f64,
    /// The decision to files.
    pub write: f64,
    /// All of it.
    pub total: f64,
}
