//! How is a document judged, logged, read and deleted?
//!
//! Adding a document judges it, inserts it into the window and appends it to the log. The verdict may be sent to the client once
//! [`Store::commit`] has returned. The same id with the same text gets the first verdict again, so that a client can retry.

use std::path::Path;

use lookalike::Verdict;
use lookalike::engine::{Recipe, SetWindow};

use super::catalog::Catalog;
use super::entry::{Entry, EntryRef};
use super::error::StoreError;
use super::high_water_mark::{HighWaterMark, Reached};
use super::replay::{Replayed, replay};
use super::snapshot::Snapshots;
use crate::document::{Incoming, Stored};
use crate::log::{Log, LogError, Place, Position, Recovered};
use crate::stats::{News, WindowStats};

/// The state in which a store was found when it was opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opened {
    /// The state of the log.
    pub log: Recovered,
    /// Documents that are missing in the middle of the log.
    pub missing: u64,
    /// Whether it is known how far the log was synced.
    pub is_end_known: bool,
    /// The synced end of the log, if it is missing.
    pub lost: Option<Lost>,
    /// The number and the id of the latest document.
    pub last: Option<(u64, String)>,
}

/// The missing end of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost {
    /// Where the log ended.
    pub was: Position,
    /// Where it ends now.
    pub is: Position,
    /// The number of documents in between.
    pub documents: u64,
}

/// The documents of the window, in memory and on disk.
pub struct Store {
    catalog: Catalog,
    /// Dropped before the log, whose lock must be held until the last snapshot is finished.
    snapshots: Snapshots,
    pub(super) log: Log,
    mark: HighWaterMark,
    trouble: Option<Trouble>,
}

/// Why the log cannot be written.
struct Trouble {
    reason: String,
    /// Bytes of the shortest entry that could not be written.
    bytes: usize,
}

/// The maximum number of bytes that [`Store::try_again`] writes.
const PROBE: usize = 1 << 20;

impl Store {
    /// Opens the store in a folder, and replays its log into `window`, which must be empty.
    pub fn open(folder: &Path, window: SetWindow, recipe: Recipe) -> Result<(Store, Opened), StoreError> {
        let Replayed { mut catalog, mut log, recovered, replayed } = replay(folder, window, recipe)?;
        log.forget_before(catalog.first_needed())?;
        let is = log.end();
        let (mark, reached) = HighWaterMark::open(folder, Reached { end: is, next: catalog.next });
        let lost = reached.filter(|reached| reached.end > is).map(|Reached { end: was, next }| Lost {
            was,
            is,
            documents: next.saturating_sub(catalog.next),
        });
        let missing = catalog.missing;
        let store = Store { catalog, snapshots: Snapshots::new(recipe, replayed), log, mark, trouble: None };
        let last = store.last()?.map(|last| (last.number, last.verdict.id));
        Ok((store, Opened { log: recovered, missing, is_end_known: reached.is_some(), lost, last }))
    }

    /// Judges a document and adds it. If it cannot be logged, it is not added.
    pub fn add(&mut self, document: Incoming) -> Result<Verdict, StoreError> {
        if let Some(place) = self.catalog.place(&document.id) {
            let before = self.read(place)?;
            return if before.text == document.text {
                Ok(before.verdict)
            } else {
                Err(StoreError::IdTaken(document.id))
            };
        }
        let Store { catalog, snapshots, log, trouble, .. } = self;
        catalog.add(document, |stored| {
            let place = append(log, trouble, EntryRef::Add(stored))?;
            snapshots.count(place.length);
            Ok(place)
        })
    }

    /// Judges a document without adding it.
    pub fn query(&mut self, id: &str, set: &[u64], time: i64) -> Verdict {
        self.catalog.query(id, set, time)
    }

    /// Deletes a document, and returns whether it was there. If the deletion cannot be logged, the document stays.
    pub fn remove(&mut self, id: &str) -> Result<bool, StoreError> {
        if self.catalog.place(id).is_none() {
            return Ok(false);
        }
        let place = append(&mut self.log, &mut self.trouble, EntryRef::Remove { id })?;
        Ok(self.catalog.remove(id, place))
    }

    /// Syncs all changes to disk. After an error they may or may not be on disk. They stay readable, and the next commit retries.
    pub fn commit(&mut self) -> Result<(), StoreError> {
        if let Err(error) = self.log.commit() {
            self.trouble = Some(Trouble { reason: error.to_string(), bytes: 0 });
            return Err(error.into());
        }
        self.mark.set(Reached { end: self.log.end(), next: self.catalog.next });
        Ok(())
    }

