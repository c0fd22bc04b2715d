//! How many sets have an element? Tables of counters, indexed by the top bits of the hash.
//!
//! Elements that share a slot are counted together. So a count may be too high, which costs work but never a pair. It
//! is never too low, because every slot has one writer. There are two tables: first a [`sieve`] of two bits per slot
//! finds most sets that cannot have a partner, then [`Counters`] of a byte or more count the elements of the others,
//! for the order.
//!
//! A table is cut into ranges of slots. Sets are sorted by hash, so the part of a set in a range is a slice. Each
//! thread walks over all sets with a cursor in each and touches only its own slots, and the range stays in the cache.

use hashbrown::HashMap;
use rayon::prelude::*;

use super::element::Element;
use super::error::SetsError;
use super::store::SetStore;
use crate::arch::prefetch;
use crate::storage::{Region, Storage};

/// Bytes of a table processed at a time: they stay in the cache while every set is visited.
const RANGE: usize = 2 << 20;
/// The minimum elements of a set that are worth a visit.
const WORTH: usize = 8;
/// How many visits ahead to prefetch: slices of different sets are far apart.
const AHEAD: usize = 4;
/// How many elements ahead to prefetch slots.
const SLOTS_AHEAD: usize = 24;
/// Elements in a cache line.
const LINE: usize = 8;

/// Drops the documents whose sets have at least `enough` unique elements, using a table in this room.
pub(crate) fn sieve<T: Element>(
    store: &SetStore<T>,
    documents: &mut Vec<u32>,
    enough: impl Fn(u32) -> u32,
    room: CounterBudget,
) -> Result<(), SetsError> {
    sweep::<TwoBits, T>(store, documents, enough, room).map(|_| ())
}

/// Where a table of counters is stored, and how many bytes it may have. Fewer bytes cause more work, with the same
/// result.
#[derive(Clone, Copy)]
pub(crate) struct CounterBudget<'a> {
    pub(crate) storage: &'a dyn Storage,
    pub(crate) bytes: usize,
}

#[cfg(test)]
impl CounterBudget<'static> {
    pub(crate) fn of(bytes: usize) -> CounterBudget<'static> {
        CounterBudget { storage: &crate::storage::Memory, bytes }
    }
}

/// Counts of elements.
pub(crate) struct Counters {
    table: Region,
    /// Counts of the slots that reached 255. They are few, because a slot needs that many elements.
    beyond: HashMap<usize, u32>,
    shift: u32,
}

impl Counters {
    /// Counts the elements of these documents' sets in a table in this room, and drops the documents whose sets have at
    /// least `enough` unique elements.
    pub(crate) fn count<T: Element>(
        store: &SetStore<T>,
        documents: &mut Vec<u32>,
        enough: impl Fn(u32) -> u32,
        room: CounterBudget,
    ) -> Result<Counters, SetsError> {
        let Swept { table, cells, shift } = sweep::<Bytes, T>(store, documents, enough, room)?;
        Ok(Counters { table, beyond: cells.beyond, shift })
    }

    /// Returns in how many sets the element occurs; it may be too high.
    #[inline]
    pub(crate) fn get(&self, element: u64) -> u32 {
        let slot = (element >> self.shift) as usize;
        match self.table.bytes()[slot] {
            u8::MAX => self.beyond.get(&slot).map_or(u32::from(u8::MAX), |&count| count),
            count => u32::from(count),
        }
    }
}

/// The content of a slot.
trait Cells: Default + Send {
    /// Slots per byte.
    const PER_BYTE: usize;

    /// Counts one more.
    fn add(&mut self, bytes: &mut [u8], slot: usize);
    /// Whether at most one was counted.
    fn is_single(bytes: &[u8], slot: usize) -> bool;
    /// Takes over the overflow of another part of the table, which starts at slot `first`.
    fn merge(&mut self, other: Self, first: usize);
}

/// Counts none, one, or more.
#[derive(Default)]
struct TwoBits;

impl Cells for TwoBits {
    const PER_BYTE: usize = 4;

    #[inline]
    fn add(&mut self, bytes: &mut [u8], slot: usize) {
        let shift = slot % 4 * 2;
        let byte = &mut bytes[slot / 4];
        // 00 to 01, 01 to 11, 11 stays.
        *byte |= (1 | (*byte >> shift & 1) << 1) << shift;
    }

