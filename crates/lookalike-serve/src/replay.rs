//! The log made into books again.
//!
//! Documents are entered in the window one after another, in order. What comes before that, reading, parsing and making sets, is done ahead
//! of it, in batches on all cores. With a [snapshot] of the window, which is read beside that, nothing needs to be entered that came before
//! it.

use std::io;
use std::path::Path;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{self, ScopedJoinHandle};

use lookalike::engine::{DocumentRef, SetWindow};
use lookalike::engine::{Recipe, SetMaker};
use rayon::prelude::*;

use crate::books::Books;
use crate::entry::{Added, Entry};
use crate::log::{Lock, Log, Place, Position, Recovered};
use crate::snapshot::{self, Snapshot};
use crate::stock::StockError;

/// Bytes of a batch; few in tests, whose logs are short.
const BATCH: usize = if cfg!(test) { 500 } else { 512 << 10 };
/// Batches that wait to be entered.
const AHEAD: usize = 2;

/// What was remembered.
pub(crate) struct Replayed {
    pub(crate) books: Books,
    pub(crate) log: Log,
    pub(crate) recovered: Recovered,
    /// Bytes of the log that had to be entered in the window.
    pub(crate) entered: u64,
}

/// An entry of the log, and the set of its document if that is to be entered.
type Prepared = (Place, Entry, Vec<u64>);

/// What a folder's log remembers, in this window, which must be empty.
pub(crate) fn replay(folder: &Path, window: SetWindow, recipe: Recipe) -> Result<Replayed, StockError> {
    let lock = Lock::take(folder)?;
    let log = Records { folder, lock, recipe };
    let mut cut = 0;
    if let Some(snapshot) = Snapshot::find(folder, recipe) {
        match with_snapshot(&log, &window, &snapshot)? {
            Ok(replayed) => return Ok(replayed),
            Err(recovered) => cut = recovered.cut,
        }
    }
    // The log goes on, perhaps from before where the snapshot was made, and what comes would be taken for what was there.
    snapshot::discard(folder)?;
    let (mut books, mut entered) = (Books::new(window), 0);
    let (log, mut recovered) = log.read(Position::default(), |prepared| {
        entered += u64::from(prepared.0.length);
        enter(prepared, &mut books);
    })?;
    recovered.cut += cut;
    Ok(Replayed { books, log, recovered, entered })
}

/// The same with a snapshot. If it is not the one of this log, what was found in the log.
fn with_snapshot(
    log: &Records,
    window: &SetWindow,
    snapshot: &Snapshot,
) -> Result<Result<Replayed, Recovered>, StockError> {
    thread::scope(|scope| {
        let load = || {
            let mut loaded = window.emptied();
            snapshot.load(&mut loaded).map(|()| loaded)
        };
        let mut loading = Some(scope.spawn(load));
        // Until then, a window that nothing is entered in tells the time.
        let (mut books, mut entered) = (Books::new(window.emptied()), 0);
        let (mut end, mut is_of_log) = (None, true);
        let (log, recovered) = log.read(snapshot.at, |prepared| {
            let place = prepared.0;
            if place.position() < snapshot.at {
                note(prepared, &mut books);
                end = Some(place.end());
                return;
            }
            if let Some(loading) = loading.take() {
                is_of_log = adopt(loading, &mut books);
            }
            if is_of_log {
                entered += u64::from(place.length);
                enter(prepared, &mut books);
            }
        })?;
        if let Some(loading) = loading {
            is_of_log = log.end() == snapshot.at && adopt(loading, &mut books);
        }
        // It was made between two records.
        is_of_log &= end.is_none_or(|end| end == snapshot.at);
        Ok(if is_of_log { Ok(Replayed { books, log, recovered, entered }) } else { Err(recovered) })
    })
}

/// Takes the window of the snapshot for that of the books, if it has as many documents of the same time, in as many slots.
fn adopt(loading: ScopedJoinHandle<io::Result<SetWindow>>, books: &mut Books) -> bool {
    let Ok(Ok(loaded)) = loading.join() else { return false };
    let is_same = loaded.oldest() == books.window.oldest() && books.fit(&loaded);
    books.window = loaded;
    is_same
}

/// Lets happen again what an entry tells, in the books and in the window.
fn enter(prepared: Prepared, books: &mut Books) {
    happen(prepared, books, |books, added, set| books.window.restore(set, added.time, added.taken));
}

/// The same in the books alone, with the place that a document has in a window made before.
fn note(prepared: Prepared, books: &mut Books) {
    happen(prepared, books, |books, added, _| {
        books.window.restore(&[], added.time, false);
        let segment = books.window.span().segment(added.time);
        // By other settings, what was taken once may be older than the window.
        let is_taken = added.taken && books.window.oldest().is_none_or(|oldest| segment >= oldest);
        is_taken.then(|| DocumentRef { segment, slot: books.next_slot(segment) })
    });
}

fn happen(
    (place, entry, set): Prepared,
    books: &mut Books,
    take: impl FnOnce(&mut Books, &Added, &[u64]) -> Option<DocumentRef>,
) {
    match entry {
        Entry::Add(added) => {
            let at = take(books, &added, &set);
            books.expire();
            books.hold(&added, at, place);
        }
        Entry::Remove { id } => {
            books.remove(&id, place);
        }
    }
}

/// The log of a folder.
struct Records<'a> {
    folder: &'a Path,
    lock: Lock,
    recipe: Recipe,
}

impl Records<'_> {
    /// Opens it, and calls `each` with every entry, with the sets of those from a place on.
    fn read(&self, from: Position, mut each: impl FnMut(Prepared)) -> Result<(Log, Recovered), StockError> {
        let (ready, waiting) = sync_channel(AHEAD);
        thread::scope(|scope| {
            let reader = scope.spawn(move || {
                let mut batch = Batch { recipe: self.recipe, from, ready, records: Vec::new(), bytes: 0 };
                let opened =
                    Log::open_locked(self.folder, self.lock.clone(), |place, payload| batch.push(place, payload));
                batch.prepare();
                opened
            });
            for batch in waiting {
                batch?.into_iter().for_each(&mut each);
            }
            Ok(reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?)
        })
    }
}

/// Records that are not parsed yet, and where to send them when they are.
struct Batch {
    recipe: Recipe,
    from: Position,
    ready: SyncSender<serde_json::Result<Vec<Prepared>>>,
    records: Vec<(Place, Vec<u8>)>,
    bytes: usize,
}

impl Batch {
    fn push(&mut self, place: Place, payload: &[u8]) {
        self.records.push((place, payload.to_vec()));
        self.bytes += payload.len();
        if self.bytes >= BATCH {
            self.prepare();
        }
    }

    fn prepare(&mut self) {
        self.bytes = 0;
        let (recipe, from) = (self.recipe, self.from);
        let records = std::mem::take(&mut self.records).into_par_iter();
        let prepared = records.map_init(
            || SetMaker::new(recipe),
            |maker, (place, payload)| {
                let entry = serde_json::from_slice(&payload)?;
                let set = match &entry {
                    Entry::Add(added) if added.taken && place.position() >= from => maker.set(&added.text).to_vec(),
                    _ => Vec::new(),
                };
                Ok((place, entry, set))
            },
        );
        // Nobody waits for it after an error.
        let _ = self.ready.send(prepared.collect());
    }
}
