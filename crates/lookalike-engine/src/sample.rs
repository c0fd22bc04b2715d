//! A sample of the sets, and every pair that one of them is in: what a method by signatures is measured by.
//!
//! The sample is the sets with the least fingerprints, whichever thread meets them in whatever order. The other sets stream past it:
//! they need not be kept.

use std::collections::{BTreeMap, HashMap};

use lookalike::Threshold;
use lookalike::verify::common;

/// Sets that are kept at most.
const MOST: usize = 4096;

/// Sets by their fingerprints, the least of them.
#[derive(Default)]
pub(crate) struct Sample {
    sets: BTreeMap<u128, Vec<u64>>,
}

impl Sample {
    /// Takes a set if it belongs to the sample so far. Empty ones are in no pair.
    pub(crate) fn offer(&mut self, fingerprint: u128, set: &[u64]) {
        let is_full = self.sets.len() >= MOST;
        if set.is_empty() || is_full && self.sets.last_key_value().is_some_and(|(last, _)| fingerprint >= *last) {
            return;
        }
        self.sets.entry(fingerprint).or_insert_with(|| set.to_vec());
        self.shrink(MOST);
    }

    /// Takes another thread's.
    pub(crate) fn merge(&mut self, other: Sample) {
        self.sets.extend(other.sets);
        self.shrink(MOST);
    }

    /// Keeps only so many.
    pub(crate) fn shrink(&mut self, most: usize) {
        while self.sets.len() > most {
            self.sets.pop_last();
        }
    }
}

/// Finds all sets that reach a threshold with one of the sample, by their prefixes in the order of the hashes, which all sets are
/// sorted in: of two sets that reach it, the prefixes have an element in common.
pub(crate) struct SampleIndex {
    threshold: Threshold,
    sets: Vec<Vec<u64>>,
    /// By fingerprint, which set of the sample.
    numbers: HashMap<u128, u32>,
    postings: HashMap<u64, Vec<u32>>,
}

impl SampleIndex {
    pub(crate) fn new(sample: Sample, threshold: Threshold) -> SampleIndex {
        let mut index = SampleIndex { threshold, sets: Vec::new(), numbers: HashMap::new(), postings: HashMap::new() };
        for (number, (fingerprint, set)) in (0..).zip(sample.sets) {
            for &element in &set[..threshold.long_prefix(set.len() as u32) as usize] {
                index.postings.entry(element).or_default().push(number);
            }
            index.numbers.insert(fingerprint, number);
            index.sets.push(set);
        }
        index
    }

    /// How many sets the sample has.
    pub(crate) fn len(&self) -> usize {
        self.sets.len()
    }

    /// Which set of the sample has this fingerprint.
    pub(crate) fn number(&self, fingerprint: u128) -> Option<u32> {
        self.numbers.get(&fingerprint).copied()
    }

    /// Calls `each` with every set of the sample that reaches the threshold with this one. `met` is memory to work in.
    pub(crate) fn probe(&self, set: &[u64], met: &mut Vec<u32>, mut each: impl FnMut(u32)) {
        let size = set.len() as u32;
        met.clear();
        for element in &set[..self.threshold.long_prefix(size) as usize] {
            met.extend_from_slice(self.postings.get(element).map_or(&[][..], Vec::as_slice));
        }
        met.sort_unstable();
        met.dedup();
        let (least, greatest) = self.threshold.partners(size);
        for &number in &*met {
            let other = &self.sets[number as usize];
            let fits = (least..=greatest).contains(&(other.len() as u32));
            if fits && self.threshold.reaches(common(set, other), size, other.len() as u32) {
                each(number);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use lookalike::Measure;
    use lookalike::sets::hash_set;
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
            let sets: Vec<Vec<u64>> = sets.into_iter().map(|set| set.into_iter().collect()).collect();
            let mut sample = Sample::default();
            sets.iter().for_each(|set| sample.offer(hash_set(set), set));
            sample.shrink(most);
            let index = SampleIndex::new(sample, threshold);
            for set in &sets {
                let mut found = Vec::new();
                index.probe(set, &mut Vec::new(), |number| found.push(number));
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
