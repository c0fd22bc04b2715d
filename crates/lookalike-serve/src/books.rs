//! Which document of the window has which id, and where its record is.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use lookalike::engine::{DocumentRef, SetVerdict, SetWindow};
use lookalike::Verdict;

use crate::entry::Added;
use crate::log::Place;
use crate::stock::Incoming;
use crate::tally::Tally;

pub(crate) struct Books {
    pub(crate) window: SetWindow,
    pub(crate) ids: HashMap<Arc<str>, Held>,
    shelves: Shelves,
    /// By file of the log, the last segment that it is needed for.
    needed: BTreeMap<u32, i64>,
    /// The number of the next document.
    pub(crate) next: u64,
    /// Whether a document came.
    is_begun: bool,
    /// How many did that nothing is known of, by the numbers of those before and behind them.
    pub(crate) missing: u64,
    /// Duplicates by the numbers under which they came.
    pub(crate) duplicates: BTreeMap<u64, Arc<str>>,
    pub(crate) tally: Tally,
}

/// A document that came.
#[derive(Clone, Copy)]
pub(crate) struct Held {
    at: Option<DocumentRef>,
    place: Place,
    number: u64,
    shelf: i64,
}

/// Ids by the segment with which they are forgotten.
type Shelves = BTreeMap<i64, Shelf>;

#[derive(Default)]
struct Shelf {
    /// By slot of the segment.
    taken: Vec<Arc<str>>,
    /// Those that are not compared with.
    others: Vec<Arc<str>>,
}

impl Books {
    pub(crate) fn new(window: SetWindow) -> Books {
        Books {
            window,
            ids: HashMap::new(),
            shelves: BTreeMap::new(),
            needed: BTreeMap::new(),
            next: 0,
            is_begun: false,
            missing: 0,
            duplicates: BTreeMap::new(),
            tally: Tally::default(),
        }
    }

    /// Where the record of a document is.
    pub(crate) fn place(&self, id: &str) -> Option<Place> {
        self.ids.get(id).map(|held| held.place)
    }

    /// Where the record of the document is that came last.
    pub(crate) fn last(&self) -> Option<Place> {
        self.ids.values().max_by_key(|held| held.number).map(|held| held.place)
    }

    /// Judges a document without taking it in.
    pub(crate) fn query(&mut self, id: &str, set: &[u64], time: i64) -> Verdict {
        let verdict = self.window.query(set, time);
        answer(&self.shelves, id, &verdict)
    }

    /// Judges a document, and takes it in if `write` could write down what is to be remembered of it, and tells where.
    pub(crate) fn add<E>(
        &mut self,
        document: Incoming,
        write: impl FnOnce(&Added) -> Result<Place, E>,
    ) -> Result<Verdict, E> {
        let Books { window, shelves, next, .. } = self;
        let Incoming { id, time, source, text, set } = document;
        let (verdict, (added, place)) = window.add_if(&set, time, |verdict| {
            let answer = answer(shelves, &id, verdict);
            let added = Added { number: *next, answer, time, source, text, taken: verdict.document.is_some() };
            let place = write(&added)?;
            Ok((added, place))
        })?;
        self.expire();
        self.hold(&added, verdict.document, place);
        Ok(added.answer)
    }

    /// Where the next document of a segment goes that is compared with.
    pub(crate) fn next_slot(&self, segment: i64) -> u32 {
        self.shelves.get(&segment).map_or(0, |shelf| shelf.taken.len() as u32)
    }

    /// Whether a window has what stands here to be compared with: by segment, as many documents in as many slots.
    pub(crate) fn fit(&self, window: &SetWindow) -> bool {
        let mut live: BTreeMap<i64, usize> = BTreeMap::new();
        for at in self.ids.values().filter_map(|held| held.at) {
            *live.entry(at.segment).or_default() += 1;
        }
        let shelves = self.shelves.iter().filter(|(_, shelf)| !shelf.taken.is_empty());
        shelves
            .map(|(&segment, shelf)| (segment, live.remove(&segment).unwrap_or(0), shelf.taken.len()))
            .eq(window.segments().map(|(segment, live)| (segment, live, window.slots(segment))))
            && live.is_empty()
    }

    /// Enters a document.
    pub(crate) fn hold(&mut self, added: &Added, at: Option<DocumentRef>, place: Place) {
        let id: Arc<str> = Arc::from(added.answer.id.as_str());
        let segment = self.window.span().segment(added.time);
        // One that is older than the window is told of for as long as the oldest in it.
        let shelf = segment.max(self.window.oldest().unwrap_or(segment));
        let ids = self.shelves.entry(shelf).or_default();
        match at {
            Some(_) => ids.taken.push(id.clone()),
            None => ids.others.push(id.clone()),
        }
        // The first file begins with the first of all.
        if place.file == 1 || self.is_begun {
            self.missing += added.number.saturating_sub(self.next);
        }
        self.is_begun = true;
        if added.answer.is_duplicate() {
            self.duplicates.insert(added.number, id.clone());
        }
        self.ids.insert(id, Held { at, place, number: added.number, shelf });
        self.need(place, shelf);
        self.tally.count(added, shelf);
        self.next = added.number.saturating_add(1);
    }

    /// Strikes out a document; whether it was there. `place` is where it is written that it went.
    pub(crate) fn remove(&mut self, id: &str, place: Place) -> bool {
        let Some(held) = self.ids.remove(id) else { return false };
        if let Some(at) = held.at {
            self.window.remove(at);
        }
        self.duplicates.remove(&held.number);
        // As long as the document itself is remembered, so must be that it went.
        self.need(place, held.shelf);
        true
    }

    /// Strikes out what is older than the window.
    pub(crate) fn expire(&mut self) {
        let Some(oldest) = self.window.oldest() else { return };
        self.tally.expire(oldest);
        while let Some(entry) = self.shelves.first_entry().filter(|entry| *entry.key() < oldest) {
            let (shelf, Shelf { taken, others }) = entry.remove_entry();
            for id in taken.into_iter().chain(others) {
                // A deleted id may have come again since.
                if let Some(held) = self.ids.get(&id).filter(|held| held.shelf == shelf) {
                    self.duplicates.remove(&held.number);
                    self.ids.remove(&id);
                }
            }
        }
    }

    /// The first file of the log that is still needed; those before it are not.
    pub(crate) fn first_needed(&mut self) -> u32 {
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

/// A verdict in the words of clients.
fn answer(shelves: &Shelves, id: &str, verdict: &SetVerdict) -> Verdict {
    Verdict::new(id, verdict, |at| &shelves[&at.segment].taken[at.slot as usize])
}
