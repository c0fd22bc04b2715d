//! Complete and true: the pairs of the index, with its groups of equal sets, are those of brute force.

use std::collections::BTreeSet;

use lookalike::{Pair, SetStore, Threshold, brute_pairs};
use proptest::prelude::*;

use crate::oracle::{Sets, collections, counter_bytes, index, larger_collection, thresholds, with_threads};

pub fn all_pairs(sets: &Sets, threshold: Threshold, counter_bytes: usize) -> Vec<Pair> {
    let order: Vec<u32> = (0..sets.len() as u32).collect();
    let mut index = index(sets, &order, 0, threshold, counter_bytes);
    let between: BTreeSet<(u32, u32)> = index.pairs(|_| ()).iter().map(|pair| (pair.a, pair.b)).collect();
    let mut pairs = Vec::new();
    for a in order.iter().copied() {
        for b in a + 1..sets.len() as u32 {
            let (x, y) = (index.groups().first(a), index.groups().first(b));
            if x == y || between.contains(&(x.min(y), x.max(y))) {
                pairs.push(Pair { a, b, common: index.common(a, b) });
            }
        }
    }
    pairs
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn pairs_are_those_of_brute_force(sets in collections(), threshold in thresholds(), bytes in counter_bytes()) {
        let store: SetStore = sets.iter().collect();
        let expected = brute_pairs(&store, &threshold);
        for threads in [1, 3] {
            prop_assert_eq!(with_threads(threads, || all_pairs(&sets, threshold, bytes)), &expected[..]);
        }
    }
}

/// Thousands of sets, so that blocks, long lists and crowded counters occur.
#[test]
fn a_larger_collection() {
    let sets = larger_collection(3000);
    let store: SetStore = sets.iter().collect();
    let threshold = Threshold::new(lookalike::Measure::Jaccard, "0.8").unwrap();
    let expected = brute_pairs(&store, &threshold);
    assert!(expected.len() > 1000);
    assert_eq!(all_pairs(&sets, threshold, 1 << 20), expected);

    let order: Vec<u32> = (0..sets.len() as u32).collect();
    let mut index = crate::oracle::index(&sets, &order, 0, threshold, 1 << 20);
    assert_eq!(index.estimate_pairs(u32::MAX), expected.len() as u64);
    let estimate = index.estimate_pairs(500);
    assert!(estimate > expected.len() as u64 / 2 && estimate < expected.len() as u64 * 2, "{estimate}");
}
