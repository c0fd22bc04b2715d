//! What is a window of sets, and what is in it?

use std::collections::BTreeMap;

use super::compare_with::CompareWith;
use super::error::WindowError;
use super::found::Found;
use super::index::{Index, IndexKind};
use super::segment::Segment;
use super::span::Span;
use super::verdict::DocumentRef;
use crate::measure::Threshold;

/// A sliding window over sets.
pub struct SetWindow {
    pub(super) threshold: Threshold,
    pub(super) span: Span,
    pub(super) compare_with: CompareWith,
    /// The latest segment that a document was in.
    pub(super) newest: Option<i64>,
    pub(super) segments: BTreeMap<i64, Segment>,
    pub(super) index: Index,
    pub(super) arrivals: u64,
    pub(super) found: Vec<Found>,
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

    /// Lets time pass, if this is later than all before.
    pub(super) fn pass_to(&mut self, segment: i64) {
        if self.newest.is_none_or(|newest| segment > newest) {
            self.newest = Some(segment);
            self.expire();
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
}
