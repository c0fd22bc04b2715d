//! How much memory may work on an index hold?

use lookalike_io::Source;

use super::shares::{AMPLE, Budget, COMPARED, PROGRAM, THREAD, mebibytes};
use crate::error::Error;
use crate::read::Collector;

/// The least bytes for pages and buffers.
const LEAST: u64 = 2 << 20;
/// If there are so many times the bytes of the index, nothing need be limited.
const AMPLE_FOR_INDEX: u64 = 4;
/// Of this many bytes of an index, one is held: checksums of pages, and which of them were verified.
const SUMS: u64 = 256;
/// Bytes for each reference, besides its set: its place, its id.
const REFERENCE: u64 = 120;

/// The memory of a run that adds its survivors to an index.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IndexBudget {
    memory: u64,
    /// Bytes that are always needed.
    fixed: u64,
    /// Bytes to compare the batch with itself.
    compared: u64,
    /// Bytes of the elements of the batch.
    elements: u64,
}

impl IndexBudget {
    /// The budget beside the sets of a batch, for an index of so many documents and bytes. `None` if there is enough for everything. Fails
    /// if there is too little whatever is found.
    pub(crate) fn of(
        collector: &Collector,
        sources: &[Source],
        few_partners: bool,
        (documents, bytes): (u64, u64),
    ) -> Result<Option<IndexBudget>, Error> {
        let Some(memory) = collector.memory else { return Ok(None) };
        let total: u64 = sources.iter().map(Source::size).sum();
        let always = PROGRAM + THREAD * collector.threads as u64;
        let most = always.saturating_add(total.saturating_mul(AMPLE)).saturating_add(AMPLE_FOR_INDEX * bytes);
        if most <= memory && !sources.iter().any(Source::is_compressed) {
            return Ok(None);
        }
        let budget = Budget::always(collector, sources, few_partners)?;
        let fixed = budget.fixed() - budget.ids() + budget.estimate.ids + documents / 8 + bytes / SUMS;
        let elements = 8 * budget.estimate.elements;
        let this = IndexBudget { memory, fixed, compared: budget.compared(), elements };
        if this.fixed + this.compared + LEAST > memory {
            return Err(this.too_small(this.fixed + this.compared + LEAST));
        }
        Ok(Some(this))
    }

    /// Bytes for the search, beside the sets of the batch: they are not compared yet.
    pub(crate) fn asking(&self) -> u64 {
        self.memory - self.fixed - self.elements.min(self.compared)
    }

    /// Bytes that are left beside what was found: so many references with so many elements. Fails if there are none.
    pub(crate) fn beside(&self, references: u64, elements: u64) -> Result<u64, Error> {
        // Those of the batch that resemble them are compared too.
        let compared = 8 * COMPARED * elements + COMPARED * self.elements.min(16 * elements);
        let needed = self.fixed + self.compared.max(compared) + REFERENCE * references + LEAST;
        if needed > self.memory {
            return Err(self.too_small(needed));
        }
        Ok(self.memory - needed + LEAST)
    }

    /// Bytes for merging parts, when the batch is in.
    pub(crate) fn merging(&self) -> u64 {
        self.memory - self.fixed
    }

    fn too_small(&self, needed: u64) -> Error {
        Error::Usage(format!(
            "{} of memory is too little for this batch and the documents of the index that it resembles. Use --memory \
             {}MiB or more, or add fewer files at a time",
            mebibytes(self.memory),
            needed.div_ceil(1 << 20)
        ))
    }
}

/// The bytes for work on an index of so many bytes alone, besides some that are needed. `None` if there is no limit. Fails if there is too
/// little, and says for what.
pub(crate) fn index_room(
    memory: Option<u64>,
    threads: usize,
    (bytes, needed): (u64, u64),
    purpose: &str,
) -> Result<Option<u64>, Error> {
    let Some(memory) = memory else { return Ok(None) };
    let fixed = PROGRAM + THREAD * threads as u64 + bytes / SUMS + needed;
    match memory.checked_sub(fixed).filter(|&room| room >= LEAST) {
        Some(room) => Ok(Some(room)),
        None => Err(Error::Usage(format!(
            "{} of memory is too little {purpose}; use --memory {}MiB or more",
            mebibytes(memory),
            (fixed + LEAST).div_ceil(1 << 20)
        ))),
    }
}
