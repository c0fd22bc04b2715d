//! The report of `dedup`.

use lookalike::Bin;
use lookalike::engine::Fate;
use serde::Serialize;

use super::common::{ComparedReport, MemoryReport, ReadReport};
use super::index::GrownReport;
use super::signed::SignedReport;

/// The report of a run, for the summary and for `--json`.
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
    /// Removed documents whose set equals that of an earlier document.
    pub identical: u64,
    /// Other removed documents.
    pub near: u64,
    /// Kept documents.
    pub kept: u64,
    /// Groups of a kept document and the documents removed because they resemble it.
    pub clusters: u64,
    /// Pairs, if they were requested.
    pub pairs: Option<u64>,
    /// What was compared.
    #[serde(flatten)]
    pub compared: ComparedReport,
    /// Which documents are kept: `survivors` or `components`.
    pub rule: &'static str,
    /// Which of several similar documents is kept.
    pub keep: String,
    /// The number of threads.
    pub threads: usize,
    /// Seconds by stage.
    pub seconds: DedupSeconds,
    /// Megabytes of text per second.
    pub megabytes_per_second: f64,
    /// The peak resident memory.
    pub peak_memory_bytes: u64,
    /// How memory was used.
    pub memory: MemoryReport,
    /// The report of the signatures, if they found the pairs.
    pub signatures: Option<SignedReport>,
    /// The index that the survivors were added to, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<GrownReport>,
    /// The similarities: of the pairs if they were requested, otherwise of removed documents to their twins.
    pub histogram: Vec<Bin>,
    /// What was decided on each document: those of the inputs, then those of the reference collection.
    #[serde(skip)]
    pub fates: Vec<Fate>,
}

/// Seconds by stage.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct DedupSeconds {
    /// Reading files into sets.
    pub read: f64,
    /// Deciding which documents are kept.
    pub compare: f64,
    /// Writing files.
    pub write: f64,
    /// The whole run.
    pub total: f64,
}
