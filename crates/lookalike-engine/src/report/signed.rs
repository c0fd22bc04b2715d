//! The report of a search by signatures.

use serde::Serialize;

/// The report of a search by signatures.
#[derive(Clone, Debug, Serialize)]
pub struct SignedReport {
    /// The method in words.
    pub filter: String,
    /// Bytes of a signature.
    pub signature_bytes: usize,
    /// Pairs of different documents whose signatures passed. `dedup` does not check all of them, and some more than once.
    pub candidates: u64,
    /// Whether the sets of candidates were compared. If not, similarities are estimates, and some pairs may be no near-duplicates.
    pub verified: bool,
    /// The share of the pairs at the threshold that the filter is designed to find.
    pub designed_recall: Option<f64>,
    /// The measured recall.
    pub recall: Option<Recall>,
}

/// A measured recall.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Recall {
    /// The share of pairs found; `None` if there was no pair to find.
    pub measured: Option<f64>,
    /// The lower end of the 95 % confidence interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The number of sets drawn.
    pub sampled_sets: u64,
    /// The number of sets.
    pub sets: u64,
    /// Pairs of a drawn set and a different set, each counted once.
    pub sampled_pairs: u64,
    /// Of these, the pairs found.
    pub found_pairs: u64,
}
