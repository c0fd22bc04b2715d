//! Work on rows in memory, a block at a time, on several threads.

use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use lookalike::engine::{Cancelled, Stage};

/// Rows that a thread takes at a time. Their sets stay in the cache until they are stored, and no thread waits long for the last.
pub const ROWS: usize = 128;
/// For so few rows, threads and memory in large pages take longer to get than the rows to read.
pub const FEW: usize = 512;

/// How many of the threads are worth starting for so many rows.
pub fn threads_for(rows: usize, threads: usize) -> usize {
    threads.min(rows.div_ceil(FEW)).max(1)
}

/// Calls the function that `worker` makes for each thread with every block of rows. Returns what it returns, in the order of the rows.
pub fn by_blocks<T: Send, W: FnMut(Range<usize>) -> T>(
    rows: usize,
    threads: usize,
    stage: &Stage,
    worker: impl Fn() -> W + Sync,
) -> Result<Vec<T>, Cancelled> {
    let next = AtomicUsize::new(0);
    let work = || -> Result<Vec<(usize, T)>, Cancelled> {
        let (mut worker, mut done) = (worker(), Vec::new());
        loop {
            stage.check()?;
            let start = next.fetch_add(ROWS, Relaxed);
            if start >= rows {
                return Ok(done);
            }
            let end = (start + ROWS).min(rows);
            done.push((start, worker(start..end)));
            stage.add(end - start);
        }
    };
    let threads = threads_for(rows, threads);
    let parts: Vec<_> = if threads == 1 {
        vec![work()]
    } else {
        std::thread::scope(|scope| {
            let running: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            running.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
        })
    };
    let mut done: Vec<(usize, T)> = parts.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
    done.sort_unstable_by_key(|(start, _)| *start);
    Ok(done.into_iter().map(|(_, made)| made).collect())
}
