//! How many documents came and how many were duplicates, by segment and by source, for the time of the window; and the latest duplicates.
//!
//! Clients choose the names of sources. Names are cut and their number is limited, so that no feed can fill the memory.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;

use lookalike::VerdictKind;
use serde::Serialize;

use super::number::serialize_whole;
use crate::document::Stored;

/// How many of the latest duplicates are kept.
const LATEST: usize = 50;
/// The maximum number of sources that are counted separately.
const SOURCES: usize = 10_000;
/// The maximum length of a source's name, in characters.
const NAME: usize = 100;
/// The maximum length of an id in a summary, in bytes.
const ID: usize = 1_000;

/// Counts of the window's time.
#[derive(Default)]
pub(crate) struct Counters {
    segments: BTreeMap<i64, SegmentCounters>,
    sources: SourceCounters,
    latest: VecDeque<DuplicateSummary>,
}

#[derive(Default)]
struct SegmentCounters {
    verdicts: VerdictCounts,
    sources: SourceCounters,
}

/// The number of documents by verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct VerdictCounts {
    /// New documents.
    pub new: u64,
    /// Exact copies.
    pub exact: u64,
    /// Near-duplicates.
    pub near: u64,
    /// Documents older than the window.
    pub old: u64,
}

/// The number of documents of a source, and of duplicates among them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SourceCounts {
    /// All documents.
    pub documents: u64,
    /// Exact copies and near-duplicates.
    pub duplicates: u64,
}

/// Counts by source.
#[derive(Default)]
pub(super) struct SourceCounters {
    /// By name; documents without a source have an empty one.
    pub(super) named: HashMap<Arc<str>, SourceCounts>,
    /// Documents that came when there were already too many sources.
    pub(super) beyond: SourceCounts,
}

/// A duplicate without its text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DuplicateSummary {
    /// The sequence number of the document.
    pub number: u64,
    /// The user's id.
    pub id: String,
    /// Where the document comes from.
    pub source: Option<String>,
    /// The time of the document, in Unix seconds.
    #[serde(serialize_with = "serialize_whole")]
    pub time: f64,
    /// `exact` or `near`.
    pub verdict: VerdictKind,
    /// The id of the most similar document.
    pub of: Option<String>,
    /// The similarity to it.
    pub similarity: Option<f64>,
    /// How much earlier that document is, in seconds.
    pub age: Option<f64>,
}

impl Counters {
    /// Counts a document that expires with this segment.
    pub(crate) fn count(&mut self, document: &Stored, segment: i64) {
        let segment_counters = self.segments.entry(segment).or_default();
        segment_counters.verdicts.count(document.verdict.kind);
        let is_duplicate = document.verdict.is_duplicate();
        let counts = SourceCounts { documents: 1, duplicates: u64::from(is_duplicate) };
        let name = short(document.source.as_deref().unwrap_or_default());
        match self.sources.named.get_key_value(name.as_str()).map(|(name, _)| name.clone()) {
            None if self.sources.named.len() >= SOURCES => {
                self.sources.beyond.add(counts);
                segment_counters.sources.beyond.add(counts);
            }
            known => {
                let name = known.unwrap_or_else(|| Arc::from(name));
                segment_counters.sources.named.entry(name.clone()).or_default().add(counts);
                self.sources.named.entry(name).or_default().add(counts);
            }
        }
        if is_duplicate && let Some(summary) = DuplicateSummary::of(document) {
            self.latest.push_back(summary);
            if self.latest.len() > LATEST {
                self.latest.pop_front();
            }
        }
    }

    /// Subtracts the counts of the segments before this one.
    pub(crate) fn expire(&mut self, oldest: i64) {
        while let Some(entry) = self.segments.first_entry().filter(|entry| *entry.key() < oldest) {
            let SourceCounters { named, beyond } = entry.remove().sources;
            self.sources.beyond.take(beyond);
            for (name, counts) in named {
                if let Some(left) = self.sources.named.get_mut(&name) {
                    left.take(counts);
                    if left.documents == 0 {
                        self.sources.named.remove(&name);
                    }
                }
            }
        }
    }

