//! How to sort more entries than fit in memory: an external merge sort.
//!
//! Entries arrive from any thread in any order. A full buffer is sorted and written to a temporary file as a *run*. At the end the runs
//! are merged while they are read. The file has no name, so the system removes it even if the process is killed.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::space::Space;
use crate::error::Error;

/// What can be sorted: an entry of a fixed number of bytes.
pub trait Entry: Copy + Ord + Send {
    /// Bytes of an entry in a file.
    const BYTES: usize;
    /// Appends the bytes of the entry.
    fn put(&self, bytes: &mut Vec<u8>);
    /// Reads an entry from [`Entry::BYTES`] bytes.
    fn take(bytes: &[u8]) -> Self;
}

/// Sorts by the first number, then the second, and so on.
impl<const N: usize> Entry for [u32; N] {
    const BYTES: usize = 4 * N;

    fn put(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.iter().flat_map(|number| number.to_le_bytes()));
    }

    fn take(bytes: &[u8]) -> [u32; N] {
        let (numbers, _) = bytes.as_chunks::<4>();
        std::array::from_fn(|at| u32::from_le_bytes(numbers[at]))
    }
}

/// Collects entries and sorts them.
pub struct Sorter<T> {
    /// Entries in a run.
    capacity: usize,
    /// Bytes for all buffers together.
    budget: usize,
    filling: Mutex<Vec<T>>,
    /// How many more full buffers may wait to be written.
    free: Mutex<usize>,
    freed: Condvar,
    spool: Mutex<Runs>,
}

/// The most full buffers at a time. With more buffers each would be smaller, and the runs shorter.
const MOST_FULL: usize = 16;

/// The runs written so far, one after another.
struct Runs {
    space: Space,
    file: Option<File>,
    ends: Vec<u64>,
    failed: Option<Error>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T: Entry> Sorter<T> {
    /// A sorter that uses `budget` bytes of memory, takes entries from `threads` threads, and writes what does not fit into this space.
    pub fn new(budget: usize, threads: usize, space: &Space) -> Sorter<T> {
        // One more buffer is filled while the full ones are sorted and written.
        let full = threads.min(MOST_FULL);
        Sorter {
            capacity: (budget / (full + 1) / T::BYTES).max(1),
            budget,
            filling: Mutex::new(Vec::new()),
            free: Mutex::new(full),
            freed: Condvar::new(),
            spool: Mutex::new(Runs { space: space.clone(), file: None, ends: Vec::new(), failed: None }),
        }
    }

    /// Adds entries. If they cannot be written, [`Sorter::finish`] returns the error.
    pub fn push(&self, mut entries: &[T]) {
        while !entries.is_empty() {
            let mut filling = locked(&self.filling);
            if filling.capacity() == 0 {
                filling.reserve_exact(self.capacity);
            }
            let (some, rest) = entries.split_at(entries.len().min(self.capacity - filling.len()));
            filling.extend_from_slice(some);
            entries = rest;
            if filling.len() == self.capacity {
                // The lock on the buffer stays: no other thread can fill one meanwhile either.
                let free = self.freed.wait_while(locked(&self.free), |free| *free == 0);
                *free.unwrap_or_else(PoisonError::into_inner) -= 1;
                let full = std::mem::take(&mut *filling);
                drop(filling);
                self.spill(full);
                *locked(&self.free) += 1;
                self.freed.notify_one();
            }
        }
    }

    fn spill(&self, mut run: Vec<T>) {
        run.sort_unstable();
        let mut spool = locked(&self.spool);
        if spool.failed.is_none() {
            spool.failed = spool.write(&run).err();
        }
    }

    /// All entries in order.
    pub fn finish(self) -> Result<Sorted<T>, Error> {
        let mut last = self.filling.into_inner().unwrap_or_else(PoisonError::into_inner);
        let spool = self.spool.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = spool.failed {
            return Err(error);
        }
        last.sort_unstable();
        let starts = [0].into_iter().chain(spool.ends.iter().copied());
        let mut runs: Vec<Run<T>> = starts.zip(&spool.ends).map(|(start, &end)| Run::spooled(start..end)).collect();
        runs.push(Run::in_memory(last));
        let buffer = (self.budget / runs.len() / T::BYTES).clamp(LEAST_BUFFER, self.capacity.max(LEAST_BUFFER));
        let Runs { space, file, .. } = spool;
        Sorted::new(file, runs, buffer).map_err(|source| space.error(source))
    }
}

impl Runs {
    fn write<T: Entry>(&mut self, run: &[T]) -> Result<(), Error> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(self.space.file()?),
        };
        let mut bytes = Vec::with_capacity(LEAST_BUFFER * T::BYTES);
        for some in run.chunks(LEAST_BUFFER) {
            bytes.clear();
            some.iter().for_each(|entry| entry.put(&mut bytes));
            file.write_all(&bytes).map_err(|source| self.space.error(source))?;
            self.space.count(bytes.len() as u64);
        }
        let before = self.ends.last().copied().unwrap_or(0);
        self.ends.push(before + run.len() as u64);
        Ok(())
    }
}

