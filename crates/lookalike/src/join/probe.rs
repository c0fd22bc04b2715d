use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Document;
use super::directory::{Directory, Entry};
use crate::measure::Threshold;
use crate::sets::SetStore;
use crate::verify::common_at_least;

/// A document found to be similar, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Match {
    pub(crate) place: u32,
    pub(crate) common: u32,
}

/// Finds partners among the documents entered in the directory.
pub(crate) struct Prober<'a> {
    pub(super) store: &'a SetStore,
    pub(super) threshold: &'a Threshold,
    pub(super) documents: &'a [Document],
    pub(super) directory: &'a Directory,
}

/// What a thread keeps between two searches.
pub(crate) struct Scratch {
    /// Hits by place, 0 between searches.
    hits: Vec<u32>,
    touched: Vec<u32>,
}

/// Scratch memory for every thread of the pool that the search runs in, made once: it is as large as the collection.
pub(crate) struct Scratches(Vec<Mutex<Scratch>>);

impl Scratches {
    pub(super) fn new(places: u32) -> Scratches {
        let scratch = |_| Mutex::new(Scratch { hits: vec![0; places as usize], touched: Vec::new() });
        Scratches((0..rayon::current_num_threads().max(1)).map(scratch).collect())
    }

    /// This thread's own.
    pub(crate) fn own(&self) -> MutexGuard<'_, Scratch> {
        let thread = rayon::current_thread_index().unwrap_or(0) % self.0.len();
        self.0[thread].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Marks a candidate whose first hit already lies too far back.
const HOPELESS: u32 = u32::MAX;

impl Prober<'_> {
    /// Appends to `matches` every document entered, within `among`, that reaches the threshold with the one at `place` (which itself
    /// is not in `among`).
    pub(crate) fn find(&self, scratch: &mut Scratch, place: u32, among: Range<u32>, matches: &mut Vec<Match>) {
        let x = &self.documents[place as usize];
        let (least, greatest) = self.threshold.partners(x.size);
        for step in self.directory.steps(place) {
            let in_short = step.position < x.short;
            for entry in within(self.directory.short(step.list), &among) {
                // Of two sets of one size, the entry's counts as the smaller.
                if entry.size <= greatest && entry.size >= least && (in_short || entry.size <= x.size) {
                    self.hit(scratch, x, step.position, entry);
                }
            }
            if in_short {
                for entry in within(self.directory.long(step.list), &among) {
                    if entry.size <= greatest && entry.size > x.size {
                        self.hit(scratch, x, step.position, entry);
                    }
                }
            }
        }
        let Scratch { hits, touched } = scratch;
        for place in touched.drain(..) {
            let hits = std::mem::take(&mut hits[place as usize]);
            if hits != HOPELESS
                && let Some(common) = self.verify(x, place, hits)
            {
                matches.push(Match { place, common });
            }
        }
    }

    #[inline]
    fn hit(&self, scratch: &mut Scratch, x: &Document, position: u32, entry: &Entry) {
        let hits = &mut scratch.hits[entry.document as usize];
        if *hits == 0 {
            scratch.touched.push(entry.document);
            // The first shared element: none before it, in either set, is shared.
            let most = (x.size - position).min(entry.size - entry.position);
            if !self.threshold.reaches(most, x.size, entry.size) {
                *hits = HOPELESS;
                return;
            }
        }
        if *hits != HOPELESS {
            *hits += 1;
        }
    }

    /// `hits` is how many elements of the short prefix of the smaller set lie in the long prefix of the larger. Of the two prefixes,
    /// let one end before the other in the common order: a shared element is a hit, or lies behind that end in that set.
    fn verify(&self, x: &Document, found: u32, hits: u32) -> Option<u32> {
        let y = &self.documents[found as usize];
        let (smaller, larger) = if y.size <= x.size { (y, x) } else { (x, y) };
        let behind = (smaller.size - smaller.short).max(larger.size - larger.long);
        let most = (hits + behind).min(smaller.size);
        if !self.threshold.reaches(most, x.size, y.size) {
            return None;
        }
        let set = |document: &Document| self.store.set(document.arranged.document);
        common_at_least((set(x), &x.arranged), (set(y), &y.arranged), self.threshold.needed(x.size, y.size))
    }
}

/// The entries of documents in a range; they are ascending.
#[inline]
fn within<'a>(entries: &'a [Entry], range: &Range<u32>) -> &'a [Entry] {
    let (Some(first), Some(last)) = (entries.first(), entries.last()) else { return entries };
    let start =
        if first.document >= range.start { 0 } else { entries.partition_point(|entry| entry.document < range.start) };
    let end = if last.document < range.end {
        entries.len()
    } else {
        entries.partition_point(|entry| entry.document < range.end)
    };
    &entries[start..end]
}
