//! Nothing lost: survivors and twins are exactly those of the definition, in any keep order.

use lookalike::engine::{Algorithm, Stage, survivors};
use lookalike::{Measure, Threshold};
use proptest::prelude::*;

use crate::oracle::{
    Sets, Way, blocks, collections, counter_bytes, joinable, larger_collection, survivors_by_definition, thresholds,
    with_threads,
};

/// Orders that have nothing, everything and the reverse to do with size; ties by input.
fn orders(sets: &Sets, seed: u64) -> Vec<Vec<u32>> {
    let input: Vec<u32> = (0..sets.len() as u32).collect();
    let by = |key: &dyn Fn(u32) -> i64| {
        let mut order = input.clone();
        order.sort_by_key(|&document| key(document));
        order
    };
    let size = |document: u32| sets[document as usize].len() as i64;
    vec![
        input.clone(),
        by(&|document| -i64::from(document)),
        by(&|document| -size(document)),
        by(&size),
        by(&|document| (u64::from(document) + 1).wrapping_mul(seed | 1) as i64),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(800))]

    #[test]
    fn survivors_are_those_of_the_definition(
        sets in collections(),
        threshold in thresholds(),
        bytes in counter_bytes(),
        seed: u64,
        pinned in prop_oneof![Just(0usize), 0..10usize],
        block in blocks(),
    ) {
        for order in orders(&sets, seed) {
            let pinned = pinned.min(order.len());
            let expected = survivors_by_definition(&sets, &order, pinned, threshold);
            for threads in [1, 3] {
                for algorithm in [Algorithm::Sparse, Algorithm::Light, Algorithm::Heavy] {
                    let way = Way { algorithm, counter_bytes: bytes, block };
                    let fates = with_threads(threads, || {
                        survivors(&mut joinable(&sets, &order, pinned, threshold, way), &Stage::silent()).unwrap()
                    });
                    prop_assert_eq!(&fates, &expected, "{}", algorithm);
                }
            }
        }
    }
}

/// Thousands of sets, for every measure, in orders by size and against it: a pair's smaller set may come first or last.
#[test]
fn a_larger_collection() {
    let sets = larger_collection(1500);
    for (measure, value) in Measure::ALL.into_iter().zip(["0.6", "0.7", "0.75", "0.6", "20", "0.9", "6"]) {
        let threshold = Threshold::new(measure, value).unwrap();
        for order in orders(&sets, 12345) {
            let expected = survivors_by_definition(&sets, &order, 0, threshold);
            assert!(expected.iter().filter(|fate| !fate.is_kept()).count() > 100);
            for algorithm in [Algorithm::Auto, Algorithm::Sparse, Algorithm::Light] {
                let mut joinable = joinable(&sets, &order, 0, threshold, Way::usual(algorithm));
                let fates = survivors(&mut joinable, &Stage::silent()).unwrap();
                assert_eq!(fates, expected, "{measure} {algorithm}");
            }
        }
    }
}

/// More than a block of one tight cluster, and of pages just under the threshold.
#[test]
fn templates() {
    let element = |number: u64| (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for (own, value) in [(1, "0.8"), (12, "0.8")] {
        let sets: Sets = (0..700u64)
            .map(|page| {
                let template = 0..100 - own;
                let mut set: Vec<u64> = template
                    .chain((0..own).map(|slot| 1000 + slot * 50 + page * (slot + 7) % 50))
                    .map(element)
                    .collect();
                set.sort_unstable();
                set
            })
            .collect();
        let order: Vec<u32> = (0..700).rev().collect();
        let threshold = Threshold::new(Measure::Jaccard, value).unwrap();
        let mut joinable = joinable(&sets, &order, 0, threshold, Way::usual(Algorithm::Auto));
        let fates = survivors(&mut joinable, &Stage::silent()).unwrap();
        assert_eq!(fates, survivors_by_definition(&sets, &order, 0, threshold));
    }
}