/// The least number of entries read or written at once.
const LEAST_BUFFER: usize = 1 << 11;

/// Entries in order.
pub struct Sorted<T> {
    file: Option<File>,
    runs: Vec<Run<T>>,
    /// Entries of a run that are read at once.
    buffer: usize,
    /// The next entry of each run that has one.
    heads: BinaryHeap<Reverse<(T, usize)>>,
}

/// A run: the part in memory, and the part still in the file.
struct Run<T> {
    buffer: Vec<T>,
    next: usize,
    rest: Range<u64>,
}

impl<T: Entry> Run<T> {
    fn in_memory(buffer: Vec<T>) -> Run<T> {
        Run { buffer, next: 0, rest: 0..0 }
    }

    fn spooled(rest: Range<u64>) -> Run<T> {
        Run { buffer: Vec::new(), next: 0, rest }
    }

    fn next(&mut self, file: &mut Option<File>, most: usize) -> io::Result<Option<T>> {
        if self.next == self.buffer.len()
            && let Some(file) = file
        {
            self.fill(file, most)?;
        }
        let entry = self.buffer.get(self.next).copied();
        self.next += 1;
        Ok(entry)
    }

    fn fill(&mut self, file: &mut File, most: usize) -> io::Result<()> {
        let count = most.min((self.rest.end - self.rest.start) as usize);
        let mut bytes = vec![0; count * T::BYTES];
        file.seek(SeekFrom::Start(self.rest.start * T::BYTES as u64))?;
        file.read_exact(&mut bytes)?;
        self.buffer.clear();
        self.buffer.extend(bytes.chunks_exact(T::BYTES).map(T::take));
        self.next = 0;
        self.rest.start += count as u64;
        Ok(())
    }
}

impl<T: Entry> Sorted<T> {
    fn new(file: Option<File>, runs: Vec<Run<T>>, buffer: usize) -> io::Result<Sorted<T>> {
        let mut sorted = Sorted { file, runs, buffer, heads: BinaryHeap::new() };
        for run in 0..sorted.runs.len() {
            if let Some(entry) = sorted.runs[run].next(&mut sorted.file, buffer)? {
                sorted.heads.push(Reverse((entry, run)));
            }
        }
        Ok(sorted)
    }

    /// Takes the next entry if `is_wanted` accepts it.
    pub fn next_if(&mut self, is_wanted: impl FnOnce(&T) -> bool) -> io::Result<Option<T>> {
        let Some(mut head) = self.heads.peek_mut() else { return Ok(None) };
        let Reverse((entry, run)) = *head;
        if !is_wanted(&entry) {
            return Ok(None);
        }
        match self.runs[run].next(&mut self.file, self.buffer)? {
            Some(next) => *head = Reverse((next, run)),
            None => _ = std::collections::binary_heap::PeekMut::pop(head),
        }
        Ok(Some(entry))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    type Three = [u32; 3];

    fn drain(sorter: Sorter<Three>) -> Vec<Three> {
        let mut sorted = sorter.finish().unwrap();
        std::iter::from_fn(|| sorted.next_if(|_| true).unwrap()).collect()
    }

    proptest! {
        /// Any budget, any number of threads, entries in any order.
        #[test]
        fn sorted_as_in_memory(
            parts in proptest::collection::vec(proptest::collection::vec(any::<[u8; 3]>(), 0..50), 0..20),
            budget in 0..4000usize,
            threads in 1..4usize,
        ) {
            let parts: Vec<Vec<Three>> =
                parts.into_iter().map(|part| part.into_iter().map(|entry| entry.map(u32::from)).collect()).collect();
            let sorter = Sorter::new(budget, threads, &Space::default());
            std::thread::scope(|scope| {
                for own in parts.chunks(parts.len().div_ceil(threads).max(1)) {
                    scope.spawn(|| own.iter().for_each(|part| sorter.push(part)));
                }
            });
            let mut expected = parts.concat();
            expected.sort_unstable();
            prop_assert_eq!(drain(sorter), expected);
        }
    }

    /// Runs that are longer than the buffer they are read with.
    #[test]
    fn long_runs() {
        let sorter = Sorter::new(10 * LEAST_BUFFER * Three::BYTES, 1, &Space::default());
        let scattered = |n: u32| [n.wrapping_mul(0x9e37_79b1), n, 7];
        let mut expected: Vec<Three> = (0..100_000).map(scattered).collect();
        expected.chunks(999).for_each(|some| sorter.push(some));
        expected.sort_unstable();
        assert!(drain(sorter) == expected);
    }

    #[test]
    fn only_as_far_as_asked() {
        let sorter = Sorter::new(0, 1, &Space::default());
        sorter.push(&[[3, 0, 0], [1, 0, 0], [2, 0, 0], [2, 1, 0]]);
        let mut sorted = sorter.finish().unwrap();
        let mut of = |first| std::iter::from_fn(|| sorted.next_if(|entry| entry[0] <= first).unwrap()).count();
        assert_eq!([of(0), of(1), of(2), of(2), of(9)], [0, 1, 2, 0, 1]);
    }
}
