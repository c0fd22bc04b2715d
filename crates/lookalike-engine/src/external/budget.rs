//! What fits in the memory that a run may use?

use lookalike_io::Source;

use super::estimate::Estimate;
use crate::error::Error;
use crate::read::Collector;

/// Bytes for the program itself and the allocator's spare room.
pub(super) const PROGRAM: u64 = 22 << 20;
/// Bytes for each thread: its stack, blocks of rows, the row at hand.
pub(super) const THREAD: u64 = 6 << 20;
/// Bytes for each document, besides its id: its row, its place in the keep order, its fingerprint, its fate.
pub(super) const DOCUMENT: u64 = 80;
/// Bytes for each byte of a part's elements: the sets, the sets in order, postings, candidates.
const COMPARED: u64 = 5;
/// The least bytes for sets and counters.
const LEAST: u64 = 1 << 20;
/// Bytes of memory for each byte of a file, at most: if so much is there, nothing need be estimated.
const AMPLE: u64 = 40;

/// The memory of a run, and what the inputs hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    /// The bytes that the run may use.
    pub(super) memory: u64,
    threads: u64,
    pub(super) estimate: Estimate,
}

/// How memory is shared among what a run holds at the same time, in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shares {
    /// The sieve of the first pass.
    pub(super) sieve: u64,
    /// The counters of the elements of sets on disk.
    pub(super) counters: u64,
    /// Postings that are sorted at a time.
    pub(super) postings: u64,
    /// The elements of the sets that are compared at a time.
    pub(super) part: u64,
}

impl Budget {
    /// The budget of a collector, if its inputs may not fit in memory as they are.
    pub(super) fn of(collector: &Collector, sources: &[Source]) -> Result<Option<Budget>, Error> {
        let total: u64 = sources.iter().map(Source::size).sum();
        let Some(memory) = collector.memory.filter(|&memory| total.saturating_mul(AMPLE) > memory) else {
            return Ok(None);
        };
        let budget = Budget::new(collector, memory, Estimate::of(collector, sources)?);
        Ok((!budget.fits()).then_some(budget))
    }

    /// The budget of a collector, whether its inputs fit or not.
    pub(super) fn always(collector: &Collector, sources: &[Source]) -> Result<Budget, Error> {
        let memory = collector.memory.unwrap_or(u64::MAX);
        Ok(Budget::new(collector, memory, Estimate::of(collector, sources)?))
    }

    pub(super) fn new(collector: &Collector, memory: u64, estimate: Estimate) -> Budget {
        Budget { memory, threads: collector.threads as u64, estimate }
    }

    /// Whether all sets fit in memory.
    pub(super) fn fits(&self) -> bool {
        self.fixed() + self.sets() <= self.memory
    }

    /// Bytes that are always needed.
    pub(super) fn fixed(&self) -> u64 {
        PROGRAM + self.threads * THREAD + self.estimate.documents * DOCUMENT + self.estimate.ids
    }

    /// Bytes for all sets, if they are in memory: twice their elements if most sets drop out before they are compared, otherwise as much
    /// as if they were one part.
    pub(super) fn sets(&self) -> u64 {
        let times = if self.estimate.is_sparse() { 2 } else { COMPARED };
        8 * self.estimate.elements * times
    }

    /// Shares the memory, or says how much is needed.
    pub(super) fn shares(&self) -> Result<Shares, Error> {
        let Some(free) = self.memory.checked_sub(self.fixed()).filter(|&free| free >= LEAST) else {
            let needed = (self.fixed() + LEAST).div_ceil(1 << 20);
            return Err(Error::Usage(format!(
                "{} MiB of memory are too little for about {} documents; use --memory {needed}MiB or more",
                self.memory >> 20,
                self.estimate.documents
            )));
        };
        // With four slots per element, more do not help.
        let sieve = free.min(self.estimate.elements + (1 << 16));
        Ok(Shares { sieve, counters: free / 2, postings: free / 4, part: free / COMPARED })
    }
}
