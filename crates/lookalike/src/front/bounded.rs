//! How is a search stopped when it finds more pairs than allowed?

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::join::JoinError;
use crate::progress::{Progress, Unit};

/// Reports to another progress, and cancels the call once it finds too many pairs.
pub(super) struct Bounded<'a> {
    progress: &'a dyn Progress,
    most: usize,
    is_over: AtomicBool,
}

impl<'a> Bounded<'a> {
    pub(super) fn new(progress: &'a dyn Progress, most: usize) -> Bounded<'a> {
        Bounded { progress, most, is_over: AtomicBool::new(false) }
    }

    /// Returns whether this many pairs are allowed. If not, the call is cancelled.
    pub(super) fn allows(&self, pairs: usize) -> bool {
        if pairs > self.most {
            self.is_over.store(true, Relaxed);
        }
        pairs <= self.most
    }

    /// Fails if there were too many pairs.
    pub(super) fn check(&self) -> Result<(), JoinError> {
        if self.is_over.load(Relaxed) { Err(JoinError::TooManyPairs { most: self.most }) } else { Ok(()) }
    }
}

impl Progress for Bounded<'_> {
    fn begin(&self, stage: &'static str, total: u64, unit: Unit) {
        self.progress.begin(stage, total, unit);
    }

    fn reach(&self, done: u64) {
        self.progress.reach(done);
    }

    fn end(&self) {
        self.progress.end();
    }

    fn warn(&self, message: &str) {
        self.progress.warn(message);
    }

    fn is_cancelled(&self) -> bool {
        self.is_over.load(Relaxed) || self.progress.is_cancelled()
    }
}
