//! How much came and how much of it was stopped, by segment and by source, for as long as the window reaches; and the latest duplicates.
//!
//! Sources are strangers' words: their names are cut, and so many are told apart and no more, so that no feed makes this grow.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;

use lookalike::VerdictKind;
use serde::Serialize;

use crate::entry::Added;
use crate::figures::whole;

/// The latest duplicates that are remembered.
const LATEST: usize = 50;
/// Sources that are told apart.
const SOURCES: usize = 10_000;
/// Characters of a source's name.
const NAME: usize = 100;
/// Bytes of an id that is told of unasked.
const ID: usize = 1_000;

#[derive(Default)]
pub(crate) struct Tally {
    segments: BTreeMap<i64, OfSegment>,
    sources: Sources,
    latest: VecDeque<Brief>,
}

#[derive(Default)]
struct OfSegment {
    verdicts: Verdicts,
    sources: Sources,
}

/// How many documents got which verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Verdicts {
    /// Documents that resemble nothing.
    pub new: u64,
    /// Copies.
    pub exact: u64,
    /// Near-duplicates.
    pub near: u64,
    /// Documents that were older than the window.
    pub old: u64,
}

/// How many documents came, and how many of them were duplicates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Share {
    /// All.
    pub documents: u64,
    /// Those that were stopped.
    pub duplicates: u64,
}

#[derive(Default)]
pub(crate) struct Sources {
    /// Those that do not say where they come from have no name.
    pub(crate) named: HashMap<Arc<str>, Share>,
    /// Those that came when there were too many to be told apart.
    pub(crate) beyond: Share,
}

/// A duplicate, in short.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Brief {
    /// Its number among all that came.
    pub number: u64,
    /// What its user calls it.
    pub id: String,
    /// Where it came from.
    pub source: Option<String>,
    /// Its own time, in seconds of Unix.
    #[serde(serialize_with = "whole")]
    pub time: f64,
    /// `exact` or `near`.
    pub verdict: VerdictKind,
    /// What it resembles most.
    pub of: Option<String>,
    /// How much.
    pub similarity: Option<f64>,
    /// How much earlier that is, in seconds.
    pub age: Option<f64>,
}

impl Tally {
    /// One came, and is remembered with this segment.
    pub(crate) fn count(&mut self, added: &Added, segment: i64) {
        let of_segment = self.segments.entry(segment).or_default();
        of_segment.verdicts.count(added.answer.kind);
        let is_duplicate = added.answer.is_duplicate();
        let share = Share { documents: 1, duplicates: u64::from(is_duplicate) };
        let name = short(added.source.as_deref().unwrap_or_default());
        match self.sources.named.get_key_value(name.as_str()).map(|(name, _)| name.clone()) {
            None if self.sources.named.len() >= SOURCES => {
                self.sources.beyond.add(share);
                of_segment.sources.beyond.add(share);
            }
            known => {
                let name = known.unwrap_or_else(|| Arc::from(name));
                of_segment.sources.named.entry(name.clone()).or_default().add(share);
                self.sources.named.entry(name).or_default().add(share);
            }
        }
        if is_duplicate && let Some(brief) = Brief::of(added) {
            self.latest.push_back(brief);
            if self.latest.len() > LATEST {
                self.latest.pop_front();
            }
        }
    }

    /// Forgets what came in segments before this one.
    pub(crate) fn expire(&mut self, oldest: i64) {
        while let Some(entry) = self.segments.first_entry().filter(|entry| *entry.key() < oldest) {
            let Sources { named, beyond } = entry.remove().sources;
            self.sources.beyond.take(beyond);
            for (name, share) in named {
                if let Some(left) = self.sources.named.get_mut(&name) {
                    left.take(share);
                    if left.documents == 0 {
                        self.sources.named.remove(&name);
                    }
                }
            }
        }
    }

