//! What a search for pairs reports.

use serde::Serialize;

use super::common::{ComparedReport, ReadReport};
use super::histogram::Bin;
use crate::sign::SignedReport;

/// What a search for pairs did, for a person's summary or a machine's.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct PairsReport {
    /// Documents of the inputs.
    pub documents: u64,
    /// Documents of the second collection.
    pub others: u64,
    /// What was read.
    #[serde(flatten)]
    pub read: ReadReport,
    /// How many different sets the documents have, empty ones apart.
    pub distinct_sets: u64,
    /// Pairs written.
    pub pairs: u64,
    /// Of these, pairs of documents with the same set.
    pub identical_pairs: u64,
    /// Pairs left out, because one of their documents has enough.
    pub left_out: u64,
    /// What was compared.
    #[serde(flatten)]
    pub compared: ComparedReport,
    /// How an exact join was done.
    pub algorithm: Option<String>,
    /// The plan, and why it was chosen.
    #[serde(skip)]
    pub plan: String,
    /// How many threads worked.
    pub threads: usize,
    /// Seconds by stage.
    pub seconds: StageSeconds,
    /// The most memory that was resident.
    pub peak_memory_bytes: u64,
    /// What the signatures did, if pairs were found by them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signatures: Option<SignedReport>,
    /// The similarities, or distances, of the pairs.
    pub histogram: Vec<Bin>,
}

/// Seconds by stage.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct StageSeconds {
    /// Files to sets.
    pub read: f64,
    /// Sets to a source of pairs.
    pub prepare: f64,
    /// The source to pairs.
    pub join: f64,
    /// Pairs to a file.
    pub write: f64,
    /// All of it.
    pub total: f64,
}
