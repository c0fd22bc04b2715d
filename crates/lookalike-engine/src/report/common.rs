//! The parts that reports share: what was read, what was compared, and the memory used.

use std::time::{Duration, Instant};

use lookalike_io::Source;
use serde::Serialize;

use crate::read::Tally;

/// What was read.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ReadReport {
    /// Bytes of all files on disk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_bytes: Option<u64>,
    /// Whether a file is compressed, and so the texts are longer than the files.
    #[serde(skip)]
    pub is_compressed: bool,
    /// Bytes of all texts.
    pub text_bytes: u64,
    /// Documents without a token.
    pub empty: u64,
    /// Documents without a usable text. They are kept and compared with nothing.
    pub unusable: u64,
    /// Rows that cannot be read as documents.
    pub unreadable: u64,
    /// The first few unusable and unreadable rows.
    pub problems: Vec<String>,
}

impl ReadReport {
    pub(crate) fn new(tally: &Tally, sources: &[Source]) -> ReadReport {
        let input_bytes = sources.iter().map(Source::size).sum();
        ReadReport {
            input_bytes: Some(input_bytes),
            // A pipe has no size, and must not be opened again.
            is_compressed: tally.text_bytes > input_bytes
                && sources.iter().any(|source| source.size() > 0 && source.is_compressed()),
            text_bytes: tally.text_bytes,
            empty: tally.empty,
            unusable: tally.unusable,
            unreadable: tally.unreadable,
            problems: tally.problems.iter().map(ToString::to_string).collect(),
        }
    }

    /// Megabytes of text per second.
    pub(crate) fn speed(&self, total: Duration) -> f64 {
        self.text_bytes as f64 / 1e6 / total.as_secs_f64()
    }
}

/// What was compared, and how.
#[derive(Clone, Debug, Serialize)]
pub struct ComparedReport {
    /// The measure.
    pub measure: String,
    /// The least similarity of a pair, or the greatest distance. `None` if the most similar pairs were requested, or if signatures alone
    /// decide.
    pub threshold: Option<f64>,
    /// Whether the measure is a distance.
    #[serde(skip)]
    pub is_distance: bool,
    /// What the elements of a set are.
    pub tokens: String,
    /// Fields whose values must be equal for documents to be compared.
    pub within: Vec<String>,
    /// How candidates were found: `exact`, or the method of the signatures.
    pub method: &'static str,
}

/// The threads, time and memory that a job used.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct EffortReport {
    /// The number of threads.
    pub threads: usize,
    /// Seconds.
    pub seconds: f64,
    /// The peak resident memory.
    pub peak_memory_bytes: u64,
}

impl EffortReport {
    /// Of a job that ends now.
    pub(crate) fn since(start: Instant, threads: usize) -> EffortReport {
        EffortReport { threads, seconds: start.elapsed().as_secs_f64(), peak_memory_bytes: peak_memory() }
    }
}

/// The bad rows of tables.
#[derive(Clone, Debug, Serialize)]
pub struct BadRowsReport {
    /// How many there are.
    pub unreadable: u64,
    /// The first few of them.
    pub problems: Vec<String>,
}

/// How a run used its memory.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct MemoryReport {
    /// Where the sets were: `all in memory`, `digests in memory`, `sieve and read again`, or `sets on disk`. Or `texts on disk`, or
    /// `signatures on disk`, if these were compared instead of sets.
    pub plan: &'static str,
    /// The bytes that the run could use, if they were limited.
    pub budget_bytes: Option<u64>,
    /// The peak resident memory.
    pub peak_bytes: u64,
    /// Bytes written to temporary files.
    pub temporary_bytes: u64,
    /// How many times the inputs were read to compare documents.
    pub passes: u32,
    /// Parts that were compared one after another.
    pub parts: usize,
    /// The bytes of memory that the plan said, at most. `None` if there was so much that no sample was needed.
    pub planned_bytes: Option<u64>,
    /// The bytes of temporary files that the plan said, at most.
    pub planned_temporary_bytes: Option<u64>,
    /// How often reading began again with another plan, because the inputs are larger than a sample of them suggested.
    pub restarts: u32,
    /// Sets that may have a partner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sets: Option<u64>,
    /// The share of the elements that was kept while the inputs were read for the first time, in 32 bits each: more than a sieve, and less than
    /// sets. They tell which rows need not be made sets again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub traced: Option<f64>,
}

/// What was planned before a run, from a sample of its inputs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Planned {
    /// Bytes of memory and of temporary files, at most.
    pub(crate) bytes: Option<u64>,
    pub(crate) temporary_bytes: Option<u64>,
    /// How often another plan was needed.
    pub(crate) restarts: u32,
}

/// The plan of a run that holds all sets.
pub(crate) const ALL_IN_MEMORY: &str = "all in memory";
/// The plan of a run that holds 32 bits of every element.
pub(crate) const DIGESTS_IN_MEMORY: &str = "digests in memory";

impl MemoryReport {
    /// Whether everything that was compared was in memory, as usual.
    pub fn is_usual(&self) -> bool {
        [ALL_IN_MEMORY, DIGESTS_IN_MEMORY].contains(&self.plan)
    }

    /// Adds what is known at the end.
    pub(crate) fn finish(self, temporary_bytes: u64, planned: Planned) -> MemoryReport {
        let Planned { bytes, temporary_bytes: planned_temporary_bytes, restarts } = planned;
        let peak_bytes = peak_memory();
        MemoryReport { peak_bytes, temporary_bytes, planned_bytes: bytes, planned_temporary_bytes, restarts, ..self }
    }
}

/// The peak resident memory of this process in bytes; 0 if the system does not report it.
///
/// Not `getrusage`: its value may come from the parent process, before this program started.
pub(crate) fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.map_or(0, |kilobytes| kilobytes * 1024)
}
