//! How are elements numbered by ascending frequency, on all cores?
//!
//! ```text
//! cut the records into chunks, one per thread
//! for every chunk:  replace every element by its place in the chunk's own table, counting; sort the table by hash   (parallel)
//! cut the range of hashes into parts
//! for every part:   merge its elements from all tables; sort them by (count, hash)                                   (parallel)
//! number the elements of all parts by (count, part, place)
//! for every chunk:  replace every place by its number; sort each set                                                 (parallel)
//! ```
//!
//! Table positions and numbers are stored in the output itself. Besides the sets, only the distinct elements take
//! memory.

use std::ops::Range;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rayon::prelude::*;

use crate::arch::prefetch;
use crate::sets::{SetStore, SetsError};

/// Parts per thread: enough that no thread waits long for the last.
const PARTS: usize = 4;
/// How many sets ahead to prefetch: in order of size, they are spread over the store.
const AHEAD: usize = 8;

/// Returns the coded sets of these documents, one after another and each ascending, and how often each number occurs.
/// `starts` holds the start of each set, and finally the end of the last.
pub(in crate::join) fn code(
    store: &SetStore,
    documents: &[u32],
    starts: &[usize],
) -> Result<(Vec<u32>, Vec<u32>), SetsError> {
    code_within(u32::MAX as usize, store, documents, starts)
}

/// Like [`code`], with a limit on the distinct elements, which tests lower.
fn code_within(
    most: usize,
    store: &SetStore,
    documents: &[u32],
    starts: &[usize],
) -> Result<(Vec<u32>, Vec<u32>), SetsError> {
    let threads = rayon::current_num_threads().max(1);
    let mut elements = vec![0; starts.last().copied().unwrap_or(0)];
    let mut chunks = chunks(documents, starts, threads, &mut elements);
    chunks.par_iter_mut().try_for_each(|chunk| chunk.count(store, most))?;
    let mut parts: Vec<Part> = (0..threads * PARTS).map(|_| Part::default()).collect();
    let count = parts.len();
    parts.par_iter_mut().enumerate().for_each(|(number, part)| part.merge(&chunks, number, count));
    if parts.iter().map(|part| part.elements.len()).sum::<usize>() > most {
        return Err(SetsError::ManyElements);
    }
    let frequencies = number(&mut parts);
    chunks.par_iter_mut().for_each(|chunk| chunk.number(store, &parts));
    Ok((elements, frequencies))
}

/// Consecutive records.
struct Chunk<'a> {
    documents: &'a [u32],
    /// Their elements: first table positions, then numbers.
    coded: &'a mut [u32],
    /// The distinct elements, ascending.
    table: Vec<Counted>,
}

/// An element of a chunk.
struct Counted {
    element: u64,
    count: u32,
    place: u32,
}

/// Cuts the records into chunks with about equally many elements.
fn chunks<'a>(documents: &'a [u32], starts: &[usize], count: usize, mut coded: &'a mut [u32]) -> Vec<Chunk<'a>> {
    let (records, total) = (documents.len(), coded.len());
    let bound = |number: usize| starts[..records].partition_point(|&start| start < total * number / count);
    let mut chunks = Vec::with_capacity(count);
    for number in 0..count {
        let Range { start, end } = bound(number)..if number + 1 == count { records } else { bound(number + 1) };
        let (own, behind) = coded.split_at_mut(starts[end] - starts[start]);
        chunks.push(Chunk { documents: &documents[start..end], coded: own, table: Vec::new() });
        coded = behind;
    }
    chunks
}

impl Chunk<'_> {
    /// Replaces every element by its table position, and fills the table.
    fn count(&mut self, store: &SetStore, most: usize) -> Result<(), SetsError> {
        let mut table: HashTable<Counted> = HashTable::new();
        let mut coded = self.coded.iter_mut();
        for (at, &document) in self.documents.iter().enumerate() {
            if let Some(&later) = self.documents.get(at + AHEAD) {
                prefetch(store.set(later), 0);
            }
            for (&element, coded) in store.set(document).iter().zip(&mut coded) {
                let place = table.len() as u32;
                let same = |counted: &Counted| counted.element == element;
                *coded = match table.entry(mix(element), same, |counted| mix(counted.element)) {
                    Entry::Occupied(mut entry) => {
                        entry.get_mut().count += 1;
                        entry.get().place
                    }
                    Entry::Vacant(entry) => {
                        entry.insert(Counted { element, count: 1, place });
                        place
                    }
                };
            }
            // Positions have 32 bits.
            if table.len() > most {
                return Err(SetsError::ManyElements);
            }
        }
        self.table = table.into_iter().collect();
        self.table.sort_unstable_by_key(|counted| counted.element);
        Ok(())
    }

    /// The elements of a part that the table holds.
    fn of_part(&self, part: usize, parts: usize) -> &[Counted] {
        let bound = |part: usize| self.table.partition_point(|counted| part_of(counted.element, parts) < part);
        &self.table[bound(part)..bound(part + 1)]
    }

    /// Replaces every table position by its number, and sorts the sets.
    fn number(&mut self, store: &SetStore, parts: &[Part]) {
        let mut numbers = vec![0; self.table.len()];
        let mut numbered = parts.iter().flat_map(|part| part.elements.iter().zip(&part.numbers));
        for counted in &self.table {
            // A table holds some of the elements, in the same order.
            if let Some((_, &number)) = numbered.find(|&(&element, _)| element == counted.element) {
                numbers[counted.place as usize] = number;
            }
        }
        let mut coded = &mut *self.coded;
        for &document in self.documents {
            let (set, behind) = coded.split_at_mut(store.size(document) as usize);
            set.iter_mut().for_each(|element| *element = numbers[*element as usize]);
            set.sort_unstable();
            coded = behind;
        }
    }
}

