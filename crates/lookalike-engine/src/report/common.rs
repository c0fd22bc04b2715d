//! What every job reports: what it read, and what it used.

use std::time::Duration;

use lookalike_io::Source;
use serde::Serialize;

use crate::read::Tally;

/// What was read.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ReadReport {
    /// Bytes of all files read, as they lie on disk.
    pub input_bytes: u64,
    /// Bytes of all texts.
    pub text_bytes: u64,
    /// Documents without a token.
    pub empty: u64,
    /// Documents without a usable text: kept, and compared with nothing.
    pub unusable: u64,
    /// Rows that are no documents.
    pub unreadable: u64,
    /// The first few of the unusable and unreadable.
    pub problems: Vec<String>,
}

impl ReadReport {
    pub(crate) fn new(tally: &Tally, sources: &[Source]) -> ReadReport {
        ReadReport {
            input_bytes: sources.iter().map(Source::size).sum(),
            text_bytes: tally.text_bytes,
            empty: tally.empty,
            unusable: tally.unusable,
            unreadable: tally.unreadable,
            problems: tally.problems.iter().map(ToString::to_string).collect(),
        }
    }

    /// Megabytes of text a second.
    pub(crate) fn speed(&self, total: Duration) -> f64 {
        self.text_bytes as f64 / 1e6 / total.as_secs_f64()
    }
}

/// What was compared, and how.
#[derive(Clone, Debug, Serialize)]
pub struct ComparedReport {
    /// The measure.
    pub measure: String,
    /// The least similarity of a pair, or the greatest distance. None if the most similar pairs were wanted, or if signatures alone decide
    /// what a pair is.
    pub threshold: Option<f64>,
    /// Whether the measure is a distance.
    #[serde(skip)]
    pub is_distance: bool,
    /// What the elements of a set are.
    pub tokens: String,
    /// Fields in which documents must agree to be compared.
    pub within: Vec<String>,
    /// How candidates were found: `exact`, or a method by signatures.
    pub method: &'static str,
}

/// The most memory that this process had resident so far, in bytes; 0 where the system does not tell.
///
/// Not `getrusage`: what it tells may be the parent's, from before this program was started.
pub(crate) fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.map_or(0, |kilobytes| kilobytes * 1024)
}
