//! Reads blocks of rows, on all cores or one after another, reports how far that is, and stops if the job is cancelled.
//!
//! A worker takes the next block under a lock, so that a file is read in order and decompressed by the worker that holds the lock. Then it
//! releases the lock and processes the block's rows.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use lookalike::engine::{Cancelled, JoinError, Progress, Unit};
use lookalike_io::{Block, Blocks, Source};

use super::collector::Collector;
use crate::error::{Error, check_cancelled};

/// The blocks of files, one after another on this thread.
pub(crate) struct WatchedBlocks<'a> {
    blocks: Blocks<'a>,
    progress: &'a dyn Progress,
}

impl<'a> WatchedBlocks<'a> {
    /// Watches the blocks of these files.
    pub(crate) fn new(blocks: Blocks<'a>, sources: &[Source], progress: &'a dyn Progress) -> WatchedBlocks<'a> {
        progress.begin("reading", sources.iter().map(Source::size).sum(), Unit::Bytes);
        WatchedBlocks { blocks, progress }
    }

    pub(crate) fn next_block(&mut self) -> Result<Option<Block>, Error> {
        check_cancelled(self.progress)?;
        let next = self.blocks.next_block()?;
        self.progress.reach(self.blocks.taken());
        Ok(next)
    }
}

impl Drop for WatchedBlocks<'_> {
    fn drop(&mut self) {
        self.progress.end();
    }
}

impl Collector {
    /// Calls `read` with every block of `sources` on worker threads, and `take` with every result, in any order. The first `inputs` sources
    /// are the inputs. If `take` waits, it must stop waiting when the flag is set: another worker has failed. Returns the workers.
    pub(crate) fn work_through<W: Send, T>(
        &self,
        sources: &[Source],
        inputs: usize,
        progress: &dyn Progress,
        worker: impl Fn(usize) -> W + Sync,
        read: impl Fn(&mut W, &Block) -> Result<T, Error> + Sync,
        take: impl Fn(T, &AtomicBool) -> Result<(), Error> + Sync,
    ) -> Result<Vec<W>, Error> {
        progress.begin("reading", sources.iter().map(Source::size).sum(), Unit::Bytes);
        let taken = Arc::new(AtomicU64::new(0));
        let blocks = Mutex::new(
            Blocks::new(sources, &self.fields, taken.clone()).with_inputs(inputs).for_texts(self.max_document),
        );
        let failed: Mutex<Option<(usize, Error)>> = Mutex::new(None);
        let (stop, workers) = (AtomicBool::new(false), Mutex::new(Vec::new()));
        let work = |number| {
            let mut worker = worker(number);
            while !stop.load(Relaxed) {
                let next = blocks.lock().unwrap_or_else(PoisonError::into_inner).next_block();
                progress.reach(taken.load(Relaxed));
                let result = match next {
                    _ if progress.is_cancelled() => Err((usize::MAX, JoinError::from(Cancelled).into())),
                    Ok(Some(block)) => {
                        let result = read(&mut worker, &block).and_then(|made| take(made, &stop));
                        result.map_err(|error| (block.number, error))
                    }
                    Ok(None) => break,
                    Err(error) => Err((usize::MAX, error.into())),
                };
                if let Err(failure) = result {
                    stop.store(true, Relaxed);
                    let mut first = failed.lock().unwrap_or_else(PoisonError::into_inner);
                    // Workers take blocks in order and finish every block they take. So the first failure does not depend on the number of threads.
                    if first.as_ref().is_none_or(|first| failure.0 < first.0) {
                        *first = Some(failure);
                    }
                }
            }
            workers.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
        };
        std::thread::scope(|scope| {
            let (work, stop, failed) = (&work, &stop, &failed);
            for number in 1..self.threads {
                if let Err(source) = std::thread::Builder::new().spawn_scoped(scope, move || work(number)) {
                    stop.store(true, Relaxed);
                    let error = Error::Threads { threads: self.threads, source };
                    *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some((0, error));
                    return;
                }
            }
            work(0);
        });
        progress.end();
        match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some((_, error)) => Err(error),
            None => Ok(workers.into_inner().unwrap_or_else(PoisonError::into_inner)),
        }
    }
}
