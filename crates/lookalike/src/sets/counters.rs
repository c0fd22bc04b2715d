//! How many sets hold an element, or more: a table of counters indexed by the top bits of the hash.
//!
//! Elements that share a slot are counted together, so a count may be too high, which costs work and never a pair. It is never too
//! low: every slot has one writer. The table is cut into ranges of slots; since a set is sorted by hash, the part of it that falls
//! into a range is a slice, so a thread walks over all sets with a cursor in each and counts only its own slots, and a range is small
//! enough to stay in its cache meanwhile.

use std::collections::HashMap;

use rayon::prelude::*;

use super::slab::Slab;
use super::store::SetStore;
use crate::arch::prefetch;

/// Slots counted at one go: half of a small second-level cache.
const RANGE: usize = 1 << 19;
/// Elements of a set that make a visit of one range worth its while.
const WORTH: usize = 8;
/// How many visits ahead memory is asked for: the slices of two sets are nowhere near each other.
const AHEAD: usize = 8;
/// Elements of a cache line.
const LINE: usize = 8;

pub(crate) struct Counters {
    slots: Slab,
    /// Counts of the slots that stand at 255: few, since a slot needs that many elements to get there.
    beyond: HashMap<usize, u32>,
    shift: u32,
}

impl Counters {
    /// Counts the elements of these documents' sets in a table of at most `bytes`; and of each set, how many occur in no other.
    pub(crate) fn count(store: &SetStore, documents: &[u32], bytes: usize) -> (Counters, Vec<u32>) {
        let total: usize = documents.par_iter().map(|&document| store.size(document) as usize).sum();
        // Half again as many slots as elements: a third of those that occur once look as if they occurred twice.
        let wanted = (total + total / 2).next_power_of_two();
        let bits = wanted.min(1 << bytes.max(2).ilog2()).max(2).ilog2();
        let shift = 64 - bits;
        let mut table = Slab::new(1 << bits);
        let slots = &mut table.bytes_mut()[..1 << bits];

        let most = (total / (WORTH * documents.len().max(1))).max(1);
        let ranges = (slots.len() / RANGE).clamp(1, most).next_power_of_two();
        let range = slots.len().div_ceil(ranges).max(1);
        let share = slots.len().div_ceil(rayon::current_num_threads()).next_multiple_of(range);
        let (beyond, singles) = slots
            .par_chunks_mut(share)
            .enumerate()
            .map(|(number, slots)| {
                let mut share = Share { store, documents, first: number * share, slots, shift, beyond: HashMap::new() };
                let singles = share.count(range);
                (share.beyond, singles)
            })
            .reduce_with(|(mut beyond, mut singles), (more_beyond, more_singles)| {
                beyond.extend(more_beyond);
                singles.iter_mut().zip(more_singles).for_each(|(sum, more)| *sum += more);
                (beyond, singles)
            })
            .unwrap_or_default();
        (Counters { slots: table, beyond, shift }, singles)
    }

    /// In how many sets the element occurs, at least.
    #[inline]
    pub(crate) fn get(&self, element: u64) -> u32 {
        let slot = (element >> self.shift) as usize;
        match self.slots.bytes()[slot] {
            u8::MAX => self.beyond.get(&slot).map_or(u32::from(u8::MAX), |&count| count),
            count => u32::from(count),
        }
    }
}

/// The slots that one thread counts.
struct Share<'a> {
    store: &'a SetStore,
    documents: &'a [u32],
    /// The number of the first slot.
    first: usize,
    slots: &'a mut [u8],
    shift: u32,
    beyond: HashMap<usize, u32>,
}

impl Share<'_> {
    /// Counts range by range; when a range is counted, and still in the cache, looks at it again for what occurs once.
    fn count(&mut self, range: usize) -> Vec<u32> {
        let (store, documents, first, shift) = (self.store, self.documents, self.first, self.shift);
        let slot = |element: u64| (element >> shift) as usize;
        let start = |&document: &u32| store.set(document).partition_point(|&element| slot(element) < first) as u32;
        let mut cursors: Vec<u32> = documents.iter().map(start).collect();
        let mut singles = vec![0; documents.len()];
        let end = first + self.slots.len();
        let mut from = first;
        while from < end {
            let to = (from + range).min(end);
            for at in 0..documents.len() {
                self.ask_for(at + AHEAD, &cursors);
                for &element in &store.set(documents[at])[cursors[at] as usize..] {
                    let slot = slot(element);
                    if slot >= to {
                        break;
                    }
                    self.add(slot);
                }
            }
            for at in 0..documents.len() {
                self.ask_for(at + AHEAD, &cursors);
                for &element in &store.set(documents[at])[cursors[at] as usize..] {
                    let slot = slot(element);
                    if slot >= to {
                        break;
                    }
                    cursors[at] += 1;
                    singles[at] += u32::from(self.slots[slot - first] <= 1);
                }
            }
            from = to;
        }
        singles
    }

    #[inline]
    fn ask_for(&self, at: usize, cursors: &[u32]) {
        if let (Some(&document), Some(&cursor)) = (self.documents.get(at), cursors.get(at)) {
            let set = self.store.set(document);
            prefetch(set, cursor as usize);
            prefetch(set, cursor as usize + LINE);
        }
    }

    #[inline]
    fn add(&mut self, slot: usize) {
        let count = &mut self.slots[slot - self.first];
        if *count == u8::MAX {
            let count = self.beyond.entry(slot).or_insert(u32::from(u8::MAX));
            *count = count.saturating_add(1);
        } else {
            *count += 1;
        }
    }
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
        ) {
            let sets: Vec<Vec<u64>> = sets.into_iter().map(|set| set.into_iter().collect()).collect();
            let store: SetStore = sets.iter().collect();
            let documents: Vec<u32> = (0..sets.len() as u32).collect();
            let (counters, singles) = Counters::count(&store, &documents, bytes);
            let mut total = 0;
            for &element in sets.iter().flatten() {
                let exact = sets.iter().filter(|set| set.binary_search(&element).is_ok()).count() as u32;
                prop_assert!(counters.get(element) >= exact);
                total += 1;
            }
            let slots: u64 = counters.slots.bytes().iter().map(|&count| u64::from(count)).sum::<u64>()
                + counters.beyond.values().map(|&count| u64::from(count) - 255).sum::<u64>();
            prop_assert_eq!(slots, total);
            for (set, &singles) in sets.iter().zip(&singles) {
                prop_assert_eq!(set.iter().filter(|&&element| counters.get(element) == 1).count(), singles as usize);
            }
        }
    }
}