    /// Counts by segment.
    pub(crate) fn segments(&self) -> impl Iterator<Item = (i64, VerdictCounts)> + '_ {
        self.segments.iter().map(|(&number, segment_counters)| (number, segment_counters.verdicts))
    }

    pub(super) fn sources(&self) -> &SourceCounters {
        &self.sources
    }

    /// The latest duplicates whose number is at least `since`, in order of arrival.
    pub(crate) fn latest(&self, since: u64) -> impl Iterator<Item = &DuplicateSummary> {
        self.latest.iter().filter(move |summary| summary.number >= since)
    }
}

impl VerdictCounts {
    fn count(&mut self, verdict: VerdictKind) {
        match verdict {
            VerdictKind::New => self.new += 1,
            VerdictKind::Exact => self.exact += 1,
            VerdictKind::Near => self.near += 1,
            _ => self.old += 1,
        }
    }

    pub(crate) fn add(&mut self, other: VerdictCounts) {
        self.new += other.new;
        self.exact += other.exact;
        self.near += other.near;
        self.old += other.old;
    }
}

impl SourceCounts {
    pub(crate) fn add(&mut self, other: SourceCounts) {
        self.documents += other.documents;
        self.duplicates += other.duplicates;
    }

    fn take(&mut self, other: SourceCounts) {
        self.documents -= other.documents;
        self.duplicates -= other.duplicates;
    }
}

impl DuplicateSummary {
    /// `None` if its ids are too long to be kept.
    fn of(document: &Stored) -> Option<DuplicateSummary> {
        let verdict = &document.verdict;
        let is_short = |id: &str| id.len() <= ID;
        (is_short(&verdict.id) && verdict.of.as_deref().is_none_or(is_short)).then(|| DuplicateSummary {
            number: document.number,
            id: verdict.id.clone(),
            source: document.source.as_deref().map(short),
            time: document.time as f64 / 1e3,
            verdict: verdict.kind,
            of: verdict.of.clone(),
            similarity: verdict.similarity,
            age: verdict.matches.first().map(|found| found.age),
        })
    }
}

/// A name, cut if it is too long.
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

    fn document(number: u64, kind: &str, source: &str) -> Stored {
        let mut verdict = Verdict::incomparable(&number.to_string());
        verdict.kind = VerdictKind::of_name(kind).unwrap();
        Stored { number, verdict, time: 0, source: Some(source.into()), text: String::new(), taken: true }
    }

    #[test]
    fn sources_expire_with_their_segments() {
        let mut counters = Counters::default();
        counters.count(&document(0, "new", "a"), 1);
        counters.count(&document(1, "near", "a"), 2);
        counters.count(&document(2, "old", "b"), 1);
        assert_eq!(counters.sources().named["a"], SourceCounts { documents: 2, duplicates: 1 });
        counters.expire(2);
        assert_eq!(counters.sources().named["a"], SourceCounts { documents: 1, duplicates: 1 });
        assert!(!counters.sources().named.contains_key("b"));
        assert_eq!(
            counters.segments().collect::<Vec<_>>(),
            [(2, VerdictCounts { near: 1, ..VerdictCounts::default() })]
        );
    }

    #[test]
    fn memory_is_bounded() {
        let mut counters = Counters::default();
        for number in 0..30_000 {
            counters
                .count(&document(number, "near", &format!("{number}{}", "ä".repeat(10_000))), (number / 15_000) as i64);
        }
        assert_eq!((counters.sources().named.len(), counters.sources().beyond.documents), (SOURCES, 20_000));
        assert!(counters.sources().named.keys().all(|name| name.chars().count() == NAME + 1));
        assert_eq!(counters.latest(0).count(), LATEST);
        assert_eq!(counters.latest(29_999).count(), 1);
        counters.expire(2);
        assert!(counters.sources().named.is_empty() && counters.sources().beyond == SourceCounts::default());

        let mut long = document(30_000, "near", "");
        long.verdict.id = "x".repeat(ID + 1);
        counters.count(&long, 2);
        assert_eq!(counters.latest(30_000).count(), 0);
    }
}
