//! The reports of `evaluate`, `verify` and `calibrate`.

use lookalike_truth::choose::Calibration;
use lookalike_truth::{Evaluation, Example, Interval};
use serde::Serialize;

use super::common::{BadRowsReport, ReadReport};

/// The report of `evaluate`.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct EvaluateReport {
    /// The numbers.
    #[serde(flatten)]
    pub evaluation: Evaluation,
    /// Bad rows of the tables.
    #[serde(flatten)]
    pub bad_rows: BadRowsReport,
}

/// The report of `verify`.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct VerifyReport {
    /// Documents of the inputs.
    pub documents: u64,
    /// What was read of them.
    #[serde(flatten)]
    pub read: ReadReport,
    /// What the candidates are: `pairs` or `clusters`.
    pub candidates: &'static str,
    /// Candidate pairs. For clusters, pairs of a member and the first member.
    pub pairs: u64,
    /// Of these, pairs that reach the threshold.
    pub reaching: u64,
    /// Pairs that fall short of it.
    pub short: u64,
    /// Pairs whose stated similarity is not the exact one, by more than 0.0005.
    pub misstated: u64,
    /// The mean error of the stated similarities.
    pub mean_error: Option<f64>,
    /// Clusters with two members or more. Pairs are joined into connected components.
    pub clusters: u64,
    /// Of these, clusters that hold together at the threshold.
    pub clusters_supported: u64,
    /// The number of clusters if each is split where the threshold is not reached.
    pub parts: u64,
    /// Documents removed if the first of each cluster stays.
    pub removals: u64,
    /// Of these, documents that do not reach the threshold with the one that stays.
    pub wrong_removals: u64,
    /// Their share.
    pub wrong_share: Option<Interval>,
    /// Candidates with a document that is not in the inputs.
    pub unknown: u64,
    /// Ids that more than one document has. The first one was compared.
    pub repeated_ids: u64,
    /// The least similar candidates.
    pub worst: Vec<Example>,
    /// The measure and the threshold.
    pub measure: String,
    /// The threshold.
    pub threshold: f64,
    /// Bad rows of the candidates.
    pub bad_candidates: u64,
    /// The first few of them.
    pub candidate_problems: Vec<String>,
}

/// The report of `calibrate`.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct CalibrateReport {
    /// The choice.
    #[serde(flatten)]
    pub calibration: Calibration,
    /// The chosen setting as a command.
    pub command: String,
    /// Documents of the inputs.
    pub documents: u64,
    /// Ways to compare that were tried, each with 15 thresholds.
    pub tried: u64,
    /// Ways to compare that were not tried to the end.
    pub skipped: Vec<String>,
    /// Labelled matches with a document that is not in the inputs.
    pub unknown: u64,
    /// Contradictions in the labels.
    pub conflicts: Vec<String>,
    /// How many there are.
    pub conflict_count: u64,
    /// Bad rows of the labels.
    #[serde(flatten)]
    pub bad_rows: BadRowsReport,
}
