//! Every join over coded records, against brute force: all measures, thresholds on the boundary, one collection and two.

use lookalike::join::paper::{self, Algorithm, Counts};
use lookalike::{Pair, Records, SetStore, Threshold, brute_pairs};
use proptest::prelude::*;

use crate::oracle::{Sets, collections, thresholds};

/// The pairs that a join finds, in order, and what it counted.
fn joined(sets: &Sets, threshold: &Threshold, split: Option<u32>, algorithm: Algorithm) -> (Vec<Pair>, Counts) {
    let store: SetStore = sets.iter().collect();
    let documents: Vec<u32> = (0..sets.len() as u32).collect();
    let records = Records::code(&store, &documents, split);
    let mut pairs = Vec::new();
    let counts = paper::join(&records, threshold, algorithm, &mut |pair| pairs.push(pair));
    pairs.sort_unstable();
    (pairs, counts)
}

fn expected(sets: &Sets, threshold: &Threshold, split: Option<u32>) -> Vec<Pair> {
    let store: SetStore = sets.iter().collect();
    let mut pairs = brute_pairs(&store, threshold);
    pairs.retain(|pair| split.is_none_or(|split| pair.a < split && pair.b >= split));
    pairs
}

fn algorithms() -> impl Iterator<Item = Algorithm> {
    let depths = [0, 1, 3, 10].map(|max_depth| Algorithm::PpJoinPlus { max_depth });
    Algorithm::ALL.into_iter().chain(depths)
}

fn check(sets: &Sets, threshold: &Threshold, split: Option<u32>) {
    let expected = expected(sets, threshold, split);
    let mut all: Vec<Counts> = Vec::new();
    for algorithm in algorithms() {
        let (pairs, counts) = joined(sets, threshold, split, algorithm);
        assert_eq!(pairs, expected, "{algorithm:?} {threshold:?} {split:?}");
        assert_eq!(counts.results, expected.len() as u64);
        assert!(counts.candidates_by_prefix >= counts.after_positional);
        assert!(counts.after_positional >= counts.after_suffix);
        assert!(counts.after_suffix >= counts.verified);
        all.push(counts);
    }
    // What each filter is for.
    let (all_pairs, ppjoin, plus) = (all[0], all[1], all[2]);
    assert!(ppjoin.index_entries <= all_pairs.index_entries && plus.index_entries == ppjoin.index_entries);
    assert!(ppjoin.after_suffix <= all_pairs.after_suffix && plus.after_suffix <= ppjoin.after_suffix);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn pairs_are_those_of_brute_force(sets in collections(), threshold in thresholds(), split in proptest::option::of(0..40u32)) {
        check(&sets, &threshold, split);
    }
}
