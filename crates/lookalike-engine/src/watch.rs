use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use lookalike::Joinable;
use lookalike::join::Counted;

/// What a stage counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bytes of files.
    Bytes,
    /// Documents.
    Documents,
}

/// Looks on while a job runs: a progress bar, a log, nothing.
pub trait Watch: Sync {
    /// A stage begins that has so much to do.
    fn begin(&self, stage: &'static str, total: u64, unit: Unit);
    /// So much is done since the stage began.
    fn reach(&self, done: u64);
    /// The stage is over.
    fn end(&self);
    /// Something the user should know before it goes on.
    fn warn(&self, message: &str);
}

/// Sees nothing.
pub struct Silent;

impl Watch for Silent {
    fn begin(&self, _: &'static str, _: u64, _: Unit) {}
    fn reach(&self, _: u64) {}
    fn end(&self) {}
    fn warn(&self, _: &str) {}
}

/// A stage in which threads add up what they have done; over when it is dropped.
pub(crate) struct Progress<'a> {
    watch: &'a dyn Watch,
    done: AtomicU64,
}

impl<'a> Progress<'a> {
    /// Begins a stage of so many documents.
    pub(crate) fn begin(watch: &'a dyn Watch, stage: &'static str, documents: usize) -> Progress<'a> {
        watch.begin(stage, documents as u64, Unit::Documents);
        Progress { watch, done: AtomicU64::new(0) }
    }

    pub(crate) fn add(&self, more: usize) {
        let more = more as u64;
        self.watch.reach(self.done.fetch_add(more, Relaxed) + more);
    }

    /// So much is done in all.
    pub(crate) fn reach(&self, done: u64) {
        self.watch.reach(done);
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        self.watch.end();
    }
}

/// Documents that are looked at to foresee the number of pairs.
const SAMPLE: u32 = 512;
/// Pairs that a user wants to know of before they are begun: a hundred gigabytes of output.
const ENORMOUS: u64 = 1_000_000_000;

/// Says how many pairs are ahead, if they are enormously many.
pub(crate) fn announce(joinable: &mut Joinable, counted: Counted, watch: &dyn Watch) {
    if !joinable.may_reach(ENORMOUS, counted) {
        return;
    }
    if let Some(pairs) = joinable.estimate(SAMPLE, counted).filter(|&pairs| pairs >= ENORMOUS) {
        watch.warn(&format!("about {:.1} billion pairs are ahead", pairs as f64 / 1e9));
    }
}
