//! Connected components are those of all pairs, though not all pairs are looked at.

use lookalike::engine::{Algorithm, Fate, PairSource, Roots, SetStore, Stage, brute_pairs, common, components};
use lookalike::{Measure, Threshold};
use proptest::prelude::*;

use crate::oracle::{
    Sets, Way, blocks, collections, counter_bytes, joinable, larger_collection, thresholds, with_threads,
};

/// One document of each component is kept, and the reference collection.
fn components_by_definition(sets: &Sets, order: &[u32], pinned: usize, threshold: Threshold) -> Vec<Fate> {
    let store: SetStore = sets.iter().collect();
    let place = |document: u32| order.iter().position(|&other| other == document).unwrap() as u32;
    let roots = Roots::new(sets.len());
    for pair in brute_pairs(&store, &threshold) {
        let (a, b) = (place(pair.a), place(pair.b));
        // Pairs within the reference collection are not wanted.
        if (a.max(b) as usize) >= pinned {
            roots.join(a, b);
        }
    }
    let groups_equal = threshold.measure() != Measure::Overlap;
    let is_equal = |x: u32, y: u32| groups_equal && store.size(x) > 0 && store.set(x) == store.set(y);
    for (at, &x) in order.iter().enumerate() {
        for &y in order[..at].iter().filter(|&&y| is_equal(x, y)) {
            roots.join(at as u32, place(y));
        }
    }
    let fate = |document: u32| {
        let at = place(document);
        let twin = order[roots.find(at) as usize];
        if twin == document || (at as usize) < pinned {
            return Fate::Kept;
        }
        let common = common(store.set(document), store.set(twin));
        let similarity = threshold.similarity(common, store.size(document), store.size(twin));
        let identical = order[..at as usize].iter().any(|&other| is_equal(document, other));
        Fate::Removed { twin, similarity, identical }
    };
    (0..sets.len() as u32).map(fate).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn components_are_those_of_the_definition(
        sets in collections(),
        threshold in thresholds(),
        bytes in counter_bytes(),
        turn in 0..30usize,
        reverse: bool,
        pinned in prop_oneof![Just(0usize), 0..10usize],
        block in blocks(),
    ) {
        let mut order: Vec<u32> = (0..sets.len() as u32).collect();
        order.rotate_left(turn.min(sets.len()));
        if reverse {
            order.reverse();
        }
        let pinned = pinned.min(order.len());
        let expected = components_by_definition(&sets, &order, pinned, threshold);
        for threads in [1, 3] {
            for algorithm in [Algorithm::Sparse, Algorithm::Light, Algorithm::Heavy, Algorithm::Brute] {
                let way = Way { algorithm, counter_bytes: bytes, block };
                let silent = Stage::silent();
                let mut source = joinable(&sets, &order, pinned, threshold, way);
                let (fates, pairs) = with_threads(threads, || {
                    let fates = components(&mut source, &silent).unwrap();
                    // What was looked for first leaves no trace.
                    (fates, source.pairs(&silent, &|_| ()).unwrap().results)
                });
                prop_assert_eq!(&fates, &expected, "{}", algorithm);
                let mut fresh = joinable(&sets, &order, pinned, threshold, way);
                prop_assert_eq!(pairs, fresh.pairs(&silent, &|_| ()).unwrap().results, "{}", algorithm);
            }
        }
    }
}

/// Hundreds of sets in clusters and chains, for every measure, with references and without.
#[test]
fn a_larger_collection_of_chains() {
    let sets = larger_collection(700);
    let order: Vec<u32> = (0..700).rev().collect();
    for (measure, value) in Measure::ALL.into_iter().zip(["0.6", "0.7", "0.75", "0.6", "20", "0.9", "6"]) {
        let threshold = Threshold::new(measure, value).unwrap();
        for pinned in [0, 60] {
            let expected = components_by_definition(&sets, &order, pinned, threshold);
            assert!(expected.iter().filter(|fate| !fate.is_kept()).count() > 50);
            for algorithm in [Algorithm::Auto, Algorithm::Sparse, Algorithm::Light] {
                let mut source = joinable(&sets, &order, pinned, threshold, Way::usual(algorithm));
                let fates = components(&mut source, &Stage::silent()).unwrap();
                assert_eq!(fates, expected, "{measure} {algorithm} {pinned}");
            }
        }
    }
}

/// A long chain of documents, each of which resembles the next few, and shares nothing with the first.
#[test]
fn a_chain_is_one_component() {
    let sets: Sets = (0..3000u64)
        .map(|at| {
            let mut set: Vec<u64> = (at..at + 40).map(|n| (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
            set.sort_unstable();
            set
        })
        .collect();
    let order: Vec<u32> = (0..3000).map(|at| at * 1231 % 3000).collect();
    let threshold = Threshold::new(Measure::Jaccard, "0.8").unwrap();
    for algorithm in [Algorithm::Sparse, Algorithm::Light] {
        let mut source = joinable(&sets, &order, 0, threshold, Way::usual(algorithm));
        let fates = components(&mut source, &Stage::silent()).unwrap();
        assert_eq!(fates.iter().filter(|fate| fate.is_kept()).count(), 1, "{algorithm}");
    }
}
