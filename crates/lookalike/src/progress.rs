//! How a long call reports its progress, and how it is cancelled.
//!
//! Every long call takes a [`Progress`] or a [`Stage`] of one. To draw a progress bar, implement the trait. To poll, or
//! to cancel from another thread, pass a [`Handle`]. Otherwise pass [`Silent`].

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// What a stage counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unit {
    /// Bytes of files.
    Bytes,
    /// Documents.
    Documents,
}

/// Receives the progress of a long call, and can cancel it. All methods may be called from any thread.
pub trait Progress: Sync {
    /// A stage begins. `total` is how much there is to do, or 0 if that is unknown.
    fn begin(&self, _stage: &'static str, _total: u64, _unit: Unit) {}
    /// `done` units of the current stage are done.
    fn reach(&self, _done: u64) {}
    /// The current stage is over.
    fn end(&self) {}
    /// Something the user should know before the call continues.
    fn warn(&self, _message: &str) {}
    /// Returns whether the call should stop. The call then soon returns an error, and has no other effect.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// Ignores all progress, and never cancels.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {}

/// Passes on only the request to stop: for work that runs beside a stage, which alone reports.
pub struct Quiet<'a>(pub &'a dyn Progress);

impl Progress for Quiet<'_> {
    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

/// One stage of a call. Threads add the units they have done. The stage ends when it is dropped.
pub struct Stage<'a> {
    progress: &'a dyn Progress,
    done: AtomicU64,
}

impl<'a> Stage<'a> {
    /// Begins a stage of `total` documents.
    pub fn begin(progress: &'a dyn Progress, stage: &'static str, total: usize) -> Stage<'a> {
        progress.begin(stage, total as u64, Unit::Documents);
        Stage { progress, done: AtomicU64::new(0) }
    }

    /// Returns a stage that reports to nothing.
    pub fn silent() -> Stage<'static> {
        Stage { progress: &Silent, done: AtomicU64::new(0) }
    }

    /// Returns a stage that reports nothing, but is cancelled together with this one.
    pub fn quiet(&self) -> Stage<'_> {
        Stage { progress: self, done: AtomicU64::new(0) }
    }

    /// Reports that `more` units are done.
    pub fn add(&self, more: usize) {
        let more = more as u64;
        self.progress.reach(self.done.fetch_add(more, Relaxed) + more);
    }

    /// Reports that `done` units are done in total.
    pub fn reach(&self, done: u64) {
        self.done.store(done, Relaxed);
        self.progress.reach(done);
    }

    /// Returns how many units are done.
    pub fn done(&self) -> u64 {
        self.done.load(Relaxed)
    }

    /// Returns whether the call should stop.
    pub fn is_cancelled(&self) -> bool {
        self.progress.is_cancelled()
    }

    /// Returns an error if the call should stop.
    pub fn check(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }
}

impl Drop for Stage<'_> {
    fn drop(&mut self) {
        self.progress.end();
    }
}

/// A quiet stage passes on only the request to stop.
impl Progress for Stage<'_> {
    fn is_cancelled(&self) -> bool {
        self.progress.is_cancelled()
    }
}

/// A call was cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

/// A [`Progress`] that another thread can poll, and use to cancel the call. Clones share their state.
///
/// ```
/// use lookalike::{Corpus, Error, Handle};
///
/// let corpus = Corpus::from_texts(["a text", "another text"])?;
/// let handle = Handle::new();
/// handle.cancel();
/// assert!(matches!(corpus.watched_by(&handle).dedup(0.8), Err(Error::Cancelled)));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Handle {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    stage: Mutex<Option<(&'static str, u64)>>,
    done: AtomicU64,
    cancelled: AtomicBool,
    tell: Option<Box<dyn Fn(Reached) + Send + Sync>>,
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared")
            .field("stage", &self.stage)
            .field("done", &self.done)
            .field("cancelled", &self.cancelled)
            .finish_non_exhaustive()
    }
}

/// How far a call has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reached {
    /// The name of the current stage.
    pub stage: &'static str,
    /// The number of units that are done.
    pub done: u64,
    /// The total number of units, or 0 if it is unknown.
    pub total: u64,
}

impl Handle {
    /// Makes a handle for one call at a time.
    pub fn new() -> Handle {
        Handle::default()
    }

    /// Makes a handle that also tells of each stage as it begins: one who polls may miss a short one. `tell` is called by a thread that works.
    pub fn telling(tell: impl Fn(Reached) + Send + Sync + 'static) -> Handle {
        Handle { shared: Arc::new(Shared { tell: Some(Box::new(tell)), ..Shared::default() }) }
    }

    /// Asks the call to stop. The handle stays cancelled.
    pub fn cancel(&self) {
        self.shared.cancelled.store(true, Relaxed);
    }

    /// Returns how far the call has come, or `None` between stages.
    pub fn reached(&self) -> Option<Reached> {
        let stage = *self.shared.stage.lock().unwrap_or_else(PoisonError::into_inner);
        stage.map(|(stage, total)| Reached { stage, done: self.shared.done.load(Relaxed), total })
    }

    fn set(&self, stage: Option<(&'static str, u64)>) {
        self.shared.done.store(0, Relaxed);
        *self.shared.stage.lock().unwrap_or_else(PoisonError::into_inner) = stage;
    }
}

impl Progress for Handle {
    fn begin(&self, stage: &'static str, total: u64, _: Unit) {
        self.set(Some((stage, total)));
        if let Some(tell) = &self.shared.tell {
            tell(Reached { stage, done: 0, total });
        }
    }

    fn reach(&self, done: u64) {
        self.shared.done.fetch_max(done, Relaxed);
    }

    fn end(&self) {
        self.set(None);
    }

    fn is_cancelled(&self) -> bool {
        self.shared.cancelled.load(Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_tells_how_far_a_call_is() {
        let handle = Handle::new();
        assert_eq!(handle.reached(), None);
        let stage = Stage::begin(&handle, "joining", 10);
        stage.add(3);
        stage.add(4);
        assert_eq!(handle.reached(), Some(Reached { stage: "joining", done: 7, total: 10 }));
        assert_eq!(stage.check(), Ok(()));
        handle.clone().cancel();
        assert_eq!(stage.quiet().check(), Err(Cancelled));
        drop(stage);
        assert_eq!(handle.reached(), None);
    }

    #[test]
    fn a_handle_tells_of_every_stage() {
        let (sender, told) = std::sync::mpsc::channel();
        let handle = Handle::telling(move |reached| sender.send(reached.stage).unwrap());
        for stage in ["reading", "joining"] {
            Stage::begin(&handle, stage, 1).add(1);
        }
        assert_eq!(told.try_iter().collect::<Vec<_>>(), ["reading", "joining"]);
    }
}
