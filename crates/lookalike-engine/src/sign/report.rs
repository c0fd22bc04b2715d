//! How a search by signatures ends, and what is reported of it.

use lookalike::Threshold;
use serde::Serialize;

use super::recall::Recall;
use crate::read::Signing;

/// What a search by signatures did.
#[derive(Clone, Debug, Serialize)]
pub struct SignedReport {
    /// The way in words.
    pub filter: String,
    /// Bytes kept of a document's set at first.
    pub signature_bytes: usize,
    /// Pairs of different documents whose signatures passed. If it is decided who stays, not all are looked at, and some more than once.
    pub candidates: u64,
    /// Whether they were compared by their sets; if not, similarities are estimates, and not all pairs are near-duplicates.
    pub verified: bool,
    /// The share of the pairs at the threshold that the filter is designed to find.
    pub designed_recall: Option<f64>,
    /// What was reached.
    pub recall: Option<Recall>,
}

/// How a search by signatures ends.
#[derive(Clone, Copy, Debug)]
pub enum Verify {
    /// With pairs that reach the threshold.
    Threshold,
    /// With all candidates, whatever their similarity, which is told.
    Similarity,
    /// With all candidates, of which nothing more is known.
    Not,
}

impl Verify {
    /// The threshold, if it has a part in what a pair is.
    pub(crate) fn bound(self, signing: Option<&Signing>, threshold: &Threshold) -> Option<f64> {
        let is_designed = signing.is_some_and(|signing| signing.designed_recall().is_some());
        (is_designed || matches!(self, Verify::Threshold)).then(|| threshold.value().to_f64())
    }
}
