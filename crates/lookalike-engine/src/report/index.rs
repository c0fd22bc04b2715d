//! The reports of jobs on an index.

use lookalike_io::index::Settings;
use serde::Serialize;

use super::common::{EffortReport, ReadReport};

/// An index after a run.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct GrownReport {
    /// Its folder.
    pub folder: String,
    /// Its documents.
    pub documents: u64,
    /// Documents that this run added.
    pub added: u64,
    /// Whether the batch was already in, and was answered again.
    pub was_in: bool,
    /// Its parts.
    pub parts: u64,
    /// Bytes of its parts.
    pub bytes: u64,
}

/// What is in an index.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct IndexReport {
    /// Documents.
    pub documents: u64,
    /// Removed documents, which the next merge deletes.
    pub removed: u64,
    /// Elements of all sets.
    pub elements: u64,
    /// Removed near-duplicates that are remembered, so that copies of them get the same twin.
    pub remembered: u64,
    /// Batches that were added.
    pub batches: u64,
    /// Bytes of all parts.
    pub bytes: u64,
    /// The parts, the oldest first.
    pub parts: Vec<PartReport>,
    /// What the index compares, and how.
    pub settings: Settings,
}

/// A part of an index.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct PartReport {
    /// Its file.
    pub file: String,
    /// The size of the file.
    pub bytes: u64,
    /// Its documents, including removed ones.
    pub documents: u64,
}

/// The report of `index query`.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct QueryReport {
    /// Documents of the index.
    pub indexed: u64,
    /// Documents of the inputs.
    pub documents: u64,
    /// Documents of the inputs that resemble one of the index.
    pub matched: u64,
    /// Matches.
    pub matches: u64,
    /// What was read.
    #[serde(flatten)]
    pub read: ReadReport,
    /// The measure.
    pub measure: String,
    /// The minimum similarity.
    pub threshold: f64,
    /// What the elements of a set are.
    pub tokens: String,
    /// The threads, time and memory that it used.
    #[serde(flatten)]
    pub effort: EffortReport,
}

/// The report of a change.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ChangeReport {
    /// Removed documents.
    pub removed: u64,
    /// Ids that no document has.
    pub unknown: Vec<String>,
    /// Documents that are in the index now.
    pub documents: u64,
    /// Parts that the index had before.
    pub parts_before: u64,
    /// Parts that it has now.
    pub parts: u64,
    /// The peak resident memory.
    pub peak_memory_bytes: u64,
}
