//! How does the log become a catalog again?
//!
//! Documents are inserted into the window one after another. Reading, parsing and making sets happen ahead of that, in batches on all
//! cores. With a [snapshot] of the window, which is loaded in parallel, only the documents after the snapshot are inserted.

use std::io;
use std::path::Path;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{self, ScopedJoinHandle};

use lookalike::engine::{DocumentRef, Recipe, SetMaker, SetWindow};
use rayon::prelude::*;

use super::catalog::Catalog;
use super::entry::Entry;
use super::error::StoreError;
use super::snapshot::{self, Snapshot};
use crate::document::Stored;
use crate::log::{Lock, Log, Place, Position, Recovered};

/// Bytes of a batch; few in tests, whose logs are short.
const BATCH: usize = if cfg!(test) { 500 } else { 512 << 10 };
/// Prepared batches that may wait.
const AHEAD: usize = 2;

/// A log that was replayed.
pub(super) struct Replayed {
    pub(super) catalog: Catalog,
    pub(super) log: Log,
    pub(super) recovered: Recovered,
    /// Bytes of the log that are in no snapshot.
    pub(super) replayed: u64,
}

/// An entry of the log, with the set of a document that must be inserted into the window.
type Prepared = (Place, Entry, Vec<u64>);

/// Replays the log of a folder into a window, which must be empty.
pub(super) fn replay(folder: &Path, window: SetWindow, recipe: Recipe) -> Result<Replayed, StoreError> {
    let lock = Lock::take(folder)?;
    let log = Records { folder, lock, recipe };
    let mut cut = 0;
    if let Some(snapshot) = Snapshot::find(folder, recipe) {
        match with_snapshot(&log, &window, &snapshot)? {
            Ok(replayed) => return Ok(replayed),
            Err(recovered) => cut = recovered.cut,
        }
    }
    // New records may reach the position of this snapshot again, and it would then seem to match.
    snapshot::discard(folder)?;
    let (mut catalog, mut replayed) = (Catalog::new(window), 0);
    let (log, mut recovered) = log.read(Position::default(), |prepared| {
        replayed += u64::from(prepared.0.length);
        insert(prepared, &mut catalog);
    })?;
    recovered.cut += cut;
    Ok(Replayed { catalog, log, recovered, replayed })
}

/// The same with a snapshot. If the snapshot does not match the log, returns the state of the log instead.
fn with_snapshot(
    log: &Records,
    window: &SetWindow,
    snapshot: &Snapshot,
) -> Result<Result<Replayed, Recovered>, StoreError> {
    thread::scope(|scope| {
        let load = || {
            let mut loaded = window.emptied();
            snapshot.load(&mut loaded).map(|()| loaded)
        };
        let mut loading = Some(scope.spawn(load));
        // Until the snapshot is loaded, an empty window keeps the time.
        let (mut catalog, mut replayed) = (Catalog::new(window.emptied()), 0);
        let (mut end, mut is_of_log) = (None, true);
        let (log, recovered) = log.read(snapshot.at, |prepared| {
            let place = prepared.0;
            if place.position() < snapshot.at {
                insert_without_set(prepared, &mut catalog);
                end = Some(place.end());
                return;
            }
            if let Some(loading) = loading.take() {
                is_of_log = adopt(loading, &mut catalog);
            }
            if is_of_log {
                replayed += u64::from(place.length);
                insert(prepared, &mut catalog);
            }
        })?;
        if let Some(loading) = loading {
            is_of_log = log.end() == snapshot.at && adopt(loading, &mut catalog);
        }
        // A snapshot is always made between two records.
        is_of_log &= end.is_none_or(|end| end == snapshot.at);
        Ok(if is_of_log { Ok(Replayed { catalog, log, recovered, replayed }) } else { Err(recovered) })
    })
}

/// Replaces the window of the catalog with that of the snapshot, and returns whether the two match.
fn adopt(loading: ScopedJoinHandle<io::Result<SetWindow>>, catalog: &mut Catalog) -> bool {
    let Ok(Ok(loaded)) = loading.join() else { return false };
    let is_same = loaded.oldest() == catalog.window.oldest() && catalog.fits(&loaded);
    catalog.window = loaded;
    is_same
}

/// Applies an entry to the catalog and its window.
fn insert(prepared: Prepared, catalog: &mut Catalog) {
    apply(prepared, catalog, |catalog, stored, set| catalog.window.restore(set, stored.time, stored.taken));
}

/// Applies an entry to the catalog alone. The document gets the place that it has in the window of the snapshot.
fn insert_without_set(prepared: Prepared, catalog: &mut Catalog) {
    apply(prepared, catalog, |catalog, stored, _| {
        catalog.window.restore(&[], stored.time, false);
        let segment = catalog.window.span().segment(stored.time);
        // If the settings changed since, a document may now be older than the window.
        let is_taken = stored.taken && catalog.window.oldest().is_none_or(|oldest| segment >= oldest);
        is_taken.then(|| DocumentRef { segment, slot: catalog.next_slot(segment) })
    });
}

fn apply(
    (place, entry, set): Prepared,
    catalog: &mut Catalog,
    take: impl FnOnce(&mut Catalog, &Stored, &[u64]) -> Option<DocumentRef>,
) {
    match entry {
        Entry::Add(stored) => {
            let at = take(catalog, &stored, &set);
            catalog.expire();
            catalog.insert(&stored, at, place);
        }
        Entry::Remove { id } => {
            catalog.remove(&id, place);
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
    /// Opens the log, and calls `each` with every entry. Those before `from` come without a set.
    fn read(&self, from: Position, mut each: impl FnMut(Prepared)) -> Result<(Log, Recovered), StoreError> {
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

/// Records to be parsed, and where to send the entries.
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
                    Entry::Add(stored) if stored.taken && place.position() >= from => maker.set(&stored.text).to_vec(),
                    _ => Vec::new(),
                };
                Ok((place, entry, set))
            },
        );
        // After an error, the receiver is gone.
        let _ = self.ready.send(prepared.collect());
    }
}
