//! The joins of Xiao, Wang, Lin and Yu, *Efficient Similarity Joins for Near Duplicate Detection* (WWW 2008), as themselves.
//!
//! All three take the records by ascending size. Each record looks for partners among those before it, in an index of their prefixes,
//! and is then indexed itself:
//!
//! ```text
//! for each record x:
//!     A ← 0 for every record                               overlaps
//!     for i = 1 to the length of x's probing prefix:
//!         for each (y, j) in the list of x[i], |y| not too small:
//!             accumulate: All-Pairs, PPJoin or PPJoin+     all_pairs, ppjoin, suffix
//!     for each y with A[y] > 0: verify                     verify
//!     index x's prefix                                     lists
//! ```
//!
//! | | indexed prefix | a candidate is dropped by |
//! |---|---|---|
//! | All-Pairs | as long as the probing one | its size |
//! | PPJoin | shorter (Lemma 3): partners to come are at least as large | and the positional filter |
//! | PPJoin+ | as PPJoin | and the suffix filter |
//!
//! They differ in nothing else, so what each filter is worth can be read off [`Counts`]. The paper's accumulator is a hash map; here it
//! is an array. Its bounds, given for Jaccard, are those of any [`Threshold`], computed once for every two sizes. With two collections
//! each has an index: a record looks into that of the other and enters its own, so the one that is found is never the larger.

mod all_pairs;
mod lists;
mod overlaps;
mod ppjoin;
mod probe;
mod suffix;
mod verify;

use lists::Lists;
use overlaps::Overlaps;
use probe::{Indexed, Probe};

use super::disjoint::for_each_needless;
use super::sizes::Sizes;
use super::{Pair, Records};
use crate::measure::Threshold;

/// Which of the paper's algorithms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Prefix and size filter.
    AllPairs,
    /// With the positional filter and the shorter index.
    PpJoin,
    /// And with the suffix filter.
    PpJoinPlus {
        /// How often the suffixes are divided: the paper's MAXDEPTH.
        max_depth: u32,
    },
}

impl Algorithm {
    /// All of them, with the depth that the paper uses.
    pub const ALL: [Algorithm; 3] =
        [Algorithm::AllPairs, Algorithm::PpJoin, Algorithm::PpJoinPlus { max_depth: suffix::MAX_DEPTH }];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::AllPairs => "allpairs",
            Algorithm::PpJoin => "ppjoin",
            Algorithm::PpJoinPlus { .. } => "ppjoin+",
        }
    }
}

/// What a join had to do. Pairs are counted once, however many elements bring them together.
///
/// The paper's *candidate size* is the number of pairs that are handed to verification, [`Counts::after_suffix`]. A filter that an
/// algorithm does not have drops nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Elements indexed, over all records.
    pub index_entries: u64,
    /// Pairs that share an element of the probing prefix of the one and the indexed prefix of the other, and whose sizes fit.
    pub candidates_by_prefix: u64,
    /// Those that the positional filter did not drop, at whichever shared element.
    pub after_positional: u64,
    /// Those that the suffix filter did not drop either.
    pub after_suffix: u64,
    /// Those whose signatures allowed it. The paper has none, so there it is as many.
    pub after_signature: u64,
    /// Those whose elements were compared: for the others what lies behind the prefixes is too little.
    pub verified: u64,
    /// Pairs found, those included that need nothing in common and are no candidates of any filter.
    pub results: u64,
}

impl Counts {
    /// Adds what another part of the same join had to do.
    pub(super) fn add(&mut self, other: &Counts) {
        self.index_entries += other.index_entries;
        self.candidates_by_prefix += other.candidates_by_prefix;
        self.after_positional += other.after_positional;
        self.after_suffix += other.after_suffix;
        self.after_signature += other.after_signature;
        self.verified += other.verified;
        self.results += other.results;
    }
}

