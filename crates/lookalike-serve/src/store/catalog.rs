//! Which document has which id, and where is its record?

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use lookalike::Verdict;
use lookalike::engine::{DocumentRef, SetVerdict, SetWindow};

use crate::document::{Incoming, Stored};
use crate::log::Place;
use crate::stats::Counters;

/// The window, and the ids of its documents.
pub(super) struct Catalog {
    pub(super) window: SetWindow,
    pub(super) ids: HashMap<Arc<str>, Item>,
    segments: IdsBySegment,
    /// For each file of the log, the last segment that needs it.
    needed: BTreeMap<u32, i64>,
    /// The number of the next document.
    pub(super) next: u64,
    /// Whether any document has come.
    is_begun: bool,
    /// How many documents are lost, as gaps in the numbers show.
    pub(super) missing: u64,
    /// The ids of duplicates by number.
    pub(super) duplicates: BTreeMap<u64, Arc<str>>,
    pub(super) counters: Counters,
}

/// A document of the catalog.
#[derive(Clone, Copy)]
pub(super) struct Item {
    /// Its place in the window, if it has one.
    at: Option<DocumentRef>,
    place: Place,
    number: u64,
    /// The segment with which it expires.
    segment: i64,
}

/// Ids by the segment with which they expire.
type IdsBySegment = BTreeMap<i64, SegmentIds>;

#[derive(Default)]
struct SegmentIds {
    /// Documents in the window, by slot of the segment.
    in_window: Vec<Arc<str>>,
    /// Documents with which no other is compared.
    others: Vec<Arc<str>>,
}

impl Catalog {
    pub(super) fn new(window: SetWindow) -> Catalog {
        Catalog {
            window,
            ids: HashMap::new(),
            segments: BTreeMap::new(),
            needed: BTreeMap::new(),
            next: 0,
            is_begun: false,
            missing: 0,
            duplicates: BTreeMap::new(),
            counters: Counters::default(),
        }
    }

    /// The place of a document's record.
    pub(super) fn place(&self, id: &str) -> Option<Place> {
        self.ids.get(id).map(|item| item.place)
    }

    /// The place of the latest document's record.
    pub(super) fn last(&self) -> Option<Place> {
        self.ids.values().max_by_key(|item| item.number).map(|item| item.place)
    }

    /// Judges a document without adding it.
    pub(super) fn query(&mut self, id: &str, set: &[u64], time: i64) -> Verdict {
        let found = self.window.query(set, time);
        verdict(&self.segments, id, &found)
    }

    /// Judges a document, and adds it if `write` succeeds. `write` logs the document and returns the place of the record.
    pub(super) fn add<E>(
        &mut self,
        document: Incoming,
        write: impl FnOnce(&Stored) -> Result<Place, E>,
    ) -> Result<Verdict, E> {
        let Catalog { window, segments, next, .. } = self;
        let Incoming { id, time, source, text, set } = document;
        let (found, (stored, place)) = window.add_if(&set, time, |found| {
            let verdict = verdict(segments, &id, found);
            let stored = Stored { number: *next, verdict, time, source, text, taken: found.document.is_some() };
            let place = write(&stored)?;
            Ok((stored, place))
        })?;
        self.expire();
        self.insert(&stored, found.document, place);
        Ok(stored.verdict)
    }

    /// The slot of the next document that a segment of the window gets.
    pub(super) fn next_slot(&self, segment: i64) -> u32 {
        self.segments.get(&segment).map_or(0, |ids| ids.in_window.len() as u32)
    }

    /// Whether a window matches this catalog: the same segments, with the same numbers of documents and slots.
    pub(super) fn fits(&self, window: &SetWindow) -> bool {
        let mut live: BTreeMap<i64, usize> = BTreeMap::new();
        for at in self.ids.values().filter_map(|item| item.at) {
            *live.entry(at.segment).or_default() += 1;
        }
        let segments = self.segments.iter().filter(|(_, ids)| !ids.in_window.is_empty());
        segments
            .map(|(&segment, ids)| (segment, live.remove(&segment).unwrap_or(0), ids.in_window.len()))
            .eq(window.segments().map(|(segment, live)| (segment, live, window.slots(segment))))
            && live.is_empty()
    }

    /// Inserts a document.
    pub(super) fn insert(&mut self, stored: &Stored, at: Option<DocumentRef>, place: Place) {
        let id: Arc<str> = Arc::from(stored.verdict.id.as_str());
        let own = self.window.span().segment(stored.time);
        // A document older than the window expires with the oldest segment in it.
        let segment = own.max(self.window.oldest().unwrap_or(own));
        let ids = self.segments.entry(segment).or_default();
        match at {
            Some(_) => ids.in_window.push(id.clone()),
            None => ids.others.push(id.clone()),
        }
        // The first file begins with document 0. Later files may be the oldest that are left.
        if place.file == 1 || self.is_begun {
            self.missing += stored.number.saturating_sub(self.next);
        }
        self.is_begun = true;
        if stored.verdict.is_duplicate() {
            self.duplicates.insert(stored.number, id.clone());
        }
        self.ids.insert(id, Item { at, place, number: stored.number, segment });
        self.need(place, segment);
        self.counters.count(stored, segment);
        self.next = stored.number.saturating_add(1);
    }

    /// Removes a document, and returns whether it was there. `place` is the record of the removal.
    pub(super) fn remove(&mut self, id: &str, place: Place) -> bool {
        let Some(item) = self.ids.remove(id) else { return false };
        if let Some(at) = item.at {
            self.window.remove(at);
        }
        self.duplicates.remove(&item.number);
        // Without this record, a replay would bring the document back.
        self.need(place, item.segment);
        true
    }

    /// Removes the documents that are older than the window.
    pub(super) fn expire(&mut self) {
        let Some(oldest) = self.window.oldest() else { return };
        self.counters.expire(oldest);
        while let Some(entry) = self.segments.first_entry().filter(|entry| *entry.key() < oldest) {
            let (segment, SegmentIds { in_window, others }) = entry.remove_entry();
            for id in in_window.into_iter().chain(others) {
                // A deleted id may have been added again since.
                if let Some(item) = self.ids.get(&id).filter(|item| item.segment == segment) {
                    self.duplicates.remove(&item.number);
                    self.ids.remove(&id);
                }
            }
        }
    }

    /// The first file of the log that is still needed.
    pub(super) fn first_needed(&mut self) -> u32 {
        let oldest = self.window.oldest().unwrap_or(i64::MIN);
        while let Some(entry) = self.needed.first_entry().filter(|entry| *entry.get() < oldest) {
            entry.remove();
        }
        self.needed.keys().next().copied().unwrap_or(0)
    }

    fn need(&mut self, place: Place, segment: i64) {
        let last = self.needed.entry(place.file).or_insert(segment);
        *last = segment.max(*last);
    }
}

/// The window's verdict, with ids in place of slots.
fn verdict(segments: &IdsBySegment, id: &str, found: &SetVerdict) -> Verdict {
    Verdict::new(id, found, |at| &segments[&at.segment].in_window[at.slot as usize])
}
