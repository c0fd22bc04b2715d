//! The options of the front door give the answers of their definitions.

use lookalike::engine::{SetPair, brute_pairs};
use lookalike::{Broken, Corpus, DedupOptions, Error, Measure, Pair, PairOptions, Removed, Threshold};
use proptest::prelude::*;

use crate::oracle::{Sets, collections, survivors_by_definition, threshold_between, thresholds};

fn corpus(sets: &Sets, measure: Measure) -> Corpus {
    Corpus::builder().measure(measure).threads(2).from_sets(sets.iter().cloned()).unwrap()
}

fn numbers(pairs: impl Iterator<Item = Pair>) -> Vec<SetPair> {
    pairs.map(|pair| SetPair { a: pair.a as u32, b: pair.b as u32, common: pair.common as u32 }).collect()
}

/// A low threshold, which every pair that shares an element reaches.
fn lowest(measure: Measure) -> Threshold {
    let value = match measure {
        Measure::Overlap => "1",
        Measure::Hamming => "100000",
        _ => "0.000001",
    };
    Threshold::new(measure, value).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn within_keys(sets in collections(), threshold in thresholds(), keys in proptest::collection::vec(0..3u8, 40)) {
        let keys: Vec<[u8; 1]> = (0..sets.len()).map(|document| [keys[document]]).collect();
        let own = corpus(&sets, threshold.measure()).within(&keys).unwrap();
        let value = threshold.value().to_string();
        let mut expected = brute_pairs(&sets.iter().collect(), &threshold);
        expected.retain(|pair| keys[pair.a as usize] == keys[pair.b as usize]);
        prop_assert_eq!(numbers(own.pairs(&value).unwrap()), expected.clone());

        let split = sets.len() / 2;
        let part = |range: std::ops::Range<usize>| {
            corpus(&sets[range.clone()].to_vec(), threshold.measure()).within(&keys[range]).unwrap()
        };
        let across = part(0..split).pairs_between(&part(split..sets.len()), &value).unwrap();
        expected.retain(|pair| (pair.a as usize) < split && pair.b as usize >= split);
        expected.iter_mut().for_each(|pair| pair.b -= split as u32);
        prop_assert_eq!(numbers(across), expected);
        if threshold.is_distance() {
            let refused = matches!(own.dedup(&value), Err(Error::Within { .. }));
            prop_assert!(refused);
        }
    }

    #[test]
    fn the_most_similar(sets in collections(), threshold in thresholds(), most in 0..30usize, distinct: bool) {
        let measure = threshold.measure();
        let sizes = |pair: &SetPair| (pair.common, sets[pair.a as usize].len() as u32, sets[pair.b as usize].len() as u32);
        let is_first = |document: u32| !sets[..document as usize].contains(&sets[document as usize]);
        let mut expected = brute_pairs(&sets.iter().collect(), &lowest(measure));
        expected.retain(|pair| pair.common > 0);
        expected.retain(|pair| {
            let differ = sets[pair.a as usize] != sets[pair.b as usize];
            !distinct || is_first(pair.a) && is_first(pair.b) && differ
        });
        expected.sort_by(|one, two| measure.compare(sizes(two), sizes(one)).then(one.cmp(two)));
        expected.truncate(most);
        let options = if distinct { PairOptions::new().distinct() } else { PairOptions::new() };
        prop_assert_eq!(numbers(corpus(&sets, measure).top(most, options).unwrap()), expected);
    }

    #[test]
    fn few_pairs_of_each(sets in collections(), threshold in thresholds(), most in 1..4u32) {
        let mut counts = vec![0; sets.len()];
        let mut expected = brute_pairs(&sets.iter().collect(), &threshold);
        expected.retain(|pair| {
            let (a, b) = (pair.a as usize, pair.b as usize);
            let allowed = counts[a] < most && counts[b] < most;
            counts[a] += u32::from(allowed);
            counts[b] += u32::from(allowed);
            allowed
        });
        let options = PairOptions::new().limit_per_document(most);
        let found = corpus(&sets, threshold.measure()).pairs_with(threshold.value().to_string(), options).unwrap();
        prop_assert_eq!(numbers(found), expected);
    }

    /// The similarities that occur, from the top: the first that leaves few enough documents.
    #[test]
    fn down_to_a_number(sets in collections(), threshold in thresholds(), most in 0..40usize) {
        let measure = threshold.measure();
        prop_assume!(!threshold.is_distance() && measure != Measure::Cosine);
        let pairs = brute_pairs(&sets.iter().collect(), &threshold);
        let of = |pair: &SetPair| threshold_between(&sets[pair.a as usize], &sets[pair.b as usize], measure);
        let mut tried: Vec<Threshold> = pairs.iter().filter_map(of).collect();
        tried.extend(Threshold::new(measure, "1").ok().filter(|_| measure != Measure::Overlap));
        tried.push(threshold);
        tried.sort_by_key(|one| std::cmp::Reverse(one.value()));
        let order: Vec<u32> = (0..sets.len() as u32).collect();
        let kept = |threshold: &Threshold| {
            survivors_by_definition(&sets, &order, 0, *threshold).iter().filter(|fate| fate.is_kept()).count()
        };
        let expected = tried.iter().find(|threshold| kept(threshold) <= most);
        let result = corpus(&sets, measure).dedup_to(most, threshold.value().to_string(), DedupOptions::new());
        match (expected, result) {
            (Some(expected), Ok(result)) => {
                prop_assert_eq!(result.kept().count(), kept(expected));
                prop_assert_eq!(result.threshold(), *expected);
            }
            (None, Err(Error::TooMany { kept: left, .. })) => prop_assert_eq!(left, kept(&threshold)),
            (expected, result) => prop_assert!(false, "{:?} but {:?}", expected, result),
        }
    }

    #[test]
    fn a_result_and_what_is_wrong_with_it(sets in collections(), threshold in thresholds(), at in any::<prop::sample::Index>()) {
        let own = corpus(&sets, threshold.measure());
        let value = threshold.value().to_string();
        let result = own.dedup(&value).unwrap();
        let removed: Vec<Removed> = result.removed().collect();
        prop_assert_eq!(own.check(&value, &removed, DedupOptions::new()).unwrap(), []);
        prop_assert_eq!(result.histogram().iter().map(|bin| bin.count).sum::<u64>(), removed.len() as u64);
        let members = result.cluster_members();
        prop_assert_eq!(members.len(), removed.len() + result.clusters().len());
        if removed.is_empty() {
            return Ok(());
        }
        let one = at.index(removed.len());
        // If one that was removed is kept, it is a pair with its twin.
        let mut fewer = removed.clone();
        let gone = fewer.remove(one);
        let found = own.check(&value, &fewer, DedupOptions::new()).unwrap();
        let is_it = |broken: &Broken| matches!(broken, Broken::BothKept { a, b, .. }
            if [*a, *b].contains(&gone.document) && [*a, *b].contains(&gone.twin));
        prop_assert!(found.iter().any(is_it), "{:?}", found);
        let mut wrong = removed.clone();
        wrong[one].similarity += 1e-9;
        let found = own.check(&value, &wrong, DedupOptions::new()).unwrap();
        let is_wrong = matches!(found[..], [Broken::WrongSimilarity { .. }]);
        prop_assert!(is_wrong);
    }
}

/// A cosine is a root: the threshold is the highest with nine digits.
#[test]
fn down_to_a_number_by_cosine() {
    let sets = vec![vec![1, 2, 3], vec![1, 2, 3, 4, 5], vec![7]];
    let result = corpus(&sets, Measure::Cosine).dedup_to(2, 0.1, DedupOptions::new()).unwrap();
    assert_eq!(result.threshold().value().to_string(), "0.774596669");
    assert_eq!(result.kept().collect::<Vec<_>>(), [0, 2]);
}

/// A lower threshold may keep more: two documents that resemble one that is no longer kept.
#[test]
fn the_number_kept_is_not_monotone() {
    let sets = vec![vec![1, 2, 3, 7, 8, 9], (1..=8).collect(), (3..=8).collect(), (1..=6).collect()];
    let own = corpus(&sets, Measure::Jaccard);
    let kept = |threshold: &str| own.dedup(threshold).unwrap().kept().count();
    assert_eq!((kept("3/4"), kept("5/9"), kept("1/2")), (2, 3, 2));
    let result = own.dedup_to(2, 0.1, DedupOptions::new()).unwrap();
    assert_eq!(result.threshold().value().to_string(), "0.75");
}
