//! What will a run need? An answer before it begins.

use lookalike::Threshold;
use lookalike_io::Source;
use serde::Serialize;

use super::estimate::Estimate;
use super::shares::{Budget, PROGRAM, SETS, THREAD};
use crate::error::Error;
use crate::external::postings::BYTES as POSTING;
use crate::external::whole::few_partners;
use crate::read::{Collector, Signing};
use crate::report::{ALL_IN_MEMORY, DIGESTS_IN_MEMORY};

/// What a run will need, estimated from a sample of its inputs.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct RunPlan {
    /// Where the sets will be: `all in memory`, `digests in memory`, `sieve and read again`, or `sets on disk`. Or `texts on disk`, or
    /// `signatures on disk`, if these are compared instead of sets.
    pub plan: &'static str,
    /// Bytes of the inputs on disk.
    pub input_bytes: u64,
    /// Documents.
    pub documents: u64,
    /// The elements of all sets.
    pub elements: u64,
    /// The bytes that the run may use, if they are limited.
    pub budget_bytes: Option<u64>,
    /// The bytes that it will use at most, part by part.
    pub memory: Vec<MemoryPart>,
    /// Bytes of temporary files, at most.
    pub temporary_bytes: u64,
    /// How many times the inputs are read to compare documents.
    pub passes: u32,
    /// Bytes that are read from the inputs: for each pass, and once more if rows are written.
    pub read_bytes: u64,
    /// Bytes of the outputs, at most, except pairs: how many there are, only the run tells.
    pub written_bytes: u64,
    /// Seconds, from the speed at which the sample was read.
    pub seconds: f64,
}

/// What a job does besides comparing, as far as a plan depends on it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Besides {
    /// Whether the folder of a run keeps what is done: then sets are counted and read again, though they fit in memory.
    pub(crate) has_run: bool,
    /// Outputs that hold rows of the inputs, and outputs of a table with a row for each document.
    pub(crate) copies: u64,
    pub(crate) tables: u64,
}

/// Bytes of a row of such a table, besides two ids.
const ROW: u64 = 32;

/// Memory for one purpose.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct MemoryPart {
    /// The purpose.
    pub name: &'static str,
    /// The bytes.
    pub bytes: u64,
}

/// The plan of texts that do not fit in memory.
pub(crate) const TEXTS_ON_DISK: &str = "texts on disk";
/// The plan of signatures that do not fit in memory.
pub(crate) const SIGNATURES_ON_DISK: &str = "signatures on disk";
/// Bytes of a feature that is sorted in a file.
const SORTED: u64 = 16;
/// Bytes of a text in a file, besides its own.
const TEXT: u64 = 8;

/// The share of the time that comparing takes, beside reading.
const COMPARING: f64 = 0.4;

impl RunPlan {
    /// Plans a run of a collector. Without a threshold, every document may have a partner.
    pub(crate) fn of(
        collector: &Collector,
        sources: &[Source],
        threshold: Option<&Threshold>,
        besides: Besides,
    ) -> Result<RunPlan, Error> {
        let budget = Budget::always(collector, sources, threshold.is_some_and(few_partners))?;
        RunPlan::within(&budget, collector, threshold, besides)
    }

