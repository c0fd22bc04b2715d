//! Numbers for elements, by ascending frequency, on all cores.
//!
//! ```text
//! cut the records into chunks, and the range of hashes into parts, each with its own table
//! for every chunk:  put every element into its part                          (parallel)
//! for every part:   replace every element by its place in the part's table, counting
//!                   sort the table by (count, hash)                          (parallel)
//! number the elements of all parts by (count, part, place)
//! for every chunk:  fetch every element's number; sort each set              (parallel)
//! ```
//!
//! A chunk puts its elements into a part, and fetches them again, in one and the same order: nothing but the elements need be kept.

use std::ops::Range;

use hashbrown::HashTable;
use rayon::prelude::*;

use crate::arch::prefetch;
use crate::sets::SetStore;

/// Elements of a part, about: its table should stay in the cache.
const PART: usize = if cfg!(test) { 16 } else { 1 << 15 };
const MOST_PARTS: usize = 1 << 10;
/// Chunks for each thread, so that none waits long for the last.
const CHUNKS: usize = 4;
/// How many sets ahead memory is asked for: in order of size they lie all over the store.
const AHEAD: usize = 8;

/// The sets of these documents in numbers, one behind the other, each ascending, and how often each number occurs. `starts` is where the
/// sets start, and at last where the last one ends.
pub(super) fn code(store: &SetStore, documents: &[u32], starts: &[usize]) -> (Vec<u32>, Vec<u32>) {
    let total = starts.last().copied().unwrap_or(0);
    let parts = (total / PART).clamp(1, MOST_PARTS).next_power_of_two();
    let chunks = chunks(starts, rayon::current_num_threads() * CHUNKS);
    let scattered: Vec<Vec<Vec<u64>>> =
        chunks.par_iter().map(|chunk| scatter(store, &documents[chunk.clone()], parts)).collect();
    let mut parts: Vec<Part> = gather(scattered, parts);
    parts.par_iter_mut().for_each(Part::count);
    let frequencies = number(&mut parts);

    let mut elements = vec![0; total];
    let mut rest = &mut elements[..];
    let mut slices = Vec::with_capacity(chunks.len());
    for chunk in &chunks {
        let (slice, behind) = rest.split_at_mut(starts[chunk.end] - starts[chunk.start]);
        slices.push(slice);
        rest = behind;
    }
    slices.into_par_iter().zip(&chunks).enumerate().for_each(|(at, (slice, chunk))| {
        fetch(store, &documents[chunk.clone()], &parts, at, slice);
    });
    (elements, frequencies)
}

/// Ranges of records of about as many elements each.
fn chunks(starts: &[usize], count: usize) -> Vec<Range<usize>> {
    let (records, total) = (starts.len() - 1, starts[starts.len() - 1]);
    let bound = |number: usize| starts.partition_point(|&start| start < total / count * number).min(records);
    (0..count).map(|number| bound(number)..if number + 1 == count { records } else { bound(number + 1) }).collect()
}

/// The part that an element belongs to: its top bits, so that parts are in the order of hashes.
#[inline]
fn part(element: u64, parts: usize) -> usize {
    // In two steps, since one part leaves no bit, and a shift by 64 is none.
    (element >> 1 >> (63 - parts.ilog2())) as usize
}

/// Calls `each` with every set of these documents.
fn for_each_set(store: &SetStore, documents: &[u32], mut each: impl FnMut(&[u64])) {
    for (at, &document) in documents.iter().enumerate() {
        if let Some(&later) = documents.get(at + AHEAD) {
            prefetch(store.set(later), 0);
        }
        each(store.set(document));
    }
}

fn scatter(store: &SetStore, documents: &[u32], parts: usize) -> Vec<Vec<u64>> {
    let elements: usize = documents.iter().map(|&document| store.size(document) as usize).sum();
    // Hashes are spread evenly: an eighth more than their share is most often enough for all parts.
    let room = elements / parts * 9 / 8;
    let mut scattered: Vec<Vec<u64>> = (0..parts).map(|_| Vec::with_capacity(room)).collect();
    for_each_set(store, documents, |set| {
        for &element in set {
            scattered[part(element, parts)].push(element);
        }
    });
    scattered
}

