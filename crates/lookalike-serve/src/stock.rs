//! The documents of the window by their users' ids, and the log that remembers them.
//!
//! A document is judged, taken in and appended to the log in one go; its verdict may be told when [`Stock::commit`] has returned. An id
//! that comes again with the same text gets the verdict that it got the first time: a client that was not answered may ask again.

use std::path::Path;

use lookalike::engine::Recipe;
use lookalike::engine::SetWindow;
use lookalike::Verdict;

use crate::books::Books;
use crate::entry::{Added, Entry, EntryRef};
use crate::figures::{Figures, News};
use crate::log::{Log, LogError, Place, Position, Recovered};
use crate::mark::{Mark, Reached};
use crate::replay::{Replayed, replay};
use crate::snapshot::Snapshots;

/// A document that comes.
#[derive(Clone, Debug)]
pub struct Incoming {
    /// What its user calls it.
    pub id: String,
    /// Its own time, in milliseconds of Unix.
    pub time: i64,
    /// Where it comes from.
    pub source: Option<String>,
    /// What it says.
    pub text: String,
    /// Its set.
    pub set: Vec<u64>,
}

/// Why a document was not taken.
#[derive(Debug, thiserror::Error)]
pub enum StockError {
    /// Another document has this id.
    #[error("another document has the id {0}")]
    IdTaken(String),
    /// The disk.
    #[error(transparent)]
    Log(#[from] LogError),
    /// Something in the log that this version did not write.
    #[error("the log has an entry that cannot be read: {0}")]
    Entry(#[from] serde_json::Error),
}

/// What was found when a stock was opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opened {
    /// In the log.
    pub log: Recovered,
    /// Documents that are not in the log, though some that came before and after them are.
    pub missing: u64,
    /// Whether it is known how far the log was synced.
    pub is_end_known: bool,
    /// What was synced behind the end of the log, and is gone.
    pub lost: Option<Lost>,
    /// The document that came last, of those that are there: its number, and its id.
    pub last: Option<(u64, String)>,
}

/// The end of a log that is not there any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost {
    /// Where it ended once.
    pub was: Position,
    /// Where it ends now.
    pub is: Position,
    /// How many documents were in between.
    pub documents: u64,
}

/// What is in the window, and on disk.
pub struct Stock {
    books: Books,
    /// Before the log, whose lock must be held until they are finished.
    snapshots: Snapshots,
    log: Log,
    mark: Mark,
    trouble: Option<Trouble>,
}

/// Why nothing is taken.
struct Trouble {
    reason: String,
    /// Bytes of the shortest entry that could not be written.
    bytes: usize,
}

/// Bytes that are tried at most when nobody wants to write.
const PROBE: usize = 1 << 20;

impl Stock {
    /// What a folder's log remembers, in this window, which must be empty.
    pub fn open(folder: &Path, window: SetWindow, recipe: Recipe) -> Result<(Stock, Opened), StockError> {
        let Replayed { mut books, mut log, recovered, entered } = replay(folder, window, recipe)?;
        log.forget_before(books.first_needed())?;
        let is = log.end();
        let (mark, reached) = Mark::open(folder, Reached { end: is, next: books.next });
        let lost = reached.filter(|reached| reached.end > is).map(|Reached { end: was, next }| Lost {
            was,
            is,
            documents: next.saturating_sub(books.next),
        });
        let missing = books.missing;
        let stock = Stock { books, snapshots: Snapshots::new(recipe, entered), log, mark, trouble: None };
        let last = stock.last()?.map(|last| (last.number, last.answer.id));
        Ok((stock, Opened { log: recovered, missing, is_end_known: reached.is_some(), lost, last }))
    }

    /// Judges a document and takes it in. If it cannot be written to the log, it was not taken.
    pub fn add(&mut self, document: Incoming) -> Result<Verdict, StockError> {
        if let Some(place) = self.books.place(&document.id) {
            let before = self.read(place)?;
            return if before.text == document.text {
                Ok(before.answer)
            } else {
                Err(StockError::IdTaken(document.id))
            };
        }
        let Stock { books, snapshots, log, trouble, .. } = self;
        books.add(document, |added| {
            let place = append(log, trouble, EntryRef::Add(added))?;
            snapshots.count(place.length);
            Ok(place)
        })
    }

    /// Judges a document without taking it in.
    pub fn query(&mut self, id: &str, set: &[u64], time: i64) -> Verdict {
        self.books.query(id, set, time)
    }