    #[inline]
    fn is_single(bytes: &[u8], slot: usize) -> bool {
        bytes[slot / 4] >> (slot % 4 * 2) & 2 == 0
    }

    fn merge(&mut self, _: TwoBits, _: usize) {}
}

/// A byte, with a table for the few slots that need more.
#[derive(Default)]
struct Bytes {
    beyond: HashMap<usize, u32>,
}

impl Cells for Bytes {
    const PER_BYTE: usize = 1;

    #[inline]
    fn add(&mut self, bytes: &mut [u8], slot: usize) {
        let count = &mut bytes[slot];
        if *count == u8::MAX {
            let count = self.beyond.entry(slot).or_insert(u32::from(u8::MAX));
            *count = count.saturating_add(1);
        } else {
            *count += 1;
        }
    }

    #[inline]
    fn is_single(bytes: &[u8], slot: usize) -> bool {
        bytes[slot] <= 1
    }

    fn merge(&mut self, other: Bytes, first: usize) {
        self.beyond.extend(other.beyond.into_iter().map(|(slot, count)| (first + slot, count)));
    }
}

/// A filled table.
struct Swept<C> {
    table: Region,
    cells: C,
    /// An element's slot is the element shifted right by this.
    shift: u32,
}

/// Fills a table from these documents' sets, and drops the documents with `enough` unique elements. Each thread has its
/// share of the slots.
fn sweep<C: Cells, T: Element>(
    store: &SetStore<T>,
    documents: &mut Vec<u32>,
    enough: impl Fn(u32) -> u32,
    room: CounterBudget,
) -> Result<Swept<C>, SetsError> {
    let total: usize = documents.par_iter().map(|&document| store.size(document) as usize).sum();
    // With 1.5 slots per element, a third of the unique elements look repeated.
    let wanted = (total + total / 2).next_power_of_two();
    let slots = wanted.min(C::PER_BYTE << room.bytes.max(1).ilog2()).max(4);
    let shift = 64 - slots.ilog2();
    let mut table = room.storage.allocate(slots / C::PER_BYTE, "the counters of elements")?;

    let most = (total / (WORTH * documents.len().max(1))).max(1);
    let threads = rayon::current_num_threads();
    let ranges = (slots / C::PER_BYTE / RANGE).clamp(1, most).max(threads).next_power_of_two();
    let range = (slots / ranges).max(C::PER_BYTE);
    let share = slots.div_ceil(threads).next_multiple_of(range);
    let enough: Vec<u32> = documents.iter().map(|&document| enough(document)).collect();
    let shares = table.bytes_mut()[..slots / C::PER_BYTE].par_chunks_mut(share / C::PER_BYTE).enumerate().map(
        |(number, bytes)| {
            let mut cells = C::default();
            let (first, end) = (number * share, slots.min((number + 1) * share));
            let walk = Walk { store, documents, enough: &enough, shift, first, end };
            let singles = walk.count(bytes, &mut cells, range);
            (cells, singles, first)
        },
    );
    let mut cells = C::default();
    let mut singles = vec![0; documents.len()];
    for (more, some, first) in shares.collect::<Vec<_>>() {
        cells.merge(more, first);
        singles.iter_mut().zip(some).for_each(|(sum, more)| *sum += more);
    }
    let mut at = 0;
    documents.retain(|_| {
        at += 1;
        singles[at - 1] < enough[at - 1]
    });
    Ok(Swept { table, cells, shift })
}

/// A thread's pass over all sets, in its share of the slots.
struct Walk<'a, T> {
    store: &'a SetStore<T>,
    documents: &'a [u32],
    enough: &'a [u32],
    shift: u32,
    first: usize,
    end: usize,
}

/// Elements read between two checks whether there are enough.
const LOOK: usize = 32;

