//! Two documents side by side: which words do they share?
//!
//! Words are compared as the service compares documents, in their normal form: what differs in case alone, or in punctuation, is the same.

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
use super::{ApiError, Service};
use crate::entry::Added;
use crate::figures::whole;

/// Bytes of a text that are looked at.
const LONG: usize = 1_000_000;
/// Words in which two texts may differ before that is told more coarsely, and steps that finding them may take.
const MOST_WORDS: usize = 20_000;
const MOST_STEPS: usize = 4_000_000_000;
/// Words one after another by which a place is found again in the other text, if these are too many.
const SHINGLE: usize = 4;

/// Which two.
#[derive(Deserialize)]
pub(super) struct Two {
    a: String,
    b: String,
}

#[derive(Serialize)]
pub(super) struct Comparison {
    /// How similar they are, by the service's measure.
    similarity: f64,
    /// `words`: as few as possible are marked. `shingles`: those are that the other has nowhere in this company.
    by: &'static str,
    a: Side,
    b: Side,
}

#[derive(Serialize)]
struct Side {
    id: String,
    /// Its own time, in seconds of Unix.
    #[serde(serialize_with = "whole")]
    time: f64,
    source: Option<String>,
    /// The text, in pieces.
    runs: Vec<Run>,
    /// Bytes at its end that are not told of.
    cut: usize,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Run {
    /// Both have it.
    Same(String),
    /// Only this one has.
    Only(String),
}

pub(super) async fn compare(
    State(service): State<Service>,
    query: Result<Query<Two>, QueryRejection>,
) -> Result<Json<Comparison>, ApiError> {
    let Query(Two { a, b }) = query?;
    // It may take a second, and not that of others: few are done at once, and texts are not read before it is their turn.
    let turn = Arc::clone(&service.comparing).acquire_owned().await.map_err(|_| ApiError::closed())?;
    let told = service.desk.ask(move |stock| {
        let two = stock.get(&a)?.zip(stock.get(&b)?);
        Ok::<_, ApiError>(two.map(|two| (two, *stock.window().threshold())))
    });
    let ((a, b), threshold) = told.await.ok_or_else(ApiError::closed)??.ok_or_else(unknown)?;
    let recipe = service.makers.recipe();
    let compared = tokio::task::spawn_blocking(move || {
        // Held to the end, whether or not the client is still there.
        let _turn = turn;
        let mut maker = SetMaker::new(recipe);
        let [of_a, of_b] = [&a, &b].map(|added| maker.set(&added.text).to_vec());
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
    fn new(added: Added, runs: Vec<Run>) -> Side {
        let Added { answer, time, source, text, .. } = added;
        Side { id: answer.id, time: time as f64 / 1e3, source, runs, cut: text.len() - cut(&text).len() }
    }
}

/// The beginning of a long text.
fn cut(text: &str) -> &str {
    let end = (0..=LONG.min(text.len())).rev().find(|&at| text.is_char_boundary(at));
    &text[..end.unwrap_or(0)]
}

/// A text in words.
struct Words<'a> {
    text: &'a str,
    /// Where each is.
    places: Vec<Range<usize>>,
    /// The hash of each, in its normal form.
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

    /// The whole text in runs, by which of its words the other has. What stands between two words goes with them if they are alike,
    /// and is nobody's own if not.
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

/// Both texts in runs, and by what they were compared.
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
    let [in_a, in_b] = [(&a, &b), (&b, &a)].map(|(one, other)| in_company(&one.hashes, &other.hashes));
    ("shingles", [a.runs(|word| in_a[word]), b.runs(|word| in_b[word])])
}

/// Which words stand among some that the other has in the same order.
fn in_company(words: &[u64], other: &[u64]) -> Vec<bool> {
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
        // Two shared words one after another are no company.
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
        /// The runs of a text are the text.
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