/// The elements of a range of hashes.
struct Part {
    /// What each chunk has put here; after counting, its places in the table.
    from: Vec<Vec<u64>>,
    /// The different elements by (count, element), each with its place in the table.
    order: Vec<Key>,
    /// How many of them have one count, by ascending count.
    runs: Vec<Run>,
    /// By place: the number.
    numbers: Vec<u32>,
}

/// Count, element and place: one number, since those are sorted fastest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key(u128);

impl Key {
    fn new(count: u32, element: u64, place: usize) -> Key {
        Key(u128::from(count) << 96 | u128::from(element) << 32 | place as u128)
    }

    fn count(self) -> u32 {
        (self.0 >> 96) as u32
    }

    fn place(self) -> u32 {
        self.0 as u32
    }
}

/// Elements of one count in one part.
struct Run {
    count: u32,
    elements: usize,
    /// The number of the first of them.
    first: usize,
}

fn gather(scattered: Vec<Vec<Vec<u64>>>, parts: usize) -> Vec<Part> {
    let empty = |_| Part { from: Vec::new(), order: Vec::new(), runs: Vec::new(), numbers: Vec::new() };
    let mut gathered: Vec<Part> = (0..parts).map(empty).collect();
    for chunk in scattered {
        for (part, elements) in gathered.iter_mut().zip(chunk) {
            part.from.push(elements);
        }
    }
    gathered
}

impl Part {
    fn count(&mut self) {
        let mut table: Vec<(u64, u32)> = Vec::new();
        let most = self.from.iter().map(Vec::len).sum::<usize>().min(PART);
        let mut places: HashTable<u32> = HashTable::with_capacity(most);
        for element in self.from.iter_mut().flatten() {
            let found = places.find(mix(*element), |&place| table[place as usize].0 == *element);
            let place = found.copied().unwrap_or_else(|| {
                let place = table.len() as u32;
                table.push((*element, 0));
                places.insert_unique(mix(*element), place, |&place| mix(table[place as usize].0));
                place
            });
            table[place as usize].1 += 1;
            *element = u64::from(place);
        }
        let keys = table.iter().enumerate().map(|(place, &(element, count))| Key::new(count, element, place));
        self.order = keys.collect();
        self.order.sort_unstable();
        let runs = self.order.chunk_by(|one, two| one.count() == two.count());
        self.runs = runs.map(|run| Run { count: run[0].count(), elements: run.len(), first: 0 }).collect();
    }

    /// Numbers the elements, now that the first number of every run is known.
    fn number(&mut self) {
        self.numbers = vec![0; self.order.len()];
        let numbers = self.runs.iter().flat_map(|run| run.first..run.first + run.elements);
        for (key, number) in std::mem::take(&mut self.order).into_iter().zip(numbers) {
            self.numbers[key.place() as usize] = number as u32;
        }
    }
}

/// Spreads an element over all bits: those at the top are the same for the whole part.
#[inline]
fn mix(element: u64) -> u64 {
    let product = u128::from(element) * 0x9e37_79b9_7f4a_7c15;
    (product >> 64) as u64 ^ product as u64
}

/// Numbers the elements of all parts, and tells how often each number occurs.
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
    assert!(u32::try_from(frequencies.len()).is_ok(), "fewer than 2^32 different elements");
    for run in parts.iter_mut().flat_map(|part| &mut part.runs) {
        let next = &mut next[run.count as usize];
        run.first = *next;
        *next += run.elements;
    }
    parts.par_iter_mut().for_each(Part::number);
    frequencies
}

/// Fills in the numbers of a chunk's sets, and sorts them.
fn fetch(store: &SetStore, documents: &[u32], parts: &[Part], chunk: usize, mut numbers: &mut [u32]) {
    let mut next = vec![0_usize; parts.len()];
    for_each_set(store, documents, |set| {
        let (coded, behind) = std::mem::take(&mut numbers).split_at_mut(set.len());
        for (number, &element) in coded.iter_mut().zip(set) {
            let at = part(element, parts.len());
            *number = parts[at].numbers[parts[at].from[chunk][next[at]] as usize];
            next[at] += 1;
        }
        coded.sort_unstable();
        numbers = behind;
    });
}
