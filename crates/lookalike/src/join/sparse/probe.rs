//! Which entered documents reach the threshold with one?

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::directory::{Directory, Entry};
use super::document::Document;
use super::work::Work;
use crate::join::Counts;
use crate::join::records::disjoint::SmallSets;
use crate::measure::Threshold;
use crate::sets::ArrangedSets;
use crate::verify::common_at_least;

/// A document found to be similar, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Match {
    pub(crate) place: u32,
    pub(crate) common: u32,
}

/// Finds partners among the documents entered in the directory.
pub(crate) struct Prober<'a> {
    pub(super) sets: &'a ArrangedSets,
    pub(super) threshold: &'a Threshold,
    pub(super) documents: &'a [Document],
    pub(super) directory: &'a Directory,
    pub(super) small: &'a SmallSets,
}

/// What a thread keeps between two searches.
pub(crate) struct Scratch {
    /// By place: how many more hits it takes to be a candidate. All [`UNTOUCHED`] between searches.
    missing: Vec<u32>,
    touched: Vec<u32>,
    candidates: Vec<u32>,
    /// What all searches had to do.
    counts: Counts,
    work: Work,
}

const UNTOUCHED: u32 = 0;
/// Enough hits.
const CANDIDATE: u32 = u32::MAX - 1;
/// The first hit already lies too far back.
const HOPELESS: u32 = u32::MAX;

/// Scratch memory for every thread of the pool that the search runs in, made once: it is as large as the collection.
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

    /// This thread's own.
    pub(crate) fn own(&self) -> MutexGuard<'_, Scratch> {
        let thread = rayon::current_thread_index().unwrap_or(0) % self.0.len();
        self.0[thread].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What all searches had to do so far, as far as it takes time.
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

    /// What all searches had to do.
    pub(super) fn counts(self) -> Counts {
        let mut all = Counts::default();
        for scratch in self.0 {
            all.add(&scratch.into_inner().unwrap_or_else(PoisonError::into_inner).counts);
        }
        all
    }
}

impl Prober<'_> {
    /// Appends to `matches` every document entered, within `among`, that reaches the threshold with the one at `place` (which itself
    /// is not in `among`).
    pub(crate) fn find(&self, scratch: &mut Scratch, place: u32, among: Range<u32>, matches: &mut Vec<Match>) {
        self.find_unless(|_| false, scratch, place, among, matches);
    }

    /// The same, without the places that `is_known` names: they are not compared.
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
        // Smaller ones are partners whatever they share.
        let needless = self.threshold.needless(x.size);
        let least = least.max(needless.saturating_add(1));
        let larger = least.max(x.size.saturating_add(1));
        let steps = self.directory.steps(place);
        for (at, step) in steps.iter().enumerate() {
            self.directory.ask_for(&steps[at..]);
            let Some(list) = self.directory.list(step.list, &among) else { continue };
            let in_short = step.position < x.short;
            scratch.work.walked += list.short.len() as u64;
            for entry in list.short {
                // Of two sets of one size, the entry's counts as the smaller.
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

    /// How many hits an entry must have to be worth a comparison, judged by the first.
    ///
    /// A hit is an element of the short prefix of the smaller set that lies in the long prefix of the larger. Of the two prefixes, one
    /// ends before the other in the common order: a shared element is a hit, or lies behind that end in that set.
    fn missing(&self, x: &Document, position: u32, entry: &Entry) -> u32 {
        let needed = self.threshold.needed(x.size, entry.size);
        // The first shared element: none before it, in either set, is shared.
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
