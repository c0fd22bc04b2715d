//! How do two documents differ?
//!
//! Words are compared in their normal form, as in the window: differences in case or punctuation do not count.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use lookalike::Case;
use lookalike::engine::{SetMaker, common, differences, for_each_word, hash_shingle, hash_token, normalise};
use serde::{Deserialize, Serialize};

use super::documents::unknown;
use super::errors::ApiError;
use super::service::Service;
use crate::stats::serialize_whole;
use crate::store::Stored;

/// Bytes of each text that are compared.
const LONG: usize = 1_000_000;
/// The maximum number of differing words, and of steps to find them, for a comparison by words.
const MOST_WORDS: usize = 20_000;
const MOST_STEPS: usize = 4_000_000_000;
/// Words of a shingle, for texts that differ in more than that.
const SHINGLE: usize = 4;

/// The ids of two documents.
#[derive(Deserialize)]
pub(super) struct Two {
    a: String,
    b: String,
}

#[derive(Serialize)]
pub(super) struct Comparison {
    /// The similarity, by the measure of the window.
    similarity: f64,
    /// `words`: the fewest possible words are marked. `shingles`: words in no common shingle are marked.
    by: &'static str,
    a: Side,
    b: Side,
}

#[derive(Serialize)]
struct Side {
    id: String,
    /// The time of the document, in Unix seconds.
    #[serde(serialize_with = "serialize_whole")]
    time: f64,
    source: Option<String>,
    /// The text, in runs.
    runs: Vec<Run>,
    /// Bytes at the end of the text that are left out.
    cut: usize,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Run {
    /// Words that both texts have.
    Same(String),
    /// Words that only this text has.
    Only(String),
}

pub(super) async fn compare(
    State(service): State<Service>,
    query: Result<Query<Two>, QueryRejection>,
) -> Result<Json<Comparison>, ApiError> {
    let Query(Two { a, b }) = query?;
    // A comparison may take a second. So only a few run at once, and none loads its texts before it runs.
    let permit = Arc::clone(&service.comparing).acquire_owned().await.map_err(|_| ApiError::closed())?;
    let found = service.writer.read(move |store| {
        let two = store.get(&a)?.zip(store.get(&b)?);
        Ok::<_, ApiError>(two.map(|two| (two, *store.window().threshold())))
    });
    let ((a, b), threshold) = found.await.ok_or_else(ApiError::closed)??.ok_or_else(unknown)?;
    let recipe = service.extractors.recipe();
    let compared = tokio::task::spawn_blocking(move || {
        // Held to the end, even if the client is gone.
        let _permit = permit;
        let mut maker = SetMaker::new(recipe);
        let [of_a, of_b] = [&a, &b].map(|stored| maker.set(&stored.text).to_vec());
        let shared = common(&of_a, &of_b);
        let similarity =
            if shared == 0 { 0.0 } else { threshold.similarity(shared, of_a.len() as u32, of_b.len() as u32) };
        let (by, runs) = mark(cut(&a.text), cut(&b.text), recipe.case);
        let [runs_a, runs_b] = runs;
        Comparison { similarity, by, a: Side::new(a, runs_a), b: Side::new(b, runs_b) }
    });
    compared.await.map(Json).map_err(|_| ApiError::closed())
}

impl Side {
    fn new(stored: Stored, runs: Vec<Run>) -> Side {
        let Stored { verdict, time, source, text, .. } = stored;
        Side { id: verdict.id, time: time as f64 / 1e3, source, runs, cut: text.len() - cut(&text).len() }
    }
}

/// The part of a text that is compared.
fn cut(text: &str) -> &str {
    let end = (0..=LONG.min(text.len())).rev().find(|&at| text.is_char_boundary(at));
    &text[..end.unwrap_or(0)]
}

/// A text in words.
struct Words<'a> {
    text: &'a str,
    /// The byte range of each word.
    places: Vec<Range<usize>>,
    /// The hash of each word in its normal form.
    hashes: Vec<u64>,
}

