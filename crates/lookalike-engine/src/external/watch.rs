//! Does a run keep to its plan while it reads? The plan comes from a sample of the inputs, and they may be larger than it suggests.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};

use lookalike::engine::{Progress, Unit};

use super::budget::{Budget, Estimate};
use crate::error::Error;
use crate::read::ReadBlock;

/// What a run holds while it reads.
#[derive(Clone, Copy)]
pub(super) enum Held {
    /// Everything that is compared.
    All,
    /// These bytes besides documents: a sieve, or digests.
    Besides(u64),
}

/// Counts what was read, and stops the run when it holds more than its plan allows.
pub(super) struct Watch<'a> {
    budget: Budget,
    held: Held,
    /// How a run that is stopped can be run all the same, besides more memory.
    way_out: &'a str,
    progress: &'a dyn Progress,
    /// Documents, elements, bytes of ids and of texts.
    counted: Mutex<[u64; 4]>,
    total: AtomicU64,
    reached: AtomicU64,
    outgrown: OnceLock<Estimate>,
}

/// The part of the memory by which a plan may be wrong: numbers from a sample are never exact, and bytes for them are upper bounds.
const SLACK: u64 = 32;
/// A plan that follows from a part of the inputs has room for so much more.
const MORE: f64 = 1.1;

impl<'a> Watch<'a> {
    pub(super) fn new(budget: Budget, held: Held, way_out: &'a str, progress: &'a dyn Progress) -> Watch<'a> {
        let (total, reached) = (AtomicU64::new(0), AtomicU64::new(0));
        Watch { budget, held, way_out, progress, counted: Mutex::default(), total, reached, outgrown: OnceLock::new() }
    }

    /// Counts a block. Fails if the run now holds more than it may.
    pub(super) fn add(&self, block: &ReadBlock) -> Result<(), Error> {
        let counted = {
            let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
            counted[0] += block.rows.len() as u64;
            counted[1] += block.elements;
            counted[2] += block.ids.len() as u64;
            counted[3] += block.tally.text_bytes;
            *counted
        };
        let [documents, elements, ids, texts] = counted;
        let so_far = self.budget.estimate.counted(documents, elements, ids, texts);
        let budget = self.budget.with(so_far);
        let held = match self.held {
            Held::All => budget.all(),
            Held::Besides(bytes) => budget.fixed() + bytes,
        };
        if held <= budget.memory().saturating_add(budget.memory() / SLACK) {
            return Ok(());
        }
        // As much again as was read, for what was not.
        let read = self.reached.load(Relaxed).max(1) as f64 / self.total.load(Relaxed).max(1) as f64;
        let whole = so_far.times(MORE / read.min(1.0)).at_least(&self.budget.estimate);
        let _ = self.outgrown.set(whole);
        Err(self.budget.with(whole).too_small(self.way_out))
    }

    /// The estimated size of the inputs, if the run was stopped.
    pub(super) fn outgrown(&self) -> Option<Estimate> {
        self.outgrown.get().copied()
    }

    /// The size of the inputs, once they are read.
    pub(super) fn counted(&self) -> Estimate {
        let [documents, elements, ids, texts] = *self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        self.budget.estimate.counted(documents, elements, ids, texts)
    }
}

/// It must know how much of the inputs was read.
impl Progress for Watch<'_> {
    fn begin(&self, stage: &'static str, total: u64, unit: Unit) {
        self.total.store(total, Relaxed);
        self.reached.store(0, Relaxed);
        self.progress.begin(stage, total, unit);
    }

    fn reach(&self, done: u64) {
        self.reached.fetch_max(done, Relaxed);
        self.progress.reach(done);
    }

    fn end(&self) {
        self.progress.end();
    }

    fn warn(&self, message: &str) {
        self.progress.warn(message);
    }

    fn is_cancelled(&self) -> bool {
        self.progress.is_cancelled()
    }
}