    /// Verdicts by segment.
    pub(crate) fn segments(&self) -> impl Iterator<Item = (i64, Verdicts)> + '_ {
        self.segments.iter().map(|(&number, of_segment)| (number, of_segment.verdicts))
    }

    pub(crate) fn sources(&self) -> &Sources {
        &self.sources
    }

    /// The latest duplicates from a number on, in the order in which they came.
    pub(crate) fn latest(&self, since: u64) -> impl Iterator<Item = &Brief> {
        self.latest.iter().filter(move |brief| brief.number >= since)
    }
}

impl Verdicts {
    fn count(&mut self, verdict: VerdictKind) {
        match verdict {
            VerdictKind::New => self.new += 1,
            VerdictKind::Exact => self.exact += 1,
            VerdictKind::Near => self.near += 1,
            VerdictKind::Old => self.old += 1,
        }
    }

    pub(crate) fn add(&mut self, other: Verdicts) {
        self.new += other.new;
        self.exact += other.exact;
        self.near += other.near;
        self.old += other.old;
    }
}

impl Share {
    pub(crate) fn add(&mut self, other: Share) {
        self.documents += other.documents;
        self.duplicates += other.duplicates;
    }

    fn take(&mut self, other: Share) {
        self.documents -= other.documents;
        self.duplicates -= other.duplicates;
    }
}

impl Brief {
    /// None if its ids are so long that they would fill a reader's memory.
    fn of(added: &Added) -> Option<Brief> {
        let answer = &added.answer;
        let is_short = |id: &str| id.len() <= ID;
        (is_short(&answer.id) && answer.of.as_deref().is_none_or(is_short)).then(|| Brief {
            number: added.number,
            id: answer.id.clone(),
            source: added.source.as_deref().map(short),
            time: added.time as f64 / 1e3,
            verdict: answer.kind,
            of: answer.of.clone(),
            similarity: answer.similarity,
            age: answer.matches.first().map(|found| found.age),
        })
    }
}

/// The beginning of a name, if it is a long one.
fn short(name: &str) -> String {
    match name.char_indices().nth(NAME) {
        None => name.to_string(),
        Some((end, _)) => format!("{}…", &name[..end]),
    }
}

#[cfg(test)]
mod tests {
    use lookalike::Verdict;

    use super::*;

    fn added(number: u64, verdict: &str, source: &str) -> Added {
        let verdict = VerdictKind::of_name(verdict).unwrap();
        let mut answer = Verdict::incomparable(&number.to_string());
        answer.kind = verdict;
        Added { number, answer, time: 0, source: Some(source.into()), text: String::new(), taken: true }
    }

    #[test]
    fn sources_come_and_go_with_their_segments() {
        let mut tally = Tally::default();
        tally.count(&added(0, "new", "a"), 1);
        tally.count(&added(1, "near", "a"), 2);
        tally.count(&added(2, "old", "b"), 1);
        assert_eq!(tally.sources().named["a"], Share { documents: 2, duplicates: 1 });
        tally.expire(2);
        assert_eq!(tally.sources().named["a"], Share { documents: 1, duplicates: 1 });
        assert!(!tally.sources().named.contains_key("b"));
        assert_eq!(tally.segments().collect::<Vec<_>>(), [(2, Verdicts { near: 1, ..Verdicts::default() })]);
    }

    #[test]
    fn no_feed_makes_it_grow() {
        let mut tally = Tally::default();
        for number in 0..30_000 {
            tally.count(&added(number, "near", &format!("{number}{}", "ä".repeat(10_000))), (number / 15_000) as i64);
        }
        assert_eq!((tally.sources().named.len(), tally.sources().beyond.documents), (SOURCES, 20_000));
        assert!(tally.sources().named.keys().all(|name| name.chars().count() == NAME + 1));
        assert_eq!(tally.latest(0).count(), LATEST);
        assert_eq!(tally.latest(29_999).count(), 1);
        tally.expire(2);
        assert!(tally.sources().named.is_empty() && tally.sources().beyond == Share::default());

        let mut long = added(30_000, "near", "");
        long.answer.id = "x".repeat(ID + 1);
        tally.count(&long, 2);
        assert_eq!(tally.latest(30_000).count(), 0);
    }
}
