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
mod source;
mod suffix;
mod verify;

use lists::Lists;
use overlaps::Overlaps;
use probe::{Indexed, Probe};

use super::disjoint::for_each_needless;
use super::sizes::Sizes;
use super::{Counts, JoinError, Pair, Records};
use crate::measure::Threshold;
use crate::progress::Stage;
pub(super) use source::PaperSource;

/// Which of the paper's algorithms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaperAlgorithm {
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

impl PaperAlgorithm {
    /// All of them, with the depth that the paper uses.
    pub const ALL: [PaperAlgorithm; 3] =
        [PaperAlgorithm::AllPairs, PaperAlgorithm::PpJoin, PaperAlgorithm::PpJoinPlus { max_depth: suffix::MAX_DEPTH }];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            PaperAlgorithm::AllPairs => "allpairs",
            PaperAlgorithm::PpJoin => "ppjoin",
            PaperAlgorithm::PpJoinPlus { .. } => "ppjoin+",
        }
    }
}

/// Finds every pair of a collection, or between two, with one of the paper's algorithms, on this thread; in no particular order.
/// The stage counts records.
///
/// ```
/// use lookalike::engine::{PaperAlgorithm, Records, SetPair, SetStore, Stage, paper_join};
/// use lookalike::{Measure, Threshold};
///
/// let store: SetStore = [vec![1, 2, 3, 4, 5], vec![2, 3, 4, 5, 6], vec![1, 2, 3, 4, 5, 6]].into_iter().collect();
/// let records = Records::code(&store, &[0, 1, 2]);
/// let threshold = Threshold::new(Measure::Jaccard, "0.8")?;
/// let mut pairs = Vec::new();
/// let algorithm = PaperAlgorithm::PpJoin;
/// let counts = paper_join(&records, &threshold, algorithm, &Stage::silent(), &mut |pair| pairs.push(pair))?;
/// assert_eq!(pairs, [SetPair { a: 0, b: 2, common: 5 }, SetPair { a: 1, b: 2, common: 5 }]);
/// assert_eq!(counts.results, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
///
/// If a set has 2³¹ elements or more.
pub fn join(
    records: &Records,
    threshold: &Threshold,
    algorithm: PaperAlgorithm,
    stage: &Stage,
    emit: &mut dyn FnMut(Pair),
) -> Result<Counts, JoinError> {
    let indexed = match algorithm {
        PaperAlgorithm::AllPairs => Threshold::long_prefix,
        PaperAlgorithm::PpJoin | PaperAlgorithm::PpJoinPlus { .. } => Threshold::short_prefix,
    };
    let mut join = Join::new(records, threshold, indexed, emit);
    match algorithm {
        PaperAlgorithm::AllPairs => join.run(all_pairs::accumulate, stage),
        PaperAlgorithm::PpJoin => join.run(ppjoin::accumulate, stage),
        PaperAlgorithm::PpJoinPlus { max_depth } => join.run(|visit| suffix::accumulate(visit, max_depth), stage),
    }
    stage.check()?;
    for_each_needless(records, threshold, |x, y| {
        if !records.sides().are_apart(x, y) {
            return;
        }
        let common = crate::verify::common_numbers(records.set(x), records.set(y), 0).unwrap_or(0);
        join.emit(x, y, common);
    });
    Ok(join.counts)
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

    fn run(&mut self, accumulate: impl Fn(&mut Visit), stage: &Stage) {
        for record in (0..self.records.len() as u32).take_while(|_| !stage.is_cancelled()) {
            let x = self.records.set(record);
            self.probe.set_size(x.len() as u32, &self.sizes);
            let sides = self.records.sides();
            for kind in sides.looked_up(record) {
                let Join { records, sizes, probe, overlaps, .. } = self;
                accumulate(&mut Visit { records, sizes, x, probe, lists: &mut self.lists[kind], overlaps });
            }
            self.verify(record);
            self.lists[sides.entered(record)].enter(record, self.indexed.prefix(x));
            stage.add(1);
        }
    }

    fn emit(&mut self, x: u32, y: u32, common: u32) {
        self.counts.results += 1;
        let (x, y) = (self.records.document(x), self.records.document(y));
        (self.emit)(Pair { a: x.min(y), b: x.max(y), common });
    }
}