/// Finds every pair of a collection, or between two, with one of the paper's algorithms, on this thread; in no particular order.
/// `progress` is told of every record.
///
/// ```
/// use lookalike::join::paper::{self, Algorithm};
/// use lookalike::{Measure, Pair, Records, SetStore, Threshold};
///
/// let store: SetStore = [vec![1, 2, 3, 4, 5], vec![2, 3, 4, 5, 6], vec![1, 2, 3, 4, 5, 6]].into_iter().collect();
/// let records = Records::code(&store, &[0, 1, 2]);
/// let threshold = Threshold::new(Measure::Jaccard, "0.8")?;
/// let mut pairs = Vec::new();
/// let counts = paper::join(&records, &threshold, Algorithm::PpJoin, |_| (), &mut |pair| pairs.push(pair));
/// assert_eq!(pairs, [Pair { a: 0, b: 2, common: 5 }, Pair { a: 1, b: 2, common: 5 }]);
/// assert_eq!(counts.results, 2);
/// # Ok::<(), lookalike::ThresholdError>(())
/// ```
///
/// # Panics
///
/// If a set has 2³¹ elements or more.
pub fn join(
    records: &Records,
    threshold: &Threshold,
    algorithm: Algorithm,
    progress: impl Fn(usize),
    emit: &mut dyn FnMut(Pair),
) -> Counts {
    let indexed = match algorithm {
        Algorithm::AllPairs => Threshold::long_prefix,
        Algorithm::PpJoin | Algorithm::PpJoinPlus { .. } => Threshold::short_prefix,
    };
    let mut join = Join::new(records, threshold, indexed, emit);
    match algorithm {
        Algorithm::AllPairs => join.run(all_pairs::accumulate, progress),
        Algorithm::PpJoin => join.run(ppjoin::accumulate, progress),
        Algorithm::PpJoinPlus { max_depth } => join.run(|visit| suffix::accumulate(visit, max_depth), progress),
    }
    for_each_needless(records, threshold, |x, y| {
        if !records.sides().are_apart(x, y) {
            return;
        }
        let common = crate::verify::common_numbers(records.set(x), records.set(y), 0).unwrap_or(0);
        join.emit(x, y, common);
    });
    join.counts
}

/// A record's visit to the index.
struct Visit<'a> {
    records: &'a Records,
    sizes: &'a Sizes,
    /// The record, and what its size demands.
    x: &'a [u32],
    probe: &'a Probe,
    lists: &'a mut Lists,
    overlaps: &'a mut Overlaps,
}

struct Join<'a> {
    records: &'a Records,
    sizes: Sizes,
    indexed: Indexed,
    probe: Probe,
    /// One for each kind of side.
    lists: Vec<Lists>,
    overlaps: Overlaps,
    counts: Counts,
    emit: &'a mut dyn FnMut(Pair),
}

impl<'a> Join<'a> {
    fn new(
        records: &'a Records,
        threshold: &'a Threshold,
        indexed: fn(&Threshold, u32) -> u32,
        emit: &'a mut dyn FnMut(Pair),
    ) -> Join<'a> {
        let indexed = Indexed::new(records, |size| indexed(threshold, size));
        let lists: Vec<Lists> = (0..records.sides().count()).map(|kind| Lists::new(records, kind, &indexed)).collect();
        let index_entries = lists.iter().map(Lists::room).sum();
        Join {
            records,
            sizes: Sizes::new(records),
            indexed,
            probe: Probe::new(*threshold),
            lists,
            overlaps: Overlaps::new(records.len()),
            counts: Counts { index_entries, ..Counts::default() },
            emit,
        }
    }

    fn run(&mut self, accumulate: impl Fn(&mut Visit), progress: impl Fn(usize)) {
        for record in 0..self.records.len() as u32 {
            let x = self.records.set(record);
            self.probe.set_size(x.len() as u32, &self.sizes);
            let sides = self.records.sides();
            for kind in sides.looked_up(record) {
                let Join { records, sizes, probe, overlaps, .. } = self;
                accumulate(&mut Visit { records, sizes, x, probe, lists: &mut self.lists[kind], overlaps });
            }
            self.verify(record);
            self.lists[sides.entered(record)].enter(record, self.indexed.prefix(x));
            progress(1);
        }
    }

    fn emit(&mut self, x: u32, y: u32, common: u32) {
        self.counts.results += 1;
        let (x, y) = (self.records.document(x), self.records.document(y));
        (self.emit)(Pair { a: x.min(y), b: x.max(y), common });
    }
}
