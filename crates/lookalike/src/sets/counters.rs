//! How many sets hold an element, or more: a table of counters indexed by the top bits of the hash.
//!
//! Elements that share a slot are counted together, so a count may be too high, which costs work and never a pair. It is never too
//! low: every slot has one writer. The table is cut into ranges of slots; since a set is sorted by hash, the part of it that falls
//! into a range is a slice, so a thread walks over all sets with a cursor in each and counts only its own slots, and a range is small
//! enough to stay in its cache meanwhile.

use std::collections::HashMap;

use rayon::prelude::*;

use super::store::SetStore;

/// Slots counted at one go: they stay close to the core while every set is visited once.
const RANGE: usize = 1 << 21;
/// Elements of a set that make a visit of one range worth its while.
const WORTH: usize = 8;

pub(crate) struct Counters {
    slots: Box<[u8]>,
    /// Counts of the slots that stand at 255: few, since a slot needs that many elements to get there.
    beyond: HashMap<usize, u32>,
    shift: u32,
}

impl Counters {
    /// Counts the elements of these documents' sets in a table of at most `bytes`.
    pub(crate) fn count(store: &SetStore, documents: &[u32], bytes: usize) -> Counters {
        let total: usize = documents.par_iter().map(|&document| store.size(document) as usize).sum();
        // Half again as many slots as elements: a third of those that occur once look as if they occurred twice.
        let wanted = (total + total / 2).next_power_of_two();
        let bits = wanted.min(1 << bytes.max(2).ilog2()).max(2).ilog2();
        let shift = 64 - bits;
        let mut slots = vec![0; 1 << bits].into_boxed_slice();

        let most = (total / (WORTH * documents.len().max(1))).max(1);
        let ranges = (slots.len() / RANGE).clamp(1, most).next_power_of_two();
        let range = slots.len().div_ceil(ranges).max(1);
        let share = slots.len().div_ceil(rayon::current_num_threads()).next_multiple_of(range);
        let beyond = slots
            .par_chunks_mut(share)
            .enumerate()
            .map(|(number, slots)| count_share(store, documents, slots, number * share, range, shift))
            .reduce(HashMap::new, |mut all, part| {
                all.extend(part);
                all
            });
        Counters { slots, beyond, shift }
    }

    /// Whether the element surely occurs in one set only.
    #[inline]
    pub(crate) fn is_single(&self, element: u64) -> bool {
        self.slots[(element >> self.shift) as usize] <= 1
    }

    /// In how many sets the element occurs, at least.
    #[inline]
    pub(crate) fn get(&self, element: u64) -> u32 {
        let slot = (element >> self.shift) as usize;
        match self.slots[slot] {
            u8::MAX => self.beyond.get(&slot).map_or(u32::from(u8::MAX), |&count| count),
            count => u32::from(count),
        }
    }
}

/// Counts one thread's share of the slots, the first of which is `first`, range by range.
fn count_share(
    store: &SetStore,
    documents: &[u32],
    slots: &mut [u8],
    first: usize,
    range: usize,
    shift: u32,
) -> HashMap<usize, u32> {
    let slot = |element: u64| (element >> shift) as usize;
    let mut beyond = HashMap::new();
    let mut cursors: Vec<u32> = documents
        .iter()
        .map(|&document| store.set(document).partition_point(|&element| slot(element) < first) as u32)
        .collect();
    let end = first + slots.len();
    let mut from = first;
    while from < end {
        let to = (from + range).min(end);
        for (&document, cursor) in documents.iter().zip(&mut cursors) {
            for &element in &store.set(document)[*cursor as usize..] {
                let slot = slot(element);
                if slot >= to {
                    break;
                }
                *cursor += 1;
                let count = &mut slots[slot - first];
                if *count == u8::MAX {
                    let count = beyond.entry(slot).or_insert(u32::from(u8::MAX));
                    *count = count.saturating_add(1);
                } else {
                    *count += 1;
                }
            }
        }
        from = to;
    }
    beyond
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
            let counters = Counters::count(&store, &documents, bytes);
            let mut total = 0;
            for &element in sets.iter().flatten() {
                let exact = sets.iter().filter(|set| set.binary_search(&element).is_ok()).count() as u32;
                prop_assert!(counters.get(element) >= exact);
                total += 1;
            }
            let slots: u64 = counters.slots.iter().map(|&count| u64::from(count)).sum::<u64>()
                + counters.beyond.values().map(|&count| u64::from(count) - 255).sum::<u64>();
            prop_assert_eq!(slots, total);
        }
    }
}
