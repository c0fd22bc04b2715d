//! Sorting more than memory holds.
//!
//! Entries arrive from any thread in any order. A full buffer is sorted and written to a temporary file as a *run*; at the end the runs
//! are merged while they are read. The file has no name: it goes away with the process, however that ends.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// What is sorted: by the first number, then the second, then the third.
pub(crate) type Entry = [u32; 3];

const ENTRY: usize = size_of::<Entry>();

/// Takes entries in.
pub(crate) struct Sorter {
    /// Entries of a run.
    capacity: usize,
    /// Bytes for all buffers together.
    budget: usize,
    filling: Mutex<Vec<Entry>>,
    /// How many more buffers may be full at a time.
    free: Mutex<usize>,
    freed: Condvar,
    spool: Mutex<Spool>,
}

/// Most buffers that are full at a time. More would be shorter, and so would be the runs.
const MOST_FULL: usize = 16;

/// The runs written so far, one behind the other.
#[derive(Default)]
struct Spool {
    file: Option<File>,
    ends: Vec<u64>,
    failed: Option<io::Error>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Sorter {
    /// A sorter in so many bytes of memory, for so many threads.
    pub(crate) fn new(budget: usize, threads: usize) -> Sorter {
        // While threads sort and write those that are full, one more is being filled.
        let full = threads.min(MOST_FULL);
        Sorter {
            capacity: (budget / (full + 1) / ENTRY).max(1),
            budget,
            filling: Mutex::default(),
            free: Mutex::new(full),
            freed: Condvar::new(),
            spool: Mutex::default(),
        }
    }

    /// Takes some entries. If they cannot be kept, [`Sorter::finish`] says so.
    pub(crate) fn push(&self, mut entries: &[Entry]) {
        while !entries.is_empty() {
            let mut filling = locked(&self.filling);
            if filling.capacity() == 0 {
                filling.reserve_exact(self.capacity);
            }
            let (some, rest) = entries.split_at(entries.len().min(self.capacity - filling.len()));
            filling.extend_from_slice(some);
            entries = rest;
            if filling.len() == self.capacity {
                // Meanwhile nobody else can fill one either.
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

    fn spill(&self, mut run: Vec<Entry>) {
        run.sort_unstable();
        let mut spool = locked(&self.spool);
        if spool.failed.is_none() {
            spool.failed = spool.write(&run).err();
        }
    }

    /// All entries in order.
    pub(crate) fn finish(self) -> io::Result<Sorted> {
        let mut last = self.filling.into_inner().unwrap_or_else(PoisonError::into_inner);
        let spool = self.spool.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = spool.failed {
            return Err(error);
        }
        last.sort_unstable();
        let starts = [0].into_iter().chain(spool.ends.iter().copied());
        let mut runs: Vec<Run> = starts.zip(&spool.ends).map(|(start, &end)| Run::spooled(start..end)).collect();
        runs.push(Run::in_memory(last));
        let buffer = (self.budget / runs.len() / ENTRY).clamp(LEAST_BUFFER, self.capacity.max(LEAST_BUFFER));
        Sorted::new(spool.file, runs, buffer)
    }
}

impl Spool {
    fn write(&mut self, run: &[Entry]) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(tempfile::tempfile()?),
        };
        let mut bytes = Vec::with_capacity(LEAST_BUFFER * ENTRY);
        for some in run.chunks(LEAST_BUFFER) {
            bytes.clear();
            bytes.extend(some.as_flattened().iter().flat_map(|number| number.to_le_bytes()));
            file.write_all(&bytes)?;
        }
        let before = self.ends.last().copied().unwrap_or(0);
        self.ends.push(before + run.len() as u64);
        Ok(())
    }
}

/// Entries that are read or written at once, at least.
const LEAST_BUFFER: usize = 1 << 11;

/// Entries in order.
pub(crate) struct Sorted {
    file: Option<File>,
    runs: Vec<Run>,
    /// Entries that are read of a run at once.
    buffer: usize,
    /// The next entry of each run that has one.
    heads: BinaryHeap<Reverse<(Entry, usize)>>,
}

/// One run: what is in memory of it, and what is still in the file.
struct Run {
    buffer: Vec<Entry>,
    next: usize,
    rest: Range<u64>,
}

impl Run {
    fn in_memory(buffer: Vec<Entry>) -> Run {
        Run { buffer, next: 0, rest: 0..0 }
    }

    fn spooled(rest: Range<u64>) -> Run {
        Run { buffer: Vec::new(), next: 0, rest }
    }

    fn next(&mut self, file: &mut Option<File>, most: usize) -> io::Result<Option<Entry>> {
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
        let mut bytes = vec![0; count * ENTRY];
        file.seek(SeekFrom::Start(self.rest.start * ENTRY as u64))?;
        file.read_exact(&mut bytes)?;
        let number = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        self.buffer.clear();
        self.buffer.extend(bytes.chunks_exact(ENTRY).map(|entry| [0, 4, 8].map(|at| number(&entry[at..]))));
        self.next = 0;
        self.rest.start += count as u64;
        Ok(())
    }
}

impl Sorted {
    fn new(file: Option<File>, runs: Vec<Run>, buffer: usize) -> io::Result<Sorted> {
        let mut sorted = Sorted { file, runs, buffer, heads: BinaryHeap::new() };
        for run in 0..sorted.runs.len() {
            if let Some(entry) = sorted.runs[run].next(&mut sorted.file, buffer)? {
                sorted.heads.push(Reverse((entry, run)));
            }
        }
        Ok(sorted)
    }

    /// The next entry, if it belongs to `first`, or to one before it.
    pub(crate) fn next_of(&mut self, first: u32) -> io::Result<Option<Entry>> {
        let Some(mut head) = self.heads.peek_mut() else { return Ok(None) };
        let Reverse((entry, run)) = *head;
        if entry[0] > first {
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

    fn drain(sorter: Sorter) -> Vec<Entry> {
        let mut sorted = sorter.finish().unwrap();
        std::iter::from_fn(|| sorted.next_of(u32::MAX).unwrap()).collect()
    }

    proptest! {
        /// Whatever the memory and however the entries come.
        #[test]
        fn sorted_as_in_memory(
            parts in proptest::collection::vec(proptest::collection::vec(any::<[u8; 3]>(), 0..50), 0..20),
            budget in 0..4000usize,
            threads in 1..4usize,
        ) {
            let parts: Vec<Vec<Entry>> =
                parts.into_iter().map(|part| part.into_iter().map(|entry| entry.map(u32::from)).collect()).collect();
            let sorter = Sorter::new(budget, threads);
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

    /// Runs that are longer than what is read of them at once.
    #[test]
    fn long_runs() {
        let sorter = Sorter::new(10 * LEAST_BUFFER * ENTRY, 1);
        let scattered = |n: u32| [n.wrapping_mul(0x9e37_79b1), n, 7];
        let mut expected: Vec<Entry> = (0..100_000).map(scattered).collect();
        expected.chunks(999).for_each(|some| sorter.push(some));
        expected.sort_unstable();
        assert!(drain(sorter) == expected);
    }

    #[test]
    fn only_as_far_as_asked() {
        let sorter = Sorter::new(0, 1);
        sorter.push(&[[3, 0, 0], [1, 0, 0], [2, 0, 0], [2, 1, 0]]);
        let mut sorted = sorter.finish().unwrap();
        let mut of = |first| std::iter::from_fn(|| sorted.next_of(first).unwrap()).count();
        assert_eq!([of(0), of(1), of(2), of(2), of(9)], [0, 1, 2, 0, 1]);
    }
}