impl<'a> Words<'a> {
    fn of(text: &'a str, case: Case) -> Words<'a> {
        let (mut places, mut hashes) = (Vec::new(), Vec::new());
        let mut normal = String::new();
        for_each_word(text, |word| {
            let start = word.as_ptr().addr() - text.as_ptr().addr();
            normal.clear();
            normalise(word, case, &mut normal);
            places.push(start..start + word.len());
            hashes.push(hash_token(normal.as_bytes()));
        });
        Words { text, places, hashes }
    }

    /// Splits the text into runs of shared and other words. Characters between two words of a kind belong to their run, others to a
    /// shared run.
    fn runs(&self, is_shared: impl Fn(usize) -> bool) -> Vec<Run> {
        let mut runs = Vec::new();
        let mut from = 0;
        let mut at = 0;
        while at < self.hashes.len() {
            let shared = is_shared(at);
            let end = (at..self.hashes.len()).find(|&word| is_shared(word) != shared).unwrap_or(self.hashes.len());
            let (start, stop) = (self.places[at].start, self.places[end - 1].end);
            if !shared {
                push(&mut runs, &self.text[from..start], Run::Same);
                push(&mut runs, &self.text[start..stop], Run::Only);
                from = stop;
            }
            at = end;
        }
        push(&mut runs, &self.text[from..], Run::Same);
        runs
    }
}

fn push(runs: &mut Vec<Run>, text: &str, run: impl Fn(String) -> Run) {
    if !text.is_empty() {
        runs.push(run(text.to_string()));
    }
}

/// Both texts in runs, and how they were compared.
fn mark(a: &str, b: &str, case: Case) -> (&'static str, [Vec<Run>; 2]) {
    let [a, b] = [a, b].map(|text| Words::of(text, case));
    let most = MOST_WORDS.min(MOST_STEPS / (a.hashes.len() + b.hashes.len()).max(1));
    if let Some(found) = differences(&a.hashes, &b.hashes, most) {
        let (mut in_a, mut in_b) = (vec![true; a.hashes.len()], vec![true; b.hashes.len()]);
        for difference in found {
            in_a[difference.a].fill(false);
            in_b[difference.b].fill(false);
        }
        return ("words", [a.runs(|word| in_a[word]), b.runs(|word| in_b[word])]);
    }
    let [in_a, in_b] = [(&a, &b), (&b, &a)].map(|(one, other)| in_common_shingles(&one.hashes, &other.hashes));
    ("shingles", [a.runs(|word| in_a[word]), b.runs(|word| in_b[word])])
}

/// Which words are part of a shingle that the other text has too.
fn in_common_shingles(words: &[u64], other: &[u64]) -> Vec<bool> {
    let known: HashSet<u64> = other.windows(SHINGLE).map(hash_shingle).collect();
    let mut shared = vec![false; words.len()];
    for (at, shingle) in words.windows(SHINGLE).enumerate() {
        if known.contains(&hash_shingle(shingle)) {
            shared[at..at + SHINGLE].fill(true);
        }
    }
    shared
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn same(text: &str) -> Run {
        Run::Same(text.into())
    }

    fn only(text: &str) -> Run {
        Run::Only(text.into())
    }

    #[test]
    fn words_that_differ() {
        let (by, [a, b]) = mark("The ferry: at nine, daily.", "the FERRY at ten past noon daily", Case::Fold);
        assert_eq!(by, "words");
        assert_eq!(a, [same("The ferry: at "), only("nine"), same(", daily.")]);
        assert_eq!(b, [same("the FERRY at "), only("ten past noon"), same(" daily")]);
        let (_, [a, b]) = mark("りんごの出荷", "りんごの輸出", Case::Fold);
        assert_eq!(a, [same("りんごの出"), only("荷")]);
        assert_eq!(b, [same("りんごの"), only("輸"), same("出")]);
        assert_eq!(mark("", "…", Case::Fold).1, [vec![], vec![same("…")]]);
    }

    #[test]
    fn long_texts_that_differ_in_much() {
        let text = |of: &str| {
            (0..60_000).map(|n| if n % 3 == 0 { format!("{of}{n} ") } else { format!("{n} ") }).collect::<String>()
        };
        let (by, [a, _]) = mark(&text("a"), &text("b"), Case::Fold);
        // Two shared words in a row are no shingle.
        assert_eq!((by, a.len()), ("shingles", 2));
        let shared: String = (0..5_000).map(|n| format!("w{n} ")).collect();
        let (by, [_, b]) = mark(&(text("a") + &shared), &(shared.clone() + &text("b")), Case::Fold);
        assert_eq!((by, &b[0]), ("shingles", &Run::Same(shared)));
    }

    #[test]
    fn the_worst_takes_no_longer_than_allowed() {
        let begun = std::time::Instant::now();
        let a = "a ".repeat(500_000);
        let b: String = (0..500_000).map(|n| if n % 90 == 0 { "b " } else { "a " }).collect();
        let (_, [runs, _]) = mark(cut(&a), cut(&b), Case::Fold);
        assert!(!runs.is_empty());
        assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
    }

    proptest! {
        /// The runs of a text add up to the text.
        #[test]
        fn nothing_is_lost(a in "[ab,\u{202e} é日]{0,40}", b in "[ab,\u{202e} é日]{0,40}") {
            let (_, runs) = mark(&a, &b, Case::Fold);
            for (text, runs) in [&a, &b].into_iter().zip(&runs) {
                let all: String = runs.iter().map(|run| match run { Run::Same(text) | Run::Only(text) => text.as_str() }).collect();
                prop_assert_eq!(text, &all);
            }
        }
    }
}
