//! A verdict as it is written.

use lookalike::window::{Kind, Verdict};
use serde::Serialize;

/// One line of JSON.
#[derive(Serialize)]
pub(super) struct Line<'a> {
    id: &'a str,
    verdict: &'static str,
    /// The most similar, the earliest of equals.
    of: Option<&'a str>,
    similarity: Option<f64>,
    matches: Vec<Match<'a>>,
}

#[derive(Serialize)]
struct Match<'a> {
    id: &'a str,
    similarity: f64,
    age: Seconds,
}

/// Seconds, without a fraction if they have none.
#[derive(Serialize)]
#[serde(untagged)]
enum Seconds {
    Whole(i64),
    Part(f64),
}

impl<'a> Line<'a> {
    /// A verdict on the document of this id; `id_of` tells those of others, by the number of the match.
    pub(super) fn new(id: &'a str, verdict: &Verdict, id_of: impl Fn(usize) -> &'a str) -> Line<'a> {
        let matches: Vec<Match> = verdict
            .matches
            .iter()
            .enumerate()
            .map(|(number, found)| Match {
                id: id_of(number),
                similarity: found.similarity,
                age: match found.age % 1_000 {
                    0 => Seconds::Whole(found.age / 1_000),
                    _ => Seconds::Part(found.age as f64 / 1e3),
                },
            })
            .collect();
        let first = matches.first();
        Line {
            id,
            verdict: verdict.kind.name(),
            of: first.map(|found| found.id),
            similarity: first.map(|found| found.similarity),
            matches,
        }
    }

    /// A document that cannot be compared resembles nothing.
    pub(super) fn incomparable(id: &'a str) -> Line<'a> {
        Line { id, verdict: Kind::New.name(), of: None, similarity: None, matches: Vec::new() }
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        serde_json::to_writer(&mut *out, self).expect("a verdict is plain data");
        out.push(b'\n');
    }
}
