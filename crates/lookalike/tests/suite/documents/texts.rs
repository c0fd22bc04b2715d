//! From texts to pairs, for every token specification: the pairs are those that counting common shingles as strings gives.

use std::collections::BTreeSet;

use lookalike::engine::{Recipe, SetMaker, SetPair};
use lookalike::{Case, Threshold};
use proptest::prelude::*;

use crate::exact::pairs::all_pairs;
use crate::oracle::{Sets, counter_bytes, thresholds, with_threads};

/// Texts of a few words in several scripts, some of them copies with an edit.
fn texts() -> impl Strategy<Value = Vec<String>> {
    let word = prop::sample::select(vec![
        "a",
        "b",
        "Ba",
        "cab",
        "é",
        "É",
        "漢字",
        "カナ",
        "ไทย",
        "데이터",
        "3.5",
        "x_y",
        "can't",
        "—",
        "",
    ]);
    let text = proptest::collection::vec(word, 0..14).prop_map(|words| words.join(" "));
    let edit = (any::<prop::sample::Index>(), "[a-c ]{0,3}");
    proptest::collection::vec((text, proptest::option::of(edit)), 0..14).prop_map(|drafts| {
        let mut texts: Vec<String> = Vec::new();
        for (fresh, edit) in drafts {
            texts.push(match edit {
                Some((of, added)) if !texts.is_empty() => format!("{} {added}", of.get(&texts)),
                _ => fresh,
            });
        }
        texts
    })
}

/// A document's shingles as strings; under `bag` with the number of the occurrence.
fn shingles(maker: &mut SetMaker, text: &str, bag: bool) -> BTreeSet<(String, usize)> {
    let mut seen: BTreeSet<(String, usize)> = BTreeSet::new();
    for (shingle, _) in maker.explain(text).shingles {
        let occurrence = (0..).find(|&occurrence| !seen.contains(&(shingle.clone(), occurrence))).unwrap_or_default();
        if bag || occurrence == 0 {
            seen.insert((shingle, occurrence));
        }
    }
    seen
}

fn pairs_of_strings(documents: &[BTreeSet<(String, usize)>], threshold: Threshold) -> Vec<SetPair> {
    let mut pairs = Vec::new();
    for (a, x) in documents.iter().enumerate() {
        for (b, y) in documents.iter().enumerate().skip(a + 1) {
            let common = x.intersection(y).count() as u32;
            let empty = x.is_empty() || y.is_empty();
            if !empty && threshold.reaches(common, x.len() as u32, y.len() as u32) {
                pairs.push(SetPair { a: a as u32, b: b as u32, common });
            }
        }
    }
    pairs
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn pairs_of_texts(texts in texts(), threshold in thresholds(), bytes in counter_bytes(), bag: bool, fold: bool) {
        for tokens in ["words", "words:2", "words:5", "chars:1", "chars:3", "letters:4", "raw"] {
            let case = if fold { Case::Fold } else { Case::Keep };
            let mut maker = SetMaker::new(Recipe { tokens: tokens.parse().unwrap(), case, bag });
            let documents: Vec<_> = texts.iter().map(|text| shingles(&mut maker, text, bag)).collect();
            let sets: Sets = texts.iter().map(|text| maker.set(text).to_vec()).collect();
            let expected = pairs_of_strings(&documents, threshold);
            for threads in [1, 3] {
                prop_assert_eq!(with_threads(threads, || all_pairs(&sets, threshold, bytes)), &expected[..], "{}", tokens);
            }
        }
    }
}
