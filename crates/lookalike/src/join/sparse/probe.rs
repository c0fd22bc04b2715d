//! Which entered documents reach the threshold with a given one?

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::directory::{Directory, Entry};
use super::document::Document;
use crate::join::Counts;
use crate::join::forecast::Work;
use crate::join::records::disjoint::SmallSets;
use crate::measure::Threshold;
use crate::sets::ArrangedSets;
use crate::verify::common_at_least;

/// A similar document, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Match {
    pub(crate) place: u32,
    pub(crate) common: u32,
}

/// Finds partners among the entered documents.
pub(crate) struct Prober<'a> {
    pub(super) sets: &'a ArrangedSets,
    pub(super) threshold: &'a Threshold,
    pub(super) documents: &'a [Document],
    pub(super) directory: &'a Directory,
    pub(super) small: &'a SmallSets,
}

/// Scratch memory of a thread, kept between searches.
pub(crate) struct Scratch {
    /// By place, how many more hits make it a candidate. All are [`UNTOUCHED`] between searches.
    missing: Vec<u32>,
    touched: Vec<u32>,
    candidates: Vec<u32>,
    /// The work of all searches.
    counts: Counts,
    work: Work,
}

const UNTOUCHED: u32 = 0;
/// The document has enough hits.
const CANDIDATE: u32 = u32::MAX - 1;
/// The position of the first hit rules the document out.
const HOPELESS: u32 = u32::MAX;

/// Scratch memory for every thread of the current pool, allocated once because it is as large as the collection.
pub(crate) struct Scratches(Vec<Mutex<Scratch>>);

impl Scratches {
    pub(super) fn new(places: u32) -> Scratches {
        let scratch = |_| {
            Mutex::new(Scratch {
                missing: vec![UNTOUCHED; places as usize],
                touched: Vec::new(),
                candidates: Vec::new(),
                counts: Counts::default(),
                work: Work::default(),
            })
        };
        Scratches((0..rayon::current_num_threads().max(1)).map(scratch).collect())
    }

    /// Returns this thread's scratch memory.
    pub(crate) fn own(&self) -> MutexGuard<'_, Scratch> {
        let thread = rayon::current_thread_index().unwrap_or(0) % self.0.len();
        self.0[thread].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the work of all searches so far.
    pub(crate) fn work(&self) -> Work {
        let mut all = Work::default();
        for scratch in &self.0 {
            let work = scratch.lock().unwrap_or_else(PoisonError::into_inner).work;
            all.walked += work.walked;
            all.met += work.met;
            all.compared += work.compared;
        }
        all
    }

    /// Returns the counts of all searches.
    pub(super) fn counts(self) -> Counts {
        let mut all = Counts::default();
        for scratch in self.0 {
            all.add(&scratch.into_inner().unwrap_or_else(PoisonError::into_inner).counts);
        }
        all
    }
}

impl Prober<'_> {
    /// Appends to `matches` every entered document within `among` that reaches the threshold with the one at `place`.
    /// `place` must not be in `among`.
    pub(crate) fn find(&self, scratch: &mut Scratch, place: u32, among: Range<u32>, matches: &mut Vec<Match>) {
        self.find_unless(|_| false, scratch, place, among, matches);
    }

    /// Like [`Prober::find`], but skips the places for which `is_known` returns true.
    pub(crate) fn find_unless(
        &self,
        is_known: impl Fn(u32) -> bool,
        scratch: &mut Scratch,
        place: u32,
        among: Range<u32>,
        matches: &mut Vec<Match>,
    ) {
        let x = &self.documents[place as usize];
        let (least, greatest) = self.threshold.partners(x.size);
        // Smaller sets are partners even if they share nothing.
        let needless = self.threshold.needless(x.size);
        let least = least.max(needless.saturating_add(1));
        let larger = least.max(x.size.saturating_add(1));
        let steps = self.directory.steps(place);
        for (at, step) in steps.iter().enumerate() {
            self.directory.prefetch(&steps[at..]);
            let Some(list) = self.directory.list(step.list, &among) else { continue };
            let in_short = step.position < x.short;
            scratch.work.walked += list.short.len() as u64;
            for entry in list.short {
                // If two sets have the same size, the entry's counts as the smaller.
                if entry.size <= greatest && entry.size >= least && (in_short || entry.size <= x.size) {
                    self.hit(&is_known, scratch, x, step.position, entry);
                }
            }
            if in_short {
                scratch.work.walked += list.long.len() as u64;
                for entry in list.long {
                    if entry.size <= greatest && entry.size >= larger {
                        self.hit(&is_known, scratch, x, step.position, entry);
                    }
                }
            }
        }
        let Scratch { missing, touched, candidates, counts, work } = scratch;
        counts.candidates_by_prefix += touched.len() as u64;
        work.met += touched.len() as u64;
        for place in touched.drain(..) {
            let missing = &mut missing[place as usize];
            counts.after_positional += u64::from(*missing != HOPELESS);
            *missing = UNTOUCHED;
        }
        let small = self.small.up_to(needless, &among).filter(|&place| !is_known(place));
        for place in candidates.drain(..).chain(small) {
            counts.verified += 1;
            let (common, elements) = self.verify(x, place);
            work.compared += elements as u64;
            matches.extend(common.map(|common| Match { place, common }));
        }
    }

    #[inline]
    fn hit(&self, is_known: &impl Fn(u32) -> bool, scratch: &mut Scratch, x: &Document, position: u32, entry: &Entry) {
        let missing = &mut scratch.missing[entry.document as usize];
        let left = match *missing {
            HOPELESS | CANDIDATE => return,
            UNTOUCHED => {
                scratch.touched.push(entry.document);
                if is_known(entry.document) { HOPELESS } else { self.missing(x, position, entry) }
            }
            left => left,
        };
        *missing = match left {
            HOPELESS => HOPELESS,
            1 => {
                scratch.candidates.push(entry.document);
                CANDIDATE
            }
            left => left - 1,
        };
    }

    /// How many hits an entry needs before it is compared, computed at its first hit.
    ///
    /// A hit is an element of the short prefix of the smaller set that is also in the long prefix of the larger. One of
    /// the two prefixes ends first in the common order. A shared element is a hit, or is after that end in that set.
    fn missing(&self, x: &Document, position: u32, entry: &Entry) -> u32 {
        let needed = self.threshold.needed(x.size, entry.size);
        // This is the first shared element: neither set shares an earlier one.
        if needed > (x.size - position).min(entry.size - entry.position) {
            return HOPELESS;
        }
        let behind = if entry.size <= x.size {
            (entry.size - entry.short).max(x.size - x.long)
        } else {
            (x.size - x.short).max(entry.size - self.threshold.long_prefix(entry.size))
        };
        needed.saturating_sub(behind).max(1)
    }

    fn verify(&self, x: &Document, found: u32) -> (Option<u32>, usize) {
        let y = &self.documents[found as usize];
        let set = |document: &Document| self.sets.set(&document.arranged, document.span);
        common_at_least((set(x), &x.arranged), (set(y), &y.arranged), self.threshold.needed(x.size, y.size))
    }
}
