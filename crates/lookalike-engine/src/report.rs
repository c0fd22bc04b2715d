use serde::Serialize;

use crate::histogram::Bin;
use crate::signed::SignedReport;

/// What a run did, for a person's summary or a machine's.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Documents of the inputs.
    pub documents: u64,
    /// Documents of the reference collection.
    pub references: u64,
    /// Bytes of all files read, as they lie on disk.
    pub input_bytes: u64,
    /// Bytes of all texts.
    pub text_bytes: u64,
    /// Removed documents whose set an earlier document had.
    pub identical: u64,
    /// Other removed documents.
    pub near: u64,
    /// Documents that stay.
    pub kept: u64,
    /// Groups of a kept document and those removed for its sake.
    pub clusters: u64,
    /// Pairs, if they were asked for.
    pub pairs: Option<u64>,
    /// Documents without a token.
    pub empty: u64,
    /// Documents without a usable text: kept, and compared with nothing.
    pub unusable: u64,
    /// Rows that are no documents.
    pub unreadable: u64,
    /// The first few of both.
    pub problems: Vec<String>,
    /// What was measured.
    pub measure: String,
    /// From where on, or up to where; none if signatures alone make a pair.
    pub threshold: Option<f64>,
    /// Whether it is a distance.
    #[serde(skip)]
    pub is_distance: bool,
    /// On what.
    pub tokens: String,
    /// Among documents that agree in these fields.
    pub within: Vec<String>,
    /// How documents were clustered: `survivors` or `components`.
    pub method: &'static str,
    /// Who is kept.
    pub keep: String,
    /// How many threads worked.
    pub threads: usize,
    /// Where the time went.
    pub seconds: Seconds,
    /// Bytes of text a second, in millions.
    pub megabytes_per_second: f64,
    /// The most memory that was resident.
    pub peak_memory_bytes: u64,
    /// What signatures did, if pairs were found by them.
    pub signatures: Option<SignedReport>,
    /// The similarities found: of the pairs if they were asked for, else of removed documents to their twins.
    pub histogram: Vec<Bin>,
}

/// Seconds by stage.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Seconds {
    /// Files to sets.
    pub read: f64,
    /// Sets to fates.
    pub compare: f64,
    /// Fates to files.
    pub write: f64,
    /// All of it.
    pub total: f64,
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
