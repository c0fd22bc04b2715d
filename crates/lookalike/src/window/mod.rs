//! A sliding window over documents as they come: which of those in it does each resemble?
//!
//! Time is cut into *segments*, one hour of it by default. A document is compared with those of its own segment and of so many before
//! and behind it; what lies further back than that from the newest segment is forgotten, a whole segment at once. That is the window
//! of Montanari and Puglisi's *Near Duplicate Document Detection for Large Information Flows* (2012).
//!
//! Two [indexes](IndexKind) give the same answers: `bitmaps`, the paper's (with the feature of that name), and `prefix`, which looks at far fewer postings.
//!
//! ```
//! use lookalike::engine::{Recipe, SetMaker, SetWindow, Span};
//! use lookalike::{Measure, Threshold, VerdictKind};
//!
//! let mut sets = SetMaker::new(Recipe { tokens: "letters:4".parse()?, ..Recipe::default() });
//! let hour = 3_600_000;
//! let mut window = SetWindow::new(Threshold::new(Measure::Max, "0.8")?, Span::new(24 * hour, hour)?)?;
//! let first = window.add(sets.set("The ferry to the island leaves at nine."), 0);
//! assert_eq!(first.kind, VerdictKind::New);
//! let second = window.add(sets.set("the ferry to the island leaves at nine"), 2 * hour);
//! assert_eq!(second.kind, VerdictKind::Exact);
//! assert_eq!((second.matches[0].document, second.matches[0].age), (first.document.unwrap(), 2 * hour));
//! let next_week = window.add(sets.set("The ferry to the island leaves at nine."), 200 * hour);
//! assert_eq!(next_week.kind, VerdictKind::New);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod band;
#[cfg(feature = "bitmaps")]
mod bitmaps;
mod codes;
mod dictionary;
mod generation;
mod index;
mod lists;
mod prefix;
mod saved;
mod segment;
mod span;
#[cfg(test)]
mod tests;
mod verdict;

use std::collections::BTreeMap;
use std::convert::Infallible;

use crate::measure::{Measure, Threshold};
use crate::sets::is_set;
use index::Index;
use segment::Segment;
pub use answer::{Match, Verdict};
pub use index::IndexKind;
pub use span::{Span, SpanError};
pub use verdict::{DocumentRef, SetMatch, SetVerdict, VerdictKind};

/// With which documents of the window one is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CompareWith {
    /// With all, duplicates too, as in the paper.
    #[default]
    All,
    /// With those that were new when they came.
    Accepted,
}

/// A measure that a window cannot compare by.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a window compares by a similarity, and {measure} is a distance")]
pub struct WindowError {
    /// Which.
    pub measure: Measure,
}

/// A sliding window over sets.
pub struct SetWindow {
    threshold: Threshold,
    span: Span,
    compare_with: CompareWith,
    /// The latest segment that a document was in.
    newest: Option<i64>,
    segments: BTreeMap<i64, Segment>,
    index: Index,
    arrivals: u64,
    found: Vec<Found>,
}

/// A document that shares elements with another.
#[derive(Clone, Copy, Debug)]
struct Found {
    at: DocumentRef,
    common: u32,
}

impl SetWindow {
    /// An empty window. Not for a distance: by that, documents may resemble each other that share nothing, and an index finds documents
    /// by what they share.
    pub fn new(threshold: Threshold, span: Span) -> Result<SetWindow, WindowError> {
        if threshold.is_distance() {
            return Err(WindowError { measure: threshold.measure() });
        }
        Ok(SetWindow {
            threshold,
            span,
            compare_with: CompareWith::All,
            newest: None,
            segments: BTreeMap::new(),
            index: Index::new(IndexKind::Prefix, span),
            arrivals: 0,
            found: Vec::new(),
        })
    }

    /// The same with another index; what is in the window is forgotten.
    pub fn with_index(self, kind: IndexKind) -> SetWindow {
        let index = Index::new(kind, self.span);
        SetWindow { index, newest: None, segments: BTreeMap::new(), ..self }
    }

    /// The same, comparing with these.
    pub fn comparing_with(self, compare_with: CompareWith) -> SetWindow {
        SetWindow { compare_with, ..self }
    }

    /// An empty window of the same settings.
    pub fn emptied(&self) -> SetWindow {
        let SetWindow { threshold, span, compare_with, .. } = *self;
        let (newest, segments, index) = (None, BTreeMap::new(), Index::new(self.index.kind(), span));
        SetWindow { threshold, span, compare_with, newest, segments, index, arrivals: 0, found: Vec::new() }
    }

