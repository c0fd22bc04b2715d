//! What is a window of sets, and what does it hold?

use std::collections::BTreeMap;

use super::candidate::Candidate;
use super::compare_with::CompareWith;
use super::error::WindowError;
use super::index::{Index, WindowIndex};
use super::segment::Segment;
use super::span::Span;
use super::verdict::DocumentRef;
use crate::measure::Threshold;

/// A sliding window over sets.
pub struct SetWindow {
    pub(super) threshold: Threshold,
    pub(super) span: Span,
    pub(super) compare_with: CompareWith,
    /// The latest segment with a document.
    pub(super) newest: Option<i64>,
    pub(super) segments: BTreeMap<i64, Segment>,
    pub(super) index: Index,
    pub(super) arrivals: u64,
    pub(super) found: Vec<Candidate>,
}

impl SetWindow {
    /// Makes an empty window. It does not support distances: under a distance, documents that share nothing can be
    /// similar, and an index finds documents by shared elements.
    pub fn new(threshold: Threshold, span: Span) -> Result<SetWindow, WindowError> {
        if threshold.is_distance() {
            return Err(WindowError::Distance { measure: threshold.measure() });
        }
        Ok(SetWindow {
            threshold,
            span,
            compare_with: CompareWith::All,
            newest: None,
            segments: BTreeMap::new(),
            index: Index::new(WindowIndex::Prefix, span),
            arrivals: 0,
            found: Vec::new(),
        })
    }

    /// Changes the index, and clears the window.
    pub fn with_index(self, kind: WindowIndex) -> SetWindow {
        let index = Index::new(kind, self.span);
        SetWindow { index, newest: None, segments: BTreeMap::new(), ..self }
    }

    /// Sets which documents a new one is compared with.
    pub fn comparing_with(self, compare_with: CompareWith) -> SetWindow {
        SetWindow { compare_with, ..self }
    }

    /// Returns an empty window with the same settings.
    pub fn emptied(&self) -> SetWindow {
        let SetWindow { threshold, span, compare_with, .. } = *self;
        let (newest, segments, index) = (None, BTreeMap::new(), Index::new(self.index.kind(), span));
        SetWindow { threshold, span, compare_with, newest, segments, index, arrivals: 0, found: Vec::new() }
    }

    /// Removes a document, and returns whether it was there.
    pub fn remove(&mut self, at: DocumentRef) -> bool {
        let Some(segment) = self.segments.get_mut(&at.segment) else { return false };
        if !segment.remove(at.slot) {
            return false;
        }
        self.index.remove(at);
        true
    }

    /// Returns the number of documents in the window.
    pub fn len(&self) -> usize {
        self.segments.values().map(Segment::live).sum()
    }

    /// Returns whether the window is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the segments with documents, and the number of documents in each.
    pub fn segments(&self) -> impl Iterator<Item = (i64, usize)> + '_ {
        self.segments.iter().map(|(&number, segment)| (number, segment.live()))
    }

    /// Returns the number of documents ever added to a segment, including removed ones. Slots are below this.
    pub fn slots(&self, segment: i64) -> usize {
        self.segments.get(&segment).map_or(0, Segment::slots)
    }

    /// Returns the bytes of a segment's documents. The index over all segments is not included.
    pub fn segment_bytes(&self, number: i64) -> usize {
        self.segments.get(&number).map_or(0, Segment::bytes) + self.index.bytes(number)
    }

    /// Returns the threshold.
    pub fn threshold(&self) -> &Threshold {
        &self.threshold
    }

    /// Returns the oldest segment in the window, if there was a document.
    pub fn oldest(&self) -> Option<i64> {
        self.newest.map(|newest| newest.saturating_sub(self.span.segments()))
    }

    /// Returns how time is divided.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Returns the time of a document, if it is still in the window.
    pub fn time(&self, at: DocumentRef) -> Option<i64> {
        self.segments.get(&at.segment)?.time(at.slot)
    }

    /// Advances the time, if this is the latest segment so far.
    pub(super) fn pass_to(&mut self, segment: i64) {
        if self.newest.is_none_or(|newest| segment > newest) {
            self.newest = Some(segment);
            self.expire();
        }
    }

    /// Drops segments older than the window.
    fn expire(&mut self) {
        let Some(oldest) = self.oldest() else { return };
        while let Some(entry) = self.segments.first_entry().filter(|entry| *entry.key() < oldest) {
            let (number, segment) = entry.remove_entry();
            self.index.expire(number, |slot| segment.time(slot).is_some());
        }
    }
}
