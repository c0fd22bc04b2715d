//! The report of `pairs`.

use lookalike::Bin;
use serde::Serialize;

use super::common::{ComparedReport, MemoryReport, ReadReport};
use super::signed::SignedReport;

/// The report of a search for pairs, for the summary and for `--json`.
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
    /// The number of different sets, without the empty one.
    pub distinct_sets: u64,
    /// Pairs written.
    pub pairs: u64,
    /// Of these, pairs of documents with the same set.
    pub identical_pairs: u64,
    /// Pairs left out because one of their documents had reached the limit.
    pub left_out: u64,
    /// What was compared.
    #[serde(flatten)]
    pub compared: ComparedReport,
    /// The algorithm of an exact join.
    pub algorithm: Option<String>,
    /// The plan, and why it was chosen.
    #[serde(skip)]
    pub plan: String,
    /// The number of threads.
    pub threads: usize,
    /// Seconds by stage.
    pub seconds: StageSeconds,
    /// The peak resident memory.
    pub peak_memory_bytes: u64,
    /// How memory was used.
    pub memory: MemoryReport,
    /// The report of the signatures, if they found the pairs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signatures: Option<SignedReport>,
    /// The similarities or distances of the pairs.
    pub histogram: Vec<Bin>,
}

/// Seconds by stage.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct StageSeconds {
    /// Reading files into sets.
    pub read: f64,
    /// Preparing the join.
    pub prepare: f64,
    /// Joining.
    pub join: f64,
    /// Writing pairs.
    pub write: f64,
    /// The whole run.
    pub total: f64,
}
