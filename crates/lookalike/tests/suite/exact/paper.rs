//! The examples of the PPJoin paper. Examples 4 and 5 are about the inside of the suffix filter and are tested there.

use lookalike::engine::{PaperAlgorithm, Recipe, Records, SetMaker, SetStore, common};
use lookalike::{Measure, Threshold};

use super::joins::joined;
use crate::oracle::Sets;

/// The paper's letters, so that elements equally frequent are in the order of the alphabet.
fn letters(records: &[&str]) -> Sets {
    let set = |record: &&str| {
        let mut set: Vec<u64> = record.bytes().map(u64::from).collect();
        set.sort_unstable();
        set
    };
    records.iter().map(set).collect()
}

/// Two texts as bags of words: five elements each, four of them common, and the rare one first.
#[test]
fn example_1() {
    let mut maker = SetMaker::new(Recipe { tokens: "words".parse().unwrap(), bag: true, ..Recipe::default() });
    let texts = ["yes as soon as possible", "as soon as possible please"];
    let store: SetStore = texts.iter().map(|text| maker.set(text).to_vec()).collect();
    let common = common(store.set(0), store.set(1));
    assert_eq!((store.size(0), store.size(1), common), (5, 5, 4));
    let jaccard = Threshold::new(Measure::Jaccard, "1").unwrap();
    assert_eq!(jaccard.similarity(common, 5, 5), 4.0 / 6.0);
    let cosine = Threshold::new(Measure::Cosine, "1").unwrap();
    assert_eq!(cosine.similarity(common, 5, 5), 0.8);

    let records = Records::code(&store, &[0, 1]);
    assert_eq!(records.frequencies(), [1, 1, 2, 2, 2, 2]);
    assert_eq!(records.set(0)[1..], [2, 3, 4, 5]);
    assert_eq!(records.set(1)[1..], [2, 3, 4, 5]);
}

/// w, z, y and x at Jaccard 0.8: the size filter keeps w from x, and what shares an element of the prefixes is y with z and x with y.
#[test]
fn example_2() {
    let sets = letters(&["CDF", "GABEF", "ABCDE", "BCDEF"]);
    let store: SetStore = sets.iter().collect();
    let records = Records::code(&store, &[0, 1, 2, 3]);
    let order = ["G", "A", "B", "C", "D", "E", "F"];
    let canonical = |record: u32| -> String { records.set(record).iter().map(|&e| order[e as usize]).collect() };
    assert_eq!([0, 1, 2, 3].map(canonical), ["CDF", "GABEF", "ABCDE", "BCDEF"]);

    let threshold = Threshold::new(Measure::Jaccard, "0.8").unwrap();
    assert_eq!([3, 5].map(|size| threshold.long_prefix(size)), [1, 2]);
    let (pairs, counts) = joined(&sets, &threshold, None, PaperAlgorithm::AllPairs);
    assert_eq!(pairs, []);
    assert_eq!((counts.index_entries, counts.candidates_by_prefix), (7, 2));
    assert_eq!((counts.after_positional, counts.after_suffix), (2, 2));
}

/// Five common elements are needed, and from B on at most four of BCDEF and ABCDE are left: 1 + min(3, 4). With the shorter prefix of
/// the index, one element, those two do not even meet.
#[test]
fn example_3() {
    let sets = letters(&["CDF", "GABEF", "ABCDE", "BCDEF"]);
    let threshold = Threshold::new(Measure::Jaccard, "0.8").unwrap();
    assert_eq!((threshold.needed(5, 5), threshold.short_prefix(5)), (5, 1));
    let (pairs, counts) = joined(&sets, &threshold, None, PaperAlgorithm::PpJoin);
    assert_eq!((pairs.len(), counts.index_entries, counts.candidates_by_prefix), (0, 4, 0));
}
