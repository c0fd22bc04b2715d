//! The report of `sketch`.

use serde::Serialize;

use super::common::ReadReport;

/// The report of the job.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct SketchReport {
    /// Documents of the inputs.
    pub documents: u64,
    /// What was read. Empty and unusable documents have no signature.
    #[serde(flatten)]
    pub read: ReadReport,
    /// The name of the signature.
    pub signature: &'static str,
    /// Bytes of a signature.
    pub signature_bytes: usize,
    /// What the elements of a set are.
    pub tokens: String,
    /// The number of threads.
    pub threads: usize,
    /// Seconds that it took.
    pub seconds: f64,
    /// Megabytes of text per second.
    pub megabytes_per_second: f64,
    /// The peak resident memory.
    pub peak_memory_bytes: u64,
}
