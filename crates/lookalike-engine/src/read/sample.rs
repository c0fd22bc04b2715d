//! A sample of the sets, and every pair that one of them is in, to measure the recall of signatures.
//!
//! The sample is the sets with the smallest hashes, so it does not depend on threads or order. The other sets are compared with it
//! one by one and need not be kept.

use std::collections::{BTreeMap, HashMap};

use lookalike::Threshold;
use lookalike::engine::common;

/// The most sets in the sample.
pub const MOST: usize = 4096;
/// The most sets of the sample that one set is compared with, per element that they share.
const MOST_COMPARED: usize = 64;

/// The sets with the smallest hashes so far.
#[derive(Default)]
pub struct Sample {
    sets: BTreeMap<u128, Vec<u64>>,
}

impl Sample {
    /// Adds a set if it belongs to the sample so far. Empty sets are in no pair.
    pub fn offer(&mut self, set_hash: u128, set: &[u64]) {
        let is_full = self.sets.len() >= MOST;
        if set.is_empty() || is_full && self.sets.last_key_value().is_some_and(|(last, _)| set_hash >= *last) {
            return;
        }
        self.sets.entry(set_hash).or_insert_with(|| set.to_vec());
        self.shrink(MOST);
    }

    /// Adds the sample of another thread.
    pub(crate) fn merge(&mut self, other: Sample) {
        self.sets.extend(other.sets);
        self.shrink(MOST);
    }

    /// Keeps only the `most` smallest.
    pub fn shrink(&mut self, most: usize) {
        while self.sets.len() > most {
            self.sets.pop_last();
        }
    }
}

/// Finds all sets that reach a threshold with a set of the sample. It uses prefixes: if two sets reach the threshold, their prefixes share
/// an element. Elements are ordered by the number of sets of the sample that have them, so elements that none has come first. A set with
/// too few elements in the sample is rejected at once, and that is nearly every set.
pub struct SampleIndex {
    threshold: Threshold,
    sets: Vec<Vec<u64>>,
    /// The index of a set in the sample, by hash.
    numbers: HashMap<u128, u32>,
    /// Every element of the sample, ascending, and the number of sets that have it.
    elements: Vec<u64>,
    counts: Vec<u32>,
    /// The start of the elements with the same highest bits.
    starts: Vec<u32>,
    shift: u32,
    /// The posting list of an element: the sets that have it in their prefix.
    postings: HashMap<u32, Vec<u32>>,
}

/// Buffers for lookups.
#[derive(Default)]
pub struct Lookup {
    places: Vec<(u32, u32)>,
    met: Vec<u32>,
}

impl SampleIndex {
    /// An index of these sets.
    pub fn new(sample: Sample, threshold: Threshold) -> SampleIndex {
        let (set_hashes, sets): (Vec<u128>, Vec<Vec<u64>>) = sample.sets.into_iter().unzip();
        let mut all: Vec<u64> = sets.iter().flatten().copied().collect();
        all.sort_unstable();
        let (mut elements, mut counts) = (Vec::new(), Vec::new());
        for run in all.chunk_by(|one, two| one == two) {
            elements.push(run[0]);
            counts.push(run.len() as u32);
        }
        drop(all);
        // About one element per start: elements are hashes, so they are spread evenly.
        let bits = elements.len().max(2).ilog2();
        let shift = u64::BITS - bits;
        let mut starts: Vec<u32> = Vec::with_capacity((1 << bits) + 1);
        for (place, element) in (0..).zip(&elements) {
            starts.resize(starts.len().max((element >> shift) as usize + 1), place);
        }
        starts.resize((1 << bits) + 1, elements.len() as u32);
        let numbers = set_hashes.into_iter().zip(0..).collect();
        let mut index =
            SampleIndex { threshold, sets, numbers, elements, counts, starts, shift, postings: HashMap::new() };
        let mut lookup = Lookup::default();
        for number in 0..index.sets.len() {
            index.look_up(&index.sets[number], &mut lookup);
            for &(_, place) in &lookup.places {
                index.postings.entry(place).or_default().push(number as u32);
            }
        }
        index
    }

