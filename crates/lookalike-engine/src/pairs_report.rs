use serde::Serialize;

use crate::histogram::Bin;
use crate::signed::SignedReport;

/// What a search for pairs did, for a person's summary or a machine's.
#[derive(Clone, Debug, Serialize)]
pub struct PairsReport {
    /// Documents of the inputs.
    pub documents: u64,
    /// Documents of the second collection.
    pub others: u64,
    /// Bytes of all files read, as they lie on disk.
    pub input_bytes: u64,
    /// Bytes of all texts.
    pub text_bytes: u64,
    /// How many different sets the documents have, empty ones apart.
    pub distinct_sets: u64,
    /// Pairs written.
    pub pairs: u64,
    /// Of these, pairs of documents with the same set.
    pub identical_pairs: u64,
    /// Pairs left out, because one of their documents has enough.
    pub left_out: u64,
    /// Documents without a token.
    pub empty: u64,
    /// Documents without a usable text, compared with nothing.
    pub unusable: u64,
    /// Rows that are no documents.
    pub unreadable: u64,
    /// The first few of both.
    pub problems: Vec<String>,
    /// What was measured.
    pub measure: String,
    /// From where on, or up to where; nothing if the most similar were wanted.
    pub threshold: Option<f64>,
    /// Whether it is a distance.
    #[serde(skip)]
    pub is_distance: bool,
    /// On what.
    pub tokens: String,
    /// Among documents that agree in these fields.
    pub within: Vec<String>,
    /// How pairs were found.
    pub method: String,
    /// The same, and why.
    #[serde(skip)]
    pub plan: String,
    /// How many threads worked.
    pub threads: usize,
    /// Where the time went.
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
    /// Sets to whatever the join looks into.
    pub prepare: f64,
    /// That to pairs.
    pub join: f64,
    /// Pairs to a file.
    pub write: f64,
    /// All of it.
    pub total: f64,
}
