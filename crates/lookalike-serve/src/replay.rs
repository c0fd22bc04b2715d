//! The log made into books again.
//!
//! Documents are entered in the window one after another, in order. What comes before that, reading, parsing and making sets, is done ahead
//! of it, in batches on all cores.

use std::path::Path;
use std::sync::mpsc::{SyncSender, sync_channel};

use lookalike::window::Window;
use lookalike::{Recipe, SetMaker};
use rayon::prelude::*;

use crate::books::Books;
use crate::entry::Entry;
use crate::log::{Log, Place, Recovered};
use crate::stock::StockError;

/// Bytes of a batch; few in tests, whose logs are short.
const BATCH: usize = if cfg!(test) { 500 } else { 512 << 10 };
/// Batches that wait to be entered.
const AHEAD: usize = 2;

/// An entry of the log, and the set of its document if it has one that is compared with.
type Prepared = (Place, Entry, Vec<u64>);

/// What a folder's log remembers, in this window, which must be empty.
pub(crate) fn replay(folder: &Path, window: Window, recipe: Recipe) -> Result<(Books, Log, Recovered), StockError> {
    let mut books = Books::new(window);
    let (ready, waiting) = sync_channel(AHEAD);
    std::thread::scope(|scope| {
        let reader = scope.spawn(move || {
            let mut batch = Batch { recipe, ready, records: Vec::new(), bytes: 0 };
            let opened = Log::open(folder, |place, payload| batch.push(place, payload));
            batch.prepare();
            opened
        });
        for batch in waiting {
            enter(batch?, &mut books);
        }
        let (log, recovered) = reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        Ok((books, log, recovered))
    })
}

fn enter(batch: Vec<Prepared>, books: &mut Books) {
    for (place, entry, set) in batch {
        match entry {
            Entry::Add(added) => {
                let at = books.window.restore(&set, added.time, added.taken);
                books.expire();
                books.hold(&added, at, place);
            }
            Entry::Remove { id } => {
                books.remove(&id, place);
            }
        }
    }
}

/// Records that are not parsed yet, and where to send them when they are.
struct Batch {
    recipe: Recipe,
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
        let maker = || SetMaker::new(self.recipe);
        let records = std::mem::take(&mut self.records).into_par_iter();
        let prepared = records.map_init(maker, |maker, (place, payload)| {
            let entry = serde_json::from_slice(&payload)?;
            let set = match &entry {
                Entry::Add(added) if added.taken => maker.set(&added.text).to_vec(),
                _ => Vec::new(),
            };
            Ok((place, entry, set))
        });
        // Nobody waits for it after an error.
        let _ = self.ready.send(prepared.collect());
    }
}
