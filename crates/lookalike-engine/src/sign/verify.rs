//! What does a search by signatures do with candidates?

use lookalike::Threshold;

use crate::read::Signing;

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