    /// Why the log cannot be written, if it cannot.
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_ref().map(|trouble| trouble.reason.as_str())
    }

    /// After an error, checks whether the log can be written again.
    pub fn try_again(&mut self) {
        let Some(Trouble { bytes, .. }) = self.trouble else { return };
        if self.log.probe(bytes.min(PROBE)).is_ok() && self.log.commit().is_ok() {
            self.trouble = None;
        }
    }

    /// Deletes old files, starts new ones and makes snapshots: work that no client waits for.
    pub fn tidy(&mut self) -> Result<(), StoreError> {
        // Files are no longer needed because of later records, and these must be on disk first.
        let first = self.catalog.first_needed();
        if self.log.has_before(first) {
            self.commit()?;
            self.log.forget_before(first)?;
        }
        self.log.begin_next_if_large()?;
        if self.snapshots.are_due(&self.log) {
            self.commit()?;
            self.snapshots.make(&self.catalog.window, &self.log);
        }
        Ok(())
    }

    /// Commits, and makes a snapshot for a fast next start.
    pub fn close(mut self) -> Result<(), StoreError> {
        self.commit()?;
        self.snapshots.make(&self.catalog.window, &self.log);
        Ok(())
    }

    /// A document with its verdict.
    pub fn get(&self, id: &str) -> Result<Option<Stored>, StoreError> {
        self.catalog.place(id).map(|place| self.read(place)).transpose()
    }

    /// Whether a document has this id.
    pub fn has(&self, id: &str) -> bool {
        self.catalog.place(id).is_some()
    }

    /// The latest document.
    pub fn last(&self) -> Result<Option<Stored>, StoreError> {
        self.catalog.last().map(|place| self.read(place)).transpose()
    }

    /// At most `most` duplicates whose number is at least `since`, and the number to ask for next.
    pub fn duplicates(&self, since: u64, most: usize) -> Result<(Vec<Stored>, u64), StoreError> {
        let mut found = Vec::new();
        for id in self.catalog.duplicates.range(since..).take(most).map(|(_, id)| id) {
            found.extend(self.get(id)?);
        }
        let next = found.last().filter(|_| found.len() == most).map_or(self.catalog.next, |last| last.number + 1);
        Ok((found, next))
    }

    /// The window in numbers.
    pub(crate) fn stats(&self) -> WindowStats {
        WindowStats::new(&self.catalog.window, &self.catalog.counters)
    }

    /// The documents that came since this number.
    pub(crate) fn news(&self, since: u64) -> News {
        let Catalog { counters, duplicates, next, .. } = &self.catalog;
        News::new(counters, duplicates, *next, since)
    }

    /// The number of documents, including those that are not compared with others.
    pub fn len(&self) -> usize {
        self.catalog.ids.len()
    }

    /// Whether there is no document.
    pub fn is_empty(&self) -> bool {
        self.catalog.ids.is_empty()
    }

    /// The window.
    pub fn window(&self) -> &SetWindow {
        &self.catalog.window
    }

    /// The size of the log, in bytes.
    pub fn log_bytes(&self) -> u64 {
        self.log.bytes()
    }

    fn read(&self, place: Place) -> Result<Stored, StoreError> {
        match serde_json::from_slice(&self.log.read(place)?)? {
            Entry::Add(stored) => Ok(*stored),
            Entry::Remove { id } => Err(StoreError::IdTaken(id)),
        }
    }
}

/// Appends an entry to the log, and notes whether that was possible.
fn append(log: &mut Log, trouble: &mut Option<Trouble>, entry: EntryRef) -> Result<Place, StoreError> {
    let bytes = serde_json::to_vec(&entry)?;
    match log.append(&bytes) {
        Ok(place) => {
            // An entry shorter than all that failed does not prove that these would fit.
            if trouble.as_ref().is_some_and(|trouble| trouble.bytes <= bytes.len()) {
                *trouble = None;
            }
            Ok(place)
        }
        Err(error) => {
            if matches!(error, LogError::Write { .. }) {
                let shortest = trouble.take().map_or(bytes.len(), |trouble| trouble.bytes.min(bytes.len()));
                *trouble = Some(Trouble { reason: error.to_string(), bytes: shortest });
            }
            Err(error.into())
        }
    }
}