impl<T: Element> Walk<'_, T> {
    /// Counts range by range. After a range is counted, and while it is still in the cache, finds the unique elements
    /// in it.
    fn count<C: Cells>(&self, bytes: &mut [u8], cells: &mut C, range: usize) -> Vec<u32> {
        let slot = |element: T| (element.top() >> self.shift) as usize - self.first;
        let before = |document: u32, slot: usize| position(self.store.set(document), slot, self.shift) as u32;
        let mut starts: Vec<u32> = self.documents.iter().map(|&document| before(document, self.first)).collect();
        let mut ends = vec![0; self.documents.len()];
        let mut singles = vec![0; self.documents.len()];
        let mut from = self.first;
        while from < self.end {
            let to = (from + range).min(self.end);
            for (at, &document) in self.documents.iter().enumerate() {
                self.prefetch_visit(at + AHEAD, &starts);
                ends[at] = before(document, to);
                let elements = &self.store.set(document)[starts[at] as usize..ends[at] as usize];
                for (place, &element) in elements.iter().enumerate() {
                    if let Some(&later) = elements.get(place + SLOTS_AHEAD) {
                        prefetch(bytes, slot(later) / C::PER_BYTE);
                    }
                    cells.add(bytes, slot(element));
                }
            }
            for (at, &document) in self.documents.iter().enumerate() {
                self.prefetch_visit(at + AHEAD, &starts);
                let elements = &self.store.set(document)[starts[at] as usize..ends[at] as usize];
                for some in elements.chunks(LOOK) {
                    if singles[at] >= self.enough[at] {
                        break;
                    }
                    singles[at] += some.iter().filter(|&&element| C::is_single(bytes, slot(element))).count() as u32;
                }
            }
            std::mem::swap(&mut starts, &mut ends);
            from = to;
        }
        singles
    }

    #[inline]
    fn prefetch_visit(&self, at: usize, starts: &[u32]) {
        if let (Some(&document), Some(&start)) = (self.documents.get(at), starts.get(at)) {
            let set = self.store.set(document);
            prefetch(set, start as usize);
            prefetch(set, start as usize + LINE);
        }
    }
}

/// How many elements the guess of [`position`] may be off before it searches.
const FAR: usize = 64;

/// Returns how many elements of a sorted set are in slots before this one. Hashes are uniform, so an interpolated guess
/// is close.
#[inline]
fn position<T: Element>(set: &[T], slot: usize, shift: u32) -> usize {
    let before = |element: T| ((element.top() >> shift) as usize) < slot;
    let mut at = ((((slot as u128) << shift) * set.len() as u128) >> 64) as usize;
    if (at + FAR < set.len() && before(set[at + FAR])) || (at > FAR && !before(set[at - FAR])) {
        return set.partition_point(|&element| before(element));
    }
    while at < set.len() && before(set[at]) {
        at += 1;
    }
    while at > 0 && !before(set[at - 1]) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn never_too_low(
            sets in proptest::collection::vec(proptest::collection::btree_set(prop_oneof![any::<u64>(), 0..5u64], 0..20), 0..400),
            bytes in prop_oneof![Just(1usize), Just(16), Just(1 << 20)],
            enough in 1..20u32,
        ) {
            let sets: Vec<Vec<u64>> = sets.into_iter().map(|set| set.into_iter().collect()).collect();
            let store: SetStore = sets.iter().collect();
            let documents: Vec<u32> = (0..sets.len() as u32).collect();
            let mut left = documents.clone();
            let counters = Counters::count(&store, &mut left, |document| enough.min(store.size(document) + 1), CounterBudget::of(bytes)).unwrap();
            let mut total = 0;
            for &element in sets.iter().flatten() {
                let exact = sets.iter().filter(|set| set.binary_search(&element).is_ok()).count() as u32;
                prop_assert!(counters.get(element) >= exact);
                total += 1;
            }
            let slots: u64 = counters.table.bytes().iter().map(|&count| u64::from(count)).sum::<u64>()
                + counters.beyond.values().map(|&count| u64::from(count) - 255).sum::<u64>();
            prop_assert_eq!(slots, total);
            let singles = |set: &[u64]| set.iter().filter(|&&element| counters.get(element) == 1).count();
            let expected: Vec<u32> =
                documents.iter().copied().filter(|&document| singles(store.set(document)) < enough as usize).collect();
            prop_assert_eq!(left, expected);

            let mut left = documents.clone();
            sieve(&store, &mut left, |document| enough.min(store.size(document) + 1), CounterBudget::of(bytes)).unwrap();
            let single = |element: &&u64| sets.iter().filter(|set| set.binary_search(element).is_ok()).count() == 1;
            for document in documents.iter().filter(|document| !left.contains(document)) {
                prop_assert!(sets[*document as usize].iter().filter(single).count() >= enough as usize);
            }
        }
    }
}
