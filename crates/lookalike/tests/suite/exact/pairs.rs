//! Complete and true: the pairs of the sparse engine are those of brute force, however little memory it has.

use lookalike::Threshold;
use lookalike::engine::{Algorithm, Counted, Join, SetPair, SetStore, Stage, brute_pairs};
use proptest::prelude::*;

use crate::oracle::{
    Sets, Way, blocks, collections, counter_bytes, joinable, larger_collection, store, thresholds, with_threads,
};

pub fn all_pairs(sets: &Sets, threshold: Threshold, counter_bytes: usize) -> Vec<SetPair> {
    Join::new(threshold).algorithm(Algorithm::Sparse).counter_bytes(counter_bytes).pairs(sets.iter().collect()).unwrap()
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Whatever is taken together, by any algorithm.
    #[test]
    fn pairs_in_blocks(sets in collections(), threshold in thresholds(), block in blocks()) {
        let expected = brute_pairs(&sets.iter().collect(), &threshold);
        for algorithm in [Algorithm::Sparse, Algorithm::Light, Algorithm::Heavy] {
            let join = Join::new(threshold).algorithm(algorithm);
            let join = block.map_or(join.clone(), |block| join.block(block));
            for threads in [1, 3] {
                let found = with_threads(threads, || join.clone().pairs(sets.iter().collect()).unwrap());
                prop_assert_eq!(&found, &expected, "{}", algorithm);
            }
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
    for algorithm in [Algorithm::Sparse, Algorithm::Light] {
        let mut joinable = joinable(&sets, &order, 0, threshold, Way::usual(algorithm));
        assert!(joinable.may_reach(expected.len() as u64, Counted::Documents));
        let estimate = joinable.estimate(500, Counted::Documents).unwrap();
        assert!(estimate > expected.len() as u64 / 2 && estimate < expected.len() as u64 * 2, "{algorithm} {estimate}");
    }
}

/// A set that thousands of documents have weighs as much as they do in an estimate, not as much as all of them for each set drawn. Between
/// two collections, only pairs of one with the other count.
#[test]
fn estimates_with_a_set_of_many_copies() {
    let threshold = Threshold::new(lookalike::Measure::Jaccard, "0.8").unwrap();
    let mut sets = larger_collection(3000);
    let frequent: Vec<u64> = (1..=20).map(|number: u64| number << 58).collect();
    let near: Vec<u64> = frequent[1..].to_vec();
    for at in 0..1500 {
        sets.insert(at * 3, frequent.clone());
    }
    (0..40).for_each(|at| sets.insert(at * 100, near.clone()));
    let order: Vec<u32> = (0..sets.len() as u32).collect();
    let expected = brute_pairs(&sets.iter().collect(), &threshold);
    let is_near = |estimate: u64, count: usize| {
        let (low, high) = (count as u64 / 2, count as u64 * 2);
        assert!((low..=high).contains(&estimate), "{estimate} for {count}");
    };
    let split = 1700;
    let across = expected.iter().filter(|pair| pair.a < split && pair.b >= split).count();
    let different = expected.iter().filter(|pair| sets[pair.a as usize] != sets[pair.b as usize]);
    let set = |document: u32| &sets[document as usize];
    let different: std::collections::BTreeSet<_> =
        different.map(|pair| (set(pair.a).min(set(pair.b)), set(pair.a).max(set(pair.b)))).collect();
    for algorithm in [Algorithm::Sparse, Algorithm::Light] {
        let mut joinable = joinable(&sets, &order, 0, threshold, Way::usual(algorithm));
        is_near(joinable.estimate(200, Counted::Documents).unwrap(), expected.len());
        is_near(joinable.estimate(1000, Counted::Sets).unwrap(), different.len());
        let join = Join::new(threshold).algorithm(algorithm).across(split);
        let mut two = join.prepare(store(&sets), &Stage::silent()).unwrap();
        is_near(two.estimate(200, Counted::Documents).unwrap(), across);
    }
}

/// Two sets that are a pair whatever they share, and also meet at an element so frequent that it lies behind a short prefix: found once.
#[test]
fn small_sets_that_share_a_frequent_element() {
    let element = |number: u64| (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let set = |own: std::ops::Range<u64>, frequent: u64| {
        let mut set: Vec<u64> = own.chain(0..frequent).map(element).collect();
        set.sort_unstable();
        set
    };
    // Two by two they have enough in common not to be left out at once, and too little for a pair.
    let larger = (0..20).map(|number| number / 2 * 100 + number % 2 * 10).map(|own| set(1000 + own..1030 + own, 2));
    let sets: Sets = [set(100..106, 2), set(200..201, 1)].into_iter().chain(larger).collect();
    let threshold = Threshold::new(lookalike::Measure::Hamming, "10").unwrap();
    assert_eq!(all_pairs(&sets, threshold, 1 << 16), [SetPair { a: 0, b: 1, common: 1 }]);
}
