//! Every join over coded records, against brute force: all measures, thresholds on the boundary, one collection and two.

use lookalike::engine::{
    Algorithm, Counts, Join, PaperAlgorithm, Records, SetPair, SetStore, Side, Stage, brute_pairs, paper_join,
};
use lookalike::{Measure, Threshold};
use proptest::prelude::*;

use crate::oracle::{Sets, collections, larger_collection, threshold_between, thresholds, with_threads};

/// The sets of a collection, coded.
fn coded(sets: &Sets) -> Records {
    let store: SetStore = sets.iter().collect();
    let documents: Vec<u32> = (0..sets.len() as u32).collect();
    Records::code(&store, &documents)
}

/// The pairs that a join finds, in order, and what it counted.
pub fn joined(
    sets: &Sets,
    threshold: &Threshold,
    split: Option<u32>,
    algorithm: PaperAlgorithm,
) -> (Vec<SetPair>, Counts) {
    let records = match split {
        Some(split) => coded(sets).on_sides(|document| if document < split { Side::First } else { Side::Second }),
        None => coded(sets),
    };
    let mut pairs = Vec::new();
    let counts = paper_join(&records, threshold, algorithm, &Stage::silent(), &mut |pair| pairs.push(pair)).unwrap();
    pairs.sort_unstable();
    (pairs, counts)
}

fn expected(sets: &Sets, threshold: &Threshold, split: Option<u32>) -> Vec<SetPair> {
    let store: SetStore = sets.iter().collect();
    let mut pairs = brute_pairs(&store, threshold);
    pairs.retain(|pair| split.is_none_or(|split| pair.a < split && pair.b >= split));
    pairs
}

fn check(sets: &Sets, threshold: &Threshold, split: Option<u32>) {
    let expected = expected(sets, threshold, split);
    let depths = [0, 1, 3, 10].map(|max_depth| PaperAlgorithm::PpJoinPlus { max_depth });
    let mut all: Vec<Counts> = Vec::new();
    for algorithm in PaperAlgorithm::ALL.into_iter().chain(depths) {
        let (pairs, counts) = joined(sets, threshold, split, algorithm);
        assert_eq!(pairs, expected, "{algorithm:?} {threshold:?} {split:?}");
        assert_eq!(counts.results, expected.len() as u64);
        assert!(counts.candidates_by_prefix >= counts.after_positional);
        assert!(counts.after_positional >= counts.after_suffix);
        assert!(counts.after_suffix >= counts.verified);
        all.push(counts);
    }
    let (all_pairs, ppjoin, plus) = (all[0], all[1], all[2]);
    assert!(ppjoin.index_entries <= all_pairs.index_entries && plus.index_entries == ppjoin.index_entries);
    assert!(ppjoin.after_suffix <= all_pairs.after_suffix && plus.after_suffix <= ppjoin.after_suffix);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn pairs_are_those_of_brute_force(
        sets in collections(),
        threshold in thresholds(),
        split in proptest::option::of(0..40u32),
    ) {
        check(&sets, &threshold, split);
    }

    #[test]
    fn a_pair_on_the_threshold_is_one(
        sets in collections(),
        measure in prop::sample::select(&Measure::ALL[..]),
        one: prop::sample::Index,
        split in proptest::option::of(0..40u32),
    ) {
        prop_assume!(!sets.is_empty());
        let one = one.index(sets.len());
        for threshold in sets.iter().filter_map(|two| threshold_between(&sets[one], two, measure)).take(3) {
            check(&sets, &threshold, split);
        }
    }
}

/// With one document on both sides, a record may look through the lists of two kinds of sides. Every candidate is still counted, as in
/// the three joins in which each document is on one side only and every candidate occurs in two of them.
#[test]
fn candidates_of_all_sides_are_counted() {
    let sets = larger_collection(300);
    let both = sets.iter().enumerate().max_by_key(|(_, set)| set.len()).map_or(0, |(at, _)| at as u32);
    let side = |document: u32| match document {
        _ if document == both => Side::Both,
        _ if document.is_multiple_of(2) => Side::First,
        _ => Side::Second,
    };
    for threshold in ["0.3", "0.5", "0.7"].map(|value| Threshold::new(Measure::Jaccard, value).unwrap()) {
        for algorithm in PaperAlgorithm::ALL {
            let counts = |side: &dyn Fn(u32) -> Side| {
                let records = coded(&sets).on_sides(side);
                let counts = paper_join(&records, &threshold, algorithm, &Stage::silent(), &mut |_| ()).unwrap();
                [counts.candidates_by_prefix, counts.after_positional, counts.after_suffix, counts.results]
            };
            let alone = [Side::First, Side::Second, Side::Both]
                .map(|one| counts(&|document| if side(document) == one { Side::First } else { Side::Second }));
            let twice: Vec<u64> = (0..4).map(|at| alone.iter().map(|counts| counts[at]).sum()).collect();
            assert_eq!(counts(&side).map(|count| 2 * count).to_vec(), twice, "{algorithm:?} {threshold:?}");
        }
    }
}

#[test]
fn a_larger_collection() {
    let sets = larger_collection(2000);
    for (measure, value) in Measure::ALL.into_iter().zip(["0.6", "0.7", "0.75", "0.6", "20", "0.9", "9"]) {
        let threshold = Threshold::new(measure, value).unwrap();
        assert!(expected(&sets, &threshold, None).len() > 1000);
        check(&sets, &threshold, None);
        check(&sets, &threshold, Some(700));
    }
}

#[test]
fn nothing_to_join() {
    for sets in [vec![], vec![vec![]], vec![vec![], vec![1], vec![]]] {
        for measure in Measure::ALL {
            check(&sets, &Threshold::new(measure, "1").unwrap(), None);
            check(&sets, &Threshold::new(measure, "1").unwrap(), Some(1));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// Whatever way they are found, the pairs are the same.
    #[test]
    fn every_algorithm_finds_the_same(
        sets in collections(),
        threshold in thresholds(),
        split in proptest::option::of(0..40u32),
        pinned: bool,
        threads in prop::sample::select(vec![1, 3]),
    ) {
        let store = || sets.iter().collect::<SetStore>();
        let split = split.map(|split| split.min(sets.len() as u32));
        let mut expected = brute_pairs(&store(), &threshold);
        if let Some(split) = split {
            // Two collections; or one, and a reference collection.
            expected.retain(|pair| pair.a < split && (pair.b >= split || pinned));
        }
        for algorithm in Algorithm::ALL {
            let join = Join::new(threshold).algorithm(algorithm);
            let join = match split {
                Some(split) if pinned => {
                    let order = (split..sets.len() as u32).chain(0..split).collect();
                    join.keep_order(order, sets.len() - split as usize)
                }
                Some(split) => join.across(split),
                None => join,
            };
            let found = with_threads(threads, || join.pairs(store()).unwrap());
            prop_assert_eq!(&found, &expected, "{}", algorithm);
        }
    }
}