    /// Forgets a document; whether it was there. If that cannot be written to the log, it still is.
    pub fn remove(&mut self, id: &str) -> Result<bool, StockError> {
        if self.books.place(id).is_none() {
            return Ok(false);
        }
        let place = append(&mut self.log, &mut self.trouble, EntryRef::Remove { id })?;
        Ok(self.books.remove(id, place))
    }

    /// Makes what happened so far last. After an error it may or may not; it can be read all the same, and the next commit tries again.
    pub fn commit(&mut self) -> Result<(), StockError> {
        if let Err(error) = self.log.commit() {
            self.trouble = Some(Trouble { reason: error.to_string(), bytes: 0 });
            return Err(error.into());
        }
        self.mark.set(Reached { end: self.log.end(), next: self.books.next });
        Ok(())
    }

    /// Why nothing is taken, if that is so.
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_ref().map(|trouble| trouble.reason.as_str())
    }

    /// Finds out whether something could be taken again, if that was not so.
    pub fn try_again(&mut self) {
        let Some(Trouble { bytes, .. }) = self.trouble else { return };
        if self.log.probe(bytes.min(PROBE)).is_ok() && self.log.commit().is_ok() {
            self.trouble = None;
        }
    }

    /// Does what need not be done before an answer.
    pub fn tidy(&mut self) -> Result<(), StockError> {
        // What is not needed any more is so by something that must be on the disk.
        let first = self.books.first_needed();
        if self.log.has_before(first) {
            self.commit()?;
            self.log.forget_before(first)?;
        }
        self.log.begin_next_if_large()?;
        if self.snapshots.are_due(&self.log) {
            self.commit()?;
            self.snapshots.make(&self.books.window, &self.log);
        }
        Ok(())
    }

    /// Makes all last, and leaves it so that the next start takes little time.
    pub fn close(mut self) -> Result<(), StockError> {
        self.commit()?;
        self.snapshots.make(&self.books.window, &self.log);
        Ok(())
    }

    /// A document as it came, and its verdict.
    pub fn get(&self, id: &str) -> Result<Option<Added>, StockError> {
        self.books.place(id).map(|place| self.read(place)).transpose()
    }

    /// Whether a document has this id.
    pub fn has(&self, id: &str) -> bool {
        self.books.place(id).is_some()
    }

    /// The document that came last, of those that are remembered. What was not committed cannot be read.
    pub fn last(&self) -> Result<Option<Added>, StockError> {
        self.books.last().map(|place| self.read(place)).transpose()
    }

    /// Up to so many duplicates that came from this number on, and the number to ask for next.
    pub fn duplicates(&self, since: u64, most: usize) -> Result<(Vec<Added>, u64), StockError> {
        let mut found = Vec::new();
        for id in self.books.duplicates.range(since..).take(most).map(|(_, id)| id) {
            found.extend(self.get(id)?);
        }
        let next = found.last().filter(|_| found.len() == most).map_or(self.books.next, |last| last.number + 1);
        Ok((found, next))
    }

    /// The window in numbers.
    pub fn figures(&self) -> Figures {
        Figures::of(&self.books)
    }

    /// What came from this number on.
    pub fn news(&self, since: u64) -> News {
        News::since(&self.books, since)
    }

    /// How many documents have an id here.
    pub fn len(&self) -> usize {
        self.books.ids.len()
    }

    /// Whether none has.
    pub fn is_empty(&self) -> bool {
        self.books.ids.is_empty()
    }

    /// The window itself.
    pub fn window(&self) -> &SetWindow {
        &self.books.window
    }

    /// Bytes on disk.
    pub fn log_bytes(&self) -> u64 {
        self.log.bytes()
    }

    fn read(&self, place: Place) -> Result<Added, StockError> {
        match serde_json::from_slice(&self.log.read(place)?)? {
            Entry::Add(added) => Ok(*added),
            Entry::Remove { id } => Err(StockError::IdTaken(id)),
        }
    }
}

/// Writes an entry down, and remembers whether that was possible.
fn append(log: &mut Log, trouble: &mut Option<Trouble>, entry: EntryRef) -> Result<Place, StockError> {
    let bytes = serde_json::to_vec(&entry)?;
    match log.append(&bytes) {
        Ok(place) => {
            // What is shorter than all that failed says nothing of these.
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

#[cfg(test)]
mod tests;
