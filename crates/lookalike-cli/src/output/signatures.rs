//! What does a summary say about a method that works by signatures?

use lookalike_engine::{Recall, SignedReport};

use crate::output::numbers::{count, counted};

/// Says how reliable the pairs are, for the first line of a summary.
pub fn certainty(report: Option<&SignedReport>) -> &'static str {
    match report {
        None => "exact",
        Some(SignedReport { verified: true, designed_recall: None, recall: None, .. }) => {
            "every pair by this method, at any similarity"
        }
        Some(SignedReport { verified: true, .. }) => "not complete",
        Some(SignedReport { verified: false, .. }) => "neither complete nor verified",
    }
}

/// Prints what the signatures found, on two lines.
pub fn summarise(report: &SignedReport) {
    message!(
        "{}: {} bytes per document; {}, {}",
        report.filter,
        report.signature_bytes,
        counted(report.candidates, "candidate"),
        if report.verified { "each compared exactly" } else { "UNVERIFIED: similarities are estimates" }
    );
    let designed = report.designed_recall.map(|recall| format!("designed for {recall:.4} at the threshold"));
    let measured = report.recall.map(|recall| {
        let Recall { low, high, sampled_sets, sets, sampled_pairs, .. } = recall;
        let sampled = format!("{} of {} sets sampled", count(sampled_sets), count(sets));
        match recall.measured {
            Some(measured) => format!(
                "measured {measured:.4} ({low:.4} to {high:.4}, 95 %) on {} pairs of different sets, {sampled}",
                count(sampled_pairs)
            ),
            None => format!("not measured: no pairs of different sets, {sampled}"),
        }
    });
    let parts: Vec<String> = designed.into_iter().chain(measured).collect();
    if !parts.is_empty() {
        message!("recall {}", parts.join(", "));
    }
}