    /// Judges a document by its set, ascending, and takes it in. `time` is in milliseconds from any moment.
    ///
    /// A document without elements resembles nothing, and one that is older than the window is not compared; neither is taken in.
    ///
    /// # Panics
    ///
    /// If the set is not ascending and distinct, as in [`SetWindow::restore`] and [`SetWindow::query`]; or if the window would have 2³² documents
    /// in a segment, or different elements, or more.
    pub fn add(&mut self, set: &[u64], time: i64) -> SetVerdict {
        let Ok((verdict, ())) = self.add_if(set, time, |_| Ok::<(), Infallible>(()));
        verdict
    }

    /// The same, if `allow` agrees once it has seen the verdict; what it says is told too. After an error the window is as it was before.
    pub fn add_if<T, E>(
        &mut self,
        set: &[u64],
        time: i64,
        allow: impl FnOnce(&SetVerdict) -> Result<T, E>,
    ) -> Result<(SetVerdict, T), E> {
        let segment = self.span.segment(time);
        if self.newest.is_some_and(|newest| segment <= newest) {
            return self.judge(set, time, allow);
        }
        // Time passes by this document, and what is forgotten then cannot be brought back: so it is judged before, by which nothing
        // changes.
        let mut verdict = self.query(set, time);
        verdict.document = self.next_place(set, segment, verdict.kind);
        let said = allow(&verdict)?;
        self.pass_to(segment);
        self.judge(set, time, |_| Ok(said))
    }

    /// Judges a document by which no time passes, and takes it in if `allow` agrees.
    fn judge<T, E>(
        &mut self,
        set: &[u64],
        time: i64,
        allow: impl FnOnce(&SetVerdict) -> Result<T, E>,
    ) -> Result<(SetVerdict, T), E> {
        let segment = self.span.segment(time);
        let (verdict, said) = match self.without_looking(set, segment) {
            Some(verdict) => {
                let said = allow(&verdict)?;
                (verdict, said)
            }
            None => {
                self.index.take(set);
                let mut verdict = self.compare(set, time);
                verdict.document = self.next_place(set, segment, verdict.kind);
                let allowed = allow(&verdict);
                if allowed.is_err() || verdict.document.is_none() {
                    self.index.release();
                }
                (verdict, allowed?)
            }
        };
        self.arrivals += 1;
        if verdict.document.is_some() {
            self.enter(set, segment, time);
        }
        Ok((verdict, said))
    }

    /// Where a document of this kind goes, if later ones are to be compared with it.
    fn next_place(&self, set: &[u64], segment: i64, kind: VerdictKind) -> Option<DocumentRef> {
        let is_taken = !set.is_empty() && (kind == VerdictKind::New || self.compare_with == CompareWith::All);
        is_taken.then(|| DocumentRef { segment, slot: self.slots(segment) as u32 })
    }

    /// Lets a document come again that came before, without judging it: `taken` is whether it was taken in then. Documents that come again
    /// in the same order make the same window.
    pub fn restore(&mut self, set: &[u64], time: i64, taken: bool) -> Option<DocumentRef> {
        let segment = self.arrive(time);
        if !taken || self.without_looking(set, segment).is_some() {
            return None;
        }
        self.index.take(set);
        Some(self.enter(set, segment, time))
    }

    /// One more comes, and time may pass by that. The segment that it is in.
    fn arrive(&mut self, time: i64) -> i64 {
        let segment = self.span.segment(time);
        self.pass_to(segment);
        self.arrivals += 1;
        segment
    }

    /// Lets time pass, if this is later than all before.
    fn pass_to(&mut self, segment: i64) {
        if self.newest.is_none_or(|newest| segment > newest) {
            self.newest = Some(segment);
            self.expire();
        }
    }

    /// Takes in a document whose elements the index has been told.
    fn enter(&mut self, set: &[u64], segment: i64, time: i64) -> DocumentRef {
        let documents = self.segments.entry(segment).or_default();
        let at = DocumentRef { segment, slot: documents.push(set.len() as u32, time, self.arrivals) };
        self.index.enter(at, set, &self.threshold);
        at
    }

    /// Judges a document without taking it in. Time does not pass by that.
    pub fn query(&mut self, set: &[u64], time: i64) -> SetVerdict {
        if let Some(verdict) = self.without_looking(set, self.span.segment(time)) {
            return verdict;
        }
        self.index.look_up(set);
        self.compare(set, time)
    }

