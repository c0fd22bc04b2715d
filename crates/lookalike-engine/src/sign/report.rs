//! What a search by signatures does with candidates, and what it reports.

use lookalike::Threshold;
use serde::Serialize;

use super::recall::Recall;
use crate::read::Signing;

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

/// What a search by signatures does with candidates.
#[derive(Clone, Copy, Debug)]
pub enum Verify {
    /// Compares their sets and keeps pairs that reach the threshold.
    Threshold,
    /// Compares their sets and keeps all, with their similarity.
    Similarity,
    /// Keeps all without comparing their sets.
    Not,
}

impl Verify {
    /// The threshold, if it affects which pairs are found.
    pub(crate) fn bound(self, signing: Option<&Signing>, threshold: &Threshold) -> Option<f64> {
        let is_designed = signing.is_some_and(|signing| signing.designed_recall().is_some());
        (is_designed || matches!(self, Verify::Threshold)).then(|| threshold.value().to_f64())
    }
}
