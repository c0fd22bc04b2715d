//! Which piece of work does a worker take next?

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A sequence of work pieces, divided among workers so that each does consecutive pieces: a piece can reuse what the
/// one before computed. A worker without pieces takes over the second half of another worker's.
pub(super) struct Shares {
    /// By worker, the pieces left to it.
    left: Mutex<Vec<Range<usize>>>,
}

impl Shares {
    pub(super) fn new(pieces: usize, workers: usize) -> Shares {
        let workers = workers.clamp(1, pieces.max(1));
        let bound = |worker: usize| pieces * worker / workers;
        Shares { left: Mutex::new((0..workers).map(|worker| bound(worker)..bound(worker + 1)).collect()) }
    }

    pub(super) fn workers(&self) -> usize {
        self.lock().len()
    }

    /// The next piece for a worker.
    pub(super) fn next(&self, worker: usize) -> Option<usize> {
        let mut left = self.lock();
        if left[worker].is_empty() {
            let other = left.iter_mut().max_by_key(|pieces| pieces.len())?;
            let middle = other.start + other.len() / 2;
            let taken = middle..other.end;
            other.end = middle;
            left[worker] = taken;
        }
        left[worker].next()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Range<usize>>> {
        self.left.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_is_done_once_whoever_is_slow() {
        for pieces in 0..20 {
            for workers in 1..5 {
                for slow in 0..workers {
                    let shares = Shares::new(pieces, workers);
                    let mut done = Vec::new();
                    let busy = (0..shares.workers()).filter(|&worker| worker != slow).chain([slow]);
                    for worker in busy.filter(|&worker| worker < shares.workers()) {
                        done.extend(std::iter::from_fn(|| shares.next(worker)));
                    }
                    done.sort_unstable();
                    assert_eq!(done, (0..pieces).collect::<Vec<_>>(), "{workers} workers");
                }
            }
        }
    }
}