    /// The number of sets in the sample.
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// The index of the set with this hash.
    pub fn number(&self, set_hash: u128) -> Option<u32> {
        self.numbers.get(&set_hash).copied()
    }

    /// Calls `each` with every set of the sample that reaches the threshold with `set`, and the number of sets it represents. In a large
    /// cluster a set may reach very many. Then only one in 2ᵏ is compared, and the low bits of `any` select which.
    pub fn probe(&self, set: &[u64], any: u32, lookup: &mut Lookup, mut each: impl FnMut(u32, u64)) {
        let size = set.len() as u32;
        self.look_up(set, lookup);
        let Lookup { places, met } = lookup;
        met.clear();
        let lists = || places.iter().filter_map(|(_, place)| self.postings.get(place));
        let longest = lists().map(Vec::len).max().unwrap_or(0);
        let one_in = longest.div_ceil(MOST_COMPARED).next_power_of_two() as u32;
        for list in lists() {
            met.extend(list.iter().filter(|&&number| (number ^ any) & (one_in - 1) == 0));
        }
        met.sort_unstable();
        met.dedup();
        let (least, greatest) = self.threshold.partners(size);
        for &number in &*met {
            let other = &self.sets[number as usize];
            let fits = (least..=greatest).contains(&(other.len() as u32));
            if fits && self.threshold.reaches(common(set, other), size, other.len() as u32) {
                each(number, one_in.into());
            }
        }
    }

    /// The elements of a set's prefix that occur in the sample, as (count, index), in no order.
    fn look_up(&self, set: &[u64], lookup: &mut Lookup) {
        let Lookup { places, .. } = lookup;
        places.clear();
        for &element in set {
            let start = (element >> self.shift) as usize;
            let range = self.starts[start] as usize..self.starts[start + 1] as usize;
            if let Some(at) = self.elements[range.clone()].iter().position(|&other| other == element) {
                let place = range.start + at;
                places.push((self.counts[place], place as u32));
            }
        }
        let nowhere = set.len() - places.len();
        let wanted = (self.threshold.long_prefix(set.len() as u32) as usize).saturating_sub(nowhere);
        if wanted < places.len() {
            places.select_nth_unstable(wanted);
            places.truncate(wanted);
        }
    }
}

#[cfg(test)]
mod tests {
    use lookalike::Measure;
    use std::collections::BTreeSet;

    use lookalike::engine::{hash_set, hash_token};
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_pair_of_the_sample(
            sets in prop::collection::vec(prop::collection::btree_set(0u64..14, 1..10), 1..30),
            value in prop::sample::select(vec!["0.3", "0.5", "0.6", "0.8", "1"]),
            most in 1usize..8,
        ) {
            let threshold = Threshold::new(Measure::Jaccard, value).unwrap();
            // Elements are hashes.
            let hashed = |set: BTreeSet<u64>| set.into_iter().map(|element| hash_token(&element.to_le_bytes())).collect();
            let mut sets: Vec<Vec<u64>> = sets.into_iter().map(hashed).collect();
            sets.iter_mut().for_each(|set| set.sort_unstable());
            let mut sample = Sample::default();
            sets.iter().for_each(|set| sample.offer(hash_set(set), set));
            sample.shrink(most);
            let index = SampleIndex::new(sample, threshold);
            for set in &sets {
                let mut found = Vec::new();
                index.probe(set, 0, &mut Lookup::default(), |number, _| found.push(number));
                let reaches = |other: &Vec<u64>| {
                    threshold.reaches(common(set, other), set.len() as u32, other.len() as u32)
                };
                let mut expected: Vec<u32> = sets.iter().filter(|other| reaches(other))
                    .filter_map(|other| index.number(hash_set(other))).collect();
                expected.sort_unstable();
                expected.dedup();
                prop_assert_eq!(found, expected);
            }
        }
    }
}
