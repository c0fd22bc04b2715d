//! The counters of a join, which `--stats` writes.

use lookalike::engine::Counts;
use serde::Serialize;

use super::pairs::{PairsReport, StageSeconds};

/// The contents of the file of `--stats`.
#[derive(Serialize)]
struct Stats<'a> {
    method: &'a str,
    algorithm: Option<&'a str>,
    measure: &'a str,
    threshold: Option<f64>,
    documents: u64,
    distinct_sets: u64,
    index_entries: u64,
    candidates_by_prefix: u64,
    after_positional: u64,
    after_suffix: u64,
    verified: u64,
    results: u64,
    pairs: u64,
    seconds: StageSeconds,
}

/// The numbers of a run as JSON.
pub(crate) fn to_json(report: &PairsReport, counts: &Counts) -> String {
    let stats = Stats {
        method: report.compared.method,
        algorithm: report.algorithm.as_deref(),
        measure: &report.compared.measure,
        threshold: report.compared.threshold,
        documents: report.documents + report.others,
        distinct_sets: report.distinct_sets,
        index_entries: counts.index_entries,
        candidates_by_prefix: counts.candidates_by_prefix,
        after_positional: counts.after_positional,
        after_suffix: counts.after_suffix,
        verified: counts.verified,
        results: counts.results,
        pairs: report.pairs,
        seconds: report.seconds,
    };
    serde_json::to_string_pretty(&stats).expect("numbers are JSON") + "\n"
}
