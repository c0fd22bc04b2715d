//! The numbers of an evaluation.

use serde::Serialize;

use crate::scores::{ClusterScores, Interval, Level};

/// What was found, compared with labels.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Evaluation {
    /// Pairs found. Of clusters, all pairs of members.
    pub pairs: u64,
    /// Of these, pairs with a label.
    pub labelled: u64,
    /// Of these, pairs without a label. They count neither as right nor as wrong.
    pub unlabelled: u64,
    /// Found pairs that are the same.
    pub right: u64,
    /// Found pairs that are different.
    pub wrong: u64,
    /// Pairs that are the same and were not found.
    pub missed: u64,
    /// What the labels are: `pairs`, `mapping` or `groups`.
    pub labels: &'static str,
    /// What was found: `pairs` or `clusters`.
    pub found: &'static str,
    /// The share of found pairs with a label that are the same.
    pub precision: Option<Interval>,
    /// The share of the same pairs that were found.
    pub recall: Option<Interval>,
    /// The harmonic mean of both.
    pub f1: Option<Interval>,
    /// The average precision, if pairs have similarities.
    pub average_precision: Option<Interval>,
    /// Agreement of clusters with groups, if the labels are complete. Pairs are joined into connected components.
    pub clusters: Option<ClusterScores>,
    /// By similarity.
    pub levels: Vec<Level>,
    /// By agreement in a field.
    pub by: Vec<Slice>,
    /// Found pairs that are different, the most similar first.
    pub worst_wrong: Vec<Example>,
    /// Pairs that are the same and were not found, those with the lowest known similarity first.
    pub worst_missed: Vec<Example>,
    /// Contradictions in the labels.
    pub conflicts: Vec<String>,
    /// How many there are.
    pub conflict_count: u64,
    /// Labels that do not decide.
    pub unsure: u64,
    /// Rows that repeat a found pair.
    pub repeated_pairs: u64,
    /// Rows that repeat a label.
    pub repeated_labels: u64,
}

/// The pairs that agree in a field, or those that do not.
#[derive(Clone, Debug, Serialize)]
pub struct Slice {
    /// The field.
    pub field: String,
    /// `same`, `different`, or `unknown` if a document has no value.
    pub value: &'static str,
    /// Found pairs that are the same.
    pub right: u64,
    /// Found pairs that are different.
    pub wrong: u64,
    /// Pairs that are the same and were not found.
    pub missed: u64,
    /// Found pairs without a label.
    pub unlabelled: u64,
    /// The share of found pairs with a label that are the same.
    pub precision: Option<Interval>,
    /// The share of the same pairs that were found.
    pub recall: Option<Interval>,
}

/// A pair that was judged wrongly.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Example {
    /// The id of the first document.
    pub a: String,
    /// The id of the second document.
    pub b: String,
    /// Their similarity or distance, if it is known.
    pub similarity: Option<f64>,
    /// Their texts, if the documents were read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub texts: Option<[String; 2]>,
}
