//! The front door gives the answers of the definitions, in every way to ask for them.

use std::sync::Mutex;

use lookalike::engine::{SetPair, SetStore, brute_pairs};
use lookalike::{Corpus, DedupOptions, Error, Index, Keep, Measure, Pair, Removed, Threshold, Window};
use proptest::prelude::*;

use crate::oracle::{Sets, collections, survivors_by_definition, thresholds};

fn corpus(sets: &Sets, threshold: &lookalike::Threshold, threads: usize) -> Corpus {
    Corpus::builder().measure(threshold.measure()).threads(threads).from_sets(sets.iter().cloned()).unwrap()
}

fn numbers(pair: &Pair) -> SetPair {
    SetPair { a: pair.a as u32, b: pair.b as u32, common: pair.common as u32 }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn pairs_of_one_corpus_and_of_two(sets in collections(), threshold in thresholds(), split in 0..40usize) {
        let (value, split) = (threshold.value().to_string(), split.min(sets.len()));
        let all = brute_pairs(&sets.iter().collect(), &threshold);
        let size = |document: usize| sets[document].len() as u32;
        for threads in [1, 3] {
            let pairs: Vec<Pair> = corpus(&sets, &threshold, threads).pairs(&value).unwrap().collect();
            prop_assert_eq!(&pairs.iter().map(numbers).collect::<Vec<_>>(), &all);
            for pair in &pairs {
                let expected = threshold.similarity(pair.common as u32, size(pair.a), size(pair.b));
                prop_assert_eq!(pair.similarity, expected);
            }
            let (one, two) = (sets[..split].to_vec(), sets[split..].to_vec());
            let across = corpus(&one, &threshold, threads).pairs_between(&corpus(&two, &threshold, threads), &value).unwrap();
            let across: Vec<SetPair> = across.map(|pair| SetPair { b: (pair.b + split) as u32, ..numbers(&pair) }).collect();
            let mut expected = all.clone();
            expected.retain(|pair| (pair.a as usize) < split && pair.b as usize >= split);
            prop_assert_eq!(across, expected);
        }
    }

    /// Of equal sets only the first is named, so the pairs are those of the first documents with their sets.
    #[test]
    fn pairs_by_a_callback(sets in collections(), threshold in thresholds()) {
        prop_assume!(threshold.measure() != lookalike::Measure::Overlap);
        let found = Mutex::new(Vec::new());
        let value = threshold.value().to_string();
        corpus(&sets, &threshold, 2).for_each_pair(&value, |pair| found.lock().unwrap().push(numbers(&pair))).unwrap();
        let mut found = found.into_inner().unwrap();
        found.sort_unstable();
        let is_first = |document: u32| !sets[..document as usize].contains(&sets[document as usize]);
        let mut expected = brute_pairs(&sets.iter().collect(), &threshold);
        expected.retain(|pair| is_first(pair.a) && is_first(pair.b));
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn who_stays(sets in collections(), threshold in thresholds(), split in 0..40usize, last: bool) {
        let (value, split) = (threshold.value().to_string(), split.min(sets.len()));
        let keep = || if last { Keep::Last } else { Keep::First };
        let order = |range: std::ops::Range<usize>| -> Vec<u32> {
            let range = range.start as u32..range.end as u32;
            if last { range.rev().collect() } else { range.collect() }
        };
        let all = corpus(&sets, &threshold, 2).dedup_with(&value, DedupOptions::new().keep(keep())).unwrap();
        let expected = survivors_by_definition(&sets, &order(0..sets.len()), 0, threshold);
        let kept: Vec<bool> = expected.iter().map(|fate| fate.is_kept()).collect();
        prop_assert_eq!((0..sets.len()).map(|document| all.is_kept(document)).collect::<Vec<_>>(), kept);

        let (one, two) = (sets[..split].to_vec(), sets[split..].to_vec());
        let options = DedupOptions::new().keep(keep()).against(&corpus(&two, &threshold, 2));
        let against = corpus(&one, &threshold, 2).dedup_with(&value, options).unwrap();
        let references: Vec<u32> = (split as u32..sets.len() as u32).chain(order(0..split)).collect();
        let expected = survivors_by_definition(&sets, &references, sets.len() - split, threshold);
        for removed in against.removed() {
            let twin = removed.twin + if removed.is_reference { split } else { 0 };
            let lookalike::engine::Fate::Removed { twin: expected, similarity, identical } = expected[removed.document] else {
                panic!("{} is kept", removed.document)
            };
            prop_assert_eq!((twin as u32, removed.similarity, removed.identical), (expected, similarity, identical));
        }
        let removed = expected[..split].iter().filter(|fate| !fate.is_kept()).count();
        prop_assert_eq!(against.removed().count(), removed);
        prop_assert_eq!(against.kept().count(), split - removed);
    }
}

/// Documents whose sets are made already are settled and found as texts are.
#[test]
fn an_index_takes_a_corpus() {
    let texts: Vec<String> = (0..300).map(|at| format!("some words {} {} {}", at % 7, at % 11, at % 2)).collect();
    let make = || Index::builder().tokens("words".parse().unwrap()).threshold("3/4").build().unwrap();
    let (mut by_text, mut by_corpus) = (make(), make());
    for (number, batch) in texts.chunks(100).enumerate() {
        let ids: Vec<String> = (0..batch.len()).map(|at| format!("{number}-{at}")).collect();
        let corpus = Corpus::builder().tokens("words".parse().unwrap()).from_texts(batch).unwrap();
        let settled = by_text.add(ids.iter().cloned().zip(batch)).unwrap();
        assert_eq!(by_corpus.add_corpus(ids, &corpus).unwrap(), settled);
        let asked: Vec<_> = batch.iter().map(|text| by_text.query_at(text, "4/5").unwrap()).collect();
        assert_eq!(by_corpus.query_corpus(&corpus, "4/5").unwrap(), asked);
        assert!(asked.iter().any(|found| !found.is_empty()));
    }
    assert!(by_text.len() == by_corpus.len() && by_text.len() < texts.len());
    let corpus = Corpus::from_texts(["a", "b"]).unwrap();
    assert_eq!(by_corpus.add_corpus(["x"], &corpus), Err(Error::Ids { ids: 1, documents: 2 }));
    assert_eq!(by_corpus.add_corpus(["x", "x"], &corpus), Err(Error::RepeatedId { id: "x".to_string() }));
    assert!(matches!(by_corpus.query_corpus(&corpus, 0.5), Err(Error::BelowIndex { .. })));
    let handle = lookalike::Handle::new();
    handle.cancel();
    let cancelled = corpus.watched_by(&handle);
    assert_eq!(by_corpus.add_corpus(["x", "y"], &cancelled), Err(Error::Cancelled));
    assert_eq!(by_corpus.query_corpus(&cancelled, 0.9), Err(Error::Cancelled));
}

#[test]
fn what_cannot_be_is_an_error() {
    let corpus = Corpus::from_texts(["a", "b", "c"]).unwrap();
    for wrong in [0.0, 1.5, -1.0, f64::NAN, f64::INFINITY, 1e-30] {
        assert!(matches!(corpus.dedup(wrong), Err(Error::Threshold(_))), "{wrong}");
    }
    assert!(matches!(corpus.pairs("most"), Err(Error::Threshold(_))));
    for wrong in [vec![0, 1], vec![0, 1, 1], vec![0, 1, 7]] {
        let options = DedupOptions::new().keep(Keep::Order(wrong));
        assert_eq!(corpus.dedup_with(0.8, options), Err(Error::KeepOrder { documents: 3 }));
    }
    let ids = Corpus::builder().ids(["a"]).from_texts(["x", "y"]);
    assert_eq!(ids.err(), Some(Error::Ids { ids: 1, documents: 2 }));
    let none = Corpus::builder().ids(["a"]).from_texts([""; 0]);
    assert_eq!(none.err(), Some(Error::Ids { ids: 1, documents: 0 }));
    let other = Corpus::builder().measure(lookalike::Measure::Dice).from_texts(["a"]).unwrap();
    assert!(matches!(corpus.pairs_between(&other, 0.5), Err(Error::Measures { .. })));
    assert!(Window::builder().measure(lookalike::Measure::Hamming).threshold(3).build().is_err());
    assert!(Window::builder().segment(std::time::Duration::ZERO).build().is_err());
}

#[test]
fn nothing_at_all() {
    let corpus = Corpus::from_texts([""; 0]).unwrap();
    assert!(corpus.is_empty());
    assert_eq!((corpus.dedup(0.8).unwrap().ratio(), corpus.pairs(0.8).unwrap().len()), (1.0, 0));
}

/// A pair of the engine converts to that of the front door.
#[test]
fn pairs_of_the_engine_convert() {
    let sets = crate::oracle::larger_collection(60);
    let store: SetStore = sets.iter().collect();
    for measure in Measure::ALL {
        let value = if matches!(measure, Measure::Overlap | Measure::Hamming) { "9" } else { "0.4" };
        let threshold = Threshold::new(measure, value).unwrap();
        let converted: Vec<Pair> =
            brute_pairs(&store, &threshold).into_iter().map(|pair| Pair::of(pair, &store, &threshold)).collect();
        assert!(!converted.is_empty());
        assert_eq!(corpus(&sets, &threshold, 1).pairs(value).unwrap().collect::<Vec<_>>(), converted);
    }
}

/// What does not exist cannot be checked.
#[test]
fn results_that_name_what_does_not_exist() {
    let corpus = Corpus::from_texts(["a", "b", "a"]).unwrap();
    let archive = Corpus::from_texts(["a"]).unwrap();
    let check = |removed: Removed| corpus.check(0.8, &[removed], DedupOptions::new().against(&archive));
    assert_eq!(check(Removed::new(3, 0, false, 1.0)), Err(Error::NoDocument { document: 3, documents: 3 }));
    assert_eq!(check(Removed::new(2, 3, false, 1.0)), Err(Error::NoTwin { document: 2, twin: 3, documents: 3 }));
    assert_eq!(check(Removed::new(2, 1, true, 1.0)), Err(Error::NoTwin { document: 2, twin: 1, documents: 1 }));
    assert!(check(Removed::new(2, 0, true, 1.0)).is_ok());
    let alone = corpus.check(0.8, &[Removed::new(2, 0, true, 1.0)], DedupOptions::new());
    assert_eq!(alone, Err(Error::NoTwin { document: 2, twin: 0, documents: 0 }));
}