/// Hashes an element over all bits, because your own elements need not be hashes.
#[inline]
fn mix(element: u64) -> u64 {
    let product = u128::from(element) * 0x9e37_79b9_7f4a_7c15;
    (product >> 64) as u64 ^ product as u64
}

/// The part of an element. Parts are ordered like elements.
fn part_of(element: u64, parts: usize) -> usize {
    ((u128::from(element) * parts as u128) >> 64) as usize
}

/// The elements in a range of hashes.
#[derive(Default)]
struct Part {
    /// Ascending.
    elements: Vec<u64>,
    /// The number of each, by position.
    numbers: Vec<u32>,
    /// The elements by count, each with its position.
    order: Vec<Key>,
    /// How many elements have each count, by ascending count.
    runs: Vec<Run>,
}

/// Count and position in one number, which sorts fastest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key(u64);

impl Key {
    fn new(count: u32, place: usize) -> Key {
        Key(u64::from(count) << 32 | place as u64)
    }

    fn count(self) -> u32 {
        (self.0 >> 32) as u32
    }

    fn place(self) -> usize {
        self.0 as u32 as usize
    }
}

/// Elements of one count in one part.
struct Run {
    count: u32,
    elements: usize,
    /// The number of the first.
    first: usize,
}

impl Part {
    /// Merges the elements of this part from all chunks.
    fn merge(&mut self, chunks: &[Chunk], part: usize, parts: usize) {
        let mut heads: Vec<&[Counted]> = chunks.iter().map(|chunk| chunk.of_part(part, parts)).collect();
        while let Some(element) = heads.iter().filter_map(|head| Some(head.first()?.element)).min() {
            let mut count = 0;
            for head in &mut heads {
                if let Some((counted, behind)) = head.split_first().filter(|(counted, _)| counted.element == element) {
                    count += counted.count;
                    *head = behind;
                }
            }
            self.order.push(Key::new(count, self.elements.len()));
            self.elements.push(element);
        }
        self.order.sort_unstable();
        let runs = self.order.chunk_by(|one, two| one.count() == two.count());
        self.runs = runs.map(|run| Run { count: run[0].count(), elements: run.len(), first: 0 }).collect();
    }

    /// Numbers the elements, once the first number of every run is known.
    fn number(&mut self) {
        self.numbers = vec![0; self.elements.len()];
        let numbers = self.runs.iter().flat_map(|run| run.first..run.first + run.elements);
        for (key, number) in std::mem::take(&mut self.order).into_iter().zip(numbers) {
            self.numbers[key.place()] = number as u32;
        }
    }
}

/// Numbers the elements of all parts, and returns how often each number occurs.
fn number(parts: &mut [Part]) -> Vec<u32> {
    let most = parts.iter().filter_map(|part| part.runs.last()).map(|run| run.count).max().unwrap_or(0);
    let mut next = vec![0; most as usize + 1];
    for run in parts.iter().flat_map(|part| &part.runs) {
        next[run.count as usize] += run.elements;
    }
    let mut frequencies = Vec::with_capacity(next.iter().sum());
    for (count, elements) in next.iter_mut().enumerate() {
        let first = frequencies.len();
        frequencies.resize(first + *elements, count as u32);
        *elements = first;
    }
    for run in parts.iter_mut().flat_map(|part| &mut part.runs) {
        let next = &mut next[run.count as usize];
        run.first = *next;
        *next += run.elements;
    }
    parts.par_iter_mut().for_each(Part::number);
    frequencies
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The error for 2³² or more distinct elements, in one thread's share or in total.
    #[test]
    fn elements_that_cannot_be_numbered_are_an_error() {
        let store: SetStore = [vec![1, 2, 3], vec![2, 3, 4], vec![4, 5, 6]].into_iter().collect();
        let code = |most| code_within(most, &store, &[0, 1, 2], &[0, 3, 6, 9]).map(|(_, frequencies)| frequencies);
        assert_eq!(code(6), Ok(vec![1, 1, 1, 2, 2, 2]));
        for most in 0..6 {
            assert_eq!(code(most), Err(SetsError::ManyElements), "{most}");
        }
    }
}