    /// Forgets a document; whether it was there.
    pub fn remove(&mut self, at: DocumentRef) -> bool {
        let Some(segment) = self.segments.get_mut(&at.segment) else { return false };
        if !segment.remove(at.slot) {
            return false;
        }
        self.index.remove(at);
        true
    }

    /// How many documents are in the window.
    pub fn len(&self) -> usize {
        self.segments.values().map(Segment::live).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The segments that have documents, and how many each has.
    pub fn segments(&self) -> impl Iterator<Item = (i64, usize)> + '_ {
        self.segments.iter().map(|(&number, segment)| (number, segment.live()))
    }

    /// How many documents ever were in a segment, those that were removed included: their slots are below.
    pub fn slots(&self, segment: i64) -> usize {
        self.segments.get(&segment).map_or(0, Segment::slots)
    }

    /// Bytes that a segment's documents take. The index over all segments comes on top of that.
    pub fn segment_bytes(&self, number: i64) -> usize {
        self.segments.get(&number).map_or(0, Segment::bytes) + self.index.bytes(number)
    }

    /// What makes two documents resemble each other.
    pub fn threshold(&self) -> &Threshold {
        &self.threshold
    }

    /// The oldest segment that a document may still be in, if one came.
    pub fn oldest(&self) -> Option<i64> {
        self.newest.map(|newest| newest.saturating_sub(self.span.segments()))
    }

    /// How time is cut.
    pub fn span(&self) -> Span {
        self.span
    }

    /// When a document came in, by its own time, if it is still there.
    pub fn time(&self, at: DocumentRef) -> Option<i64> {
        self.segments.get(&at.segment)?.time(at.slot)
    }

    /// Lets time pass without a document.
    pub fn advance(&mut self, time: i64) {
        if self.newest.is_some() {
            self.pass_to(self.span.segment(time));
        }
    }

    /// Drops what is older than the window.
    fn expire(&mut self) {
        let Some(oldest) = self.oldest() else { return };
        while let Some(entry) = self.segments.first_entry().filter(|entry| *entry.key() < oldest) {
            let (number, segment) = entry.remove_entry();
            self.index.expire(number, |slot| segment.time(slot).is_some());
        }
    }

    /// The verdict on what is older than the window, or has nothing to share.
    fn without_looking(&self, set: &[u64], segment: i64) -> Option<SetVerdict> {
        assert!(is_set(set), "the set of a document is ascending and distinct");
        let is_old = self.oldest().is_some_and(|oldest| segment < oldest);
        let kind = if is_old { VerdictKind::Old } else { VerdictKind::New };
        (is_old || set.is_empty()).then(|| SetVerdict { kind, document: None, matches: Vec::new() })
    }

    /// The verdict on a document that the index has looked up.
    fn compare(&mut self, set: &[u64], time: i64) -> SetVerdict {
        let (segment, reach) = (self.span.segment(time), self.span.segments());
        let among = segment.saturating_sub(reach)..=segment.saturating_add(reach);
        self.found.clear();
        let sizes = |at: DocumentRef| self.segments[&at.segment].size(at.slot);
        self.index.find(set, among, &self.threshold, sizes, &mut self.found);
        self.verdict(set.len() as u32, time)
    }

    /// The verdict by what was found.
    fn verdict(&self, size: u32, time: i64) -> SetVerdict {
        let mut matches: Vec<(bool, u64, u32, SetMatch)> = self
            .found
            .iter()
            .map(|&Found { at, common }| {
                let segment = &self.segments[&at.segment];
                let other = segment.size(at.slot);
                let is_equal = common == size && common == other;
                let similarity = self.threshold.similarity(common, size, other);
                let age = time.saturating_sub(segment.time(at.slot).unwrap_or(time));
                (is_equal, segment.arrival(at.slot), common, SetMatch { document: at, similarity, age })
            })
            .collect();
        // Equal ones first, then the most similar, the earliest of equals.
        matches.sort_by(|one, two| {
            let size_of = |of: &SetMatch| self.segments[&of.document.segment].size(of.document.slot);
            let by_similarity = self.threshold.compare(size, (two.2, size_of(&two.3)), (one.2, size_of(&one.3)));
            two.0.cmp(&one.0).then(by_similarity).then(one.1.cmp(&two.1))
        });
        let kind = match matches.first() {
            None => VerdictKind::New,
            Some((true, ..)) => VerdictKind::Exact,
            Some(_) => VerdictKind::Near,
        };
        SetVerdict { kind, document: None, matches: matches.into_iter().map(|(_, _, _, found)| found).collect() }
    }
}