    /// Plans a run within a budget.
    pub(in crate::external) fn within(
        budget: &Budget,
        collector: &Collector,
        threshold: Option<&Threshold>,
        besides: Besides,
    ) -> Result<RunPlan, Error> {
        let estimate = budget.estimate;
        if collector.signing.is_some() && collector.signing_on_disk().is_none() && !budget.fits() {
            return Err(budget.too_small(""));
        }
        // Texts and signatures are not kept in the folder of a run.
        let is_kept = besides.has_run && collector.edit.is_none() && collector.signing.is_none();
        let (plan, passes, sets, temporary_bytes) = if budget.fits() && !is_kept {
            (ALL_IN_MEMORY, 1, MemoryPart { name: budget.compared_name(), bytes: budget.compared() }, 0)
        } else {
            let shares = budget.shares()?;
            let (rest, ids) = (budget.memory - budget.fixed(), estimate.ids - budget.ids());
            let rest = if budget.fits() { rest.min(budget.compared().max(shares.sieve)) } else { rest };
            let sieve = MemoryPart { name: "sieve, then sets and counters", bytes: rest };
            let stored = budget.stored(&shares);
            if collector.edit.is_some() {
                let texts = MemoryPart { name: "texts at a time", bytes: rest };
                (TEXTS_ON_DISK, 1, texts, estimate.texts + TEXT * estimate.documents + ids)
            } else if let Some(signing) = collector.signing_on_disk() {
                let compared = MemoryPart { name: "signatures and sets at a time", bytes: rest };
                // Every feature is written once more to be sorted. Pages also have their words, and a site.
                let sorted = signing.filter().map_or(0, |filter| SORTED * filter.k() as u64);
                let (page, times) = if matches!(signing, Signing::Web(..)) { (8, 2) } else { (0, 1) };
                let written = (8 * signing.numbers() as u64 + sorted + page) * estimate.documents;
                (SIGNATURES_ON_DISK, 2, compared, written + times * stored + ids)
            } else if stored + stored / 4 <= shares.part {
                // The numbers of a sample may be too low.
                ("sieve and read again", 2, sieve, stored + ids)
            } else {
                ("sets on disk", 2, sieve, stored + divided(stored, &estimate, threshold) + ids)
            }
        };
        let sample = Some(MemoryPart { name: "sample", bytes: budget.sample() }).filter(|sample| sample.bytes > 0);
        let memory = [
            MemoryPart { name: "program", bytes: PROGRAM },
            MemoryPart { name: "threads", bytes: THREAD * collector.threads as u64 },
            MemoryPart { name: "documents", bytes: budget.documents() },
            MemoryPart { name: "ids", bytes: if plan == ALL_IN_MEMORY { estimate.ids } else { budget.ids() } },
            sets,
        ];
        let memory = memory.into_iter().chain(sample).collect();
        Ok(RunPlan {
            plan,
            input_bytes: estimate.bytes,
            documents: estimate.documents,
            elements: estimate.elements,
            budget_bytes: collector.memory,
            memory,
            temporary_bytes,
            passes,
            read_bytes: estimate.bytes * (u64::from(passes) + u64::from(besides.copies > 0)),
            written_bytes: besides.copies * estimate.bytes
                + besides.tables * (ROW * estimate.documents + 2 * estimate.ids),
            seconds: estimate.seconds / collector.threads as f64 * (f64::from(passes) + COMPARING),
        })
    }
}

impl RunPlan {
    /// Bytes of memory, at most.
    pub fn memory_bytes(&self) -> u64 {
        self.memory.iter().map(|part| part.bytes).sum()
    }

    /// The plan of a run that keeps digests, if it can: then it holds less.
    pub(crate) fn with_digests(mut self, keeps_digests: bool) -> RunPlan {
        if keeps_digests && self.plan == ALL_IN_MEMORY {
            self.plan = DIGESTS_IN_MEMORY;
            self.passes = 2;
            self.read_bytes += self.input_bytes;
            for part in self.memory.iter_mut().filter(|part| part.name == SETS) {
                *part = MemoryPart { name: "digests, then sets and counters", bytes: DIGESTED * self.elements };
            }
        }
        self
    }
}

/// Bytes for each element if digests are kept, at most: a digest and its counters, then the sets that may have a partner, twice.
const DIGESTED: u64 = 7;

/// Bytes that dividing sets of this many bytes writes, at most: each set once more, and a posting for each element of its prefix.
fn divided(stored: u64, estimate: &Estimate, threshold: Option<&Threshold>) -> u64 {
    let size = (estimate.elements / estimate.documents.max(1)).clamp(1, u64::from(u32::MAX)) as u32;
    let prefix = threshold.map_or(size, |threshold| threshold.long_prefix(size).min(size));
    let postings = stored as f64 / 8.0 * f64::from(prefix) / f64::from(size) * POSTING as f64;
    stored + postings as u64
}
