//! Every pair of documents that share enough features: the candidates of a filter, all of them.
//!
//! Two documents that share r of k features share one of the first k − r + 1. So at each of these places the documents are brought
//! together that have the same feature there, by sorting: a *run*. Those of a run are compared each with each, and two are reported
//! if they share r features in all and none at an earlier place: a pair once, without a table of pairs already seen.

mod brute;
mod live;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rayon::prelude::*;

use super::{Outgoing, Side};
use crate::sketch::{Filter, shared_features};
pub use brute::brute_features;
pub use live::LiveFeatures;

/// The features of all documents, k for each.
#[derive(Clone, Debug)]
pub struct FeatureTable {
    filter: Filter,
    features: Vec<u64>,
}

/// Two documents that share enough features. `a` is less than `b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FeaturePair {
    /// The one that comes first in the input.
    pub a: u32,
    /// The other.
    pub b: u32,
    /// How many features they share.
    pub shared: u32,
}

/// Documents of a run above which its rows are compared by several threads.
const LONG: usize = 1 << 10;

impl FeatureTable {
    /// Features for this filter, those of a document one behind the other; what is not enough for a document is left out.
    ///
    /// ```
    /// use std::sync::Mutex;
    ///
    /// use lookalike::candidates::{FeaturePair, FeatureTable, Side};
    /// use lookalike::Filter;
    ///
    /// let table = FeatureTable::new(Filter::new(3, 14, 2)?, vec![11, 21, 31, 11, 20, 31, 10, 20, 30]);
    /// let pairs = Mutex::new(Vec::new());
    /// table.pairs_among(&[0, 1, 2], |_| Side::Both, |_| (), |some| pairs.lock().unwrap().extend_from_slice(some));
    /// assert_eq!(pairs.into_inner().unwrap(), [FeaturePair { a: 0, b: 1, shared: 2 }]);
    /// # Ok::<(), lookalike::FilterError>(())
    /// ```
    pub fn new(filter: Filter, mut features: Vec<u64>) -> FeatureTable {
        features.truncate(features.len() / filter.k() * filter.k());
        FeatureTable { filter, features }
    }

    /// The filter that they are for.
    pub fn filter(&self) -> Filter {
        self.filter
    }

    /// How many documents there are.
    pub fn len(&self) -> usize {
        self.features.len() / self.filter.k()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.features.is_empty()
    }

    /// A document's features.
    #[inline]
    pub fn of(&self, document: u32) -> &[u64] {
        let start = document as usize * self.filter.k();
        &self.features[start..start + self.filter.k()]
    }

    /// How many features two documents share.
    #[inline]
    pub fn shared(&self, a: u32, b: u32) -> u32 {
        shared_features(self.of(a), self.of(b)) as u32
    }

    /// Every pair of these documents, which are named once each, that passes the filter and has a document on each side: some at a time,
    /// in no particular order, from any thread. `progress` is told how many more places are done.
    pub fn pairs_among(
        &self,
        members: &[u32],
        side: impl Fn(u32) -> Side + Sync,
        progress: impl Fn(usize),
        emit: impl Fn(&[FeaturePair]) + Sync,
    ) {
        for place in 0..self.places() {
            self.for_each_run(place, members, |run| {
                let row = |at: usize| self.compare(place, run[at].1, &run[at + 1..], &side, &mut Outgoing::new(&emit));
                if run.len() < LONG {
                    let mut outgoing = Outgoing::new(&emit);
                    (0..run.len()).for_each(|at| {
                        self.compare(place, run[at].1, &run[at + 1..], &side, &mut outgoing);
                    });
                } else {
                    (0..run.len()).into_par_iter().for_each(row);
                }
            });
            progress(1);
        }
    }

    /// Whether each document has a feature in common with another of these, at a place that is looked at: only such can be candidates.
    pub fn meeting(&self, members: &[u32]) -> Vec<bool> {
        let met: Vec<AtomicBool> = (0..self.len()).map(|_| AtomicBool::new(false)).collect();
        for place in 0..self.places() {
            self.for_each_run(place, members, |run| {
                run.iter().for_each(|&(_, document)| met[document as usize].store(true, Relaxed));
            });
        }
        met.into_iter().map(AtomicBool::into_inner).collect()
    }

    /// How many places are looked at.
    pub fn places(&self) -> usize {
        self.filter.k() - self.filter.r() + 1
    }

    /// Calls `each` with all documents that have the same feature at a place, if they are at least two.
    fn for_each_run(&self, place: usize, members: &[u32], each: impl Fn(&[(u64, u32)]) + Sync) {
        let entry = |&document: &u32| (self.of(document)[place], document);
        let mut entries: Vec<(u64, u32)> = members.par_iter().map(entry).collect();
        entries.par_sort_unstable();
        entries.par_chunk_by(|one, two| one.0 == two.0).filter(|run| run.len() > 1).for_each(|run| each(run));
    }

    /// Compares a document with those behind it in a run.
    fn compare(
        &self,
        place: usize,
        a: u32,
        behind: &[(u64, u32)],
        side: &impl Fn(u32) -> Side,
        outgoing: &mut Outgoing<FeaturePair, impl Fn(&[FeaturePair])>,
    ) {
        let (own, own_side) = (self.of(a), side(a));
        for &(_, b) in behind {
            let other = self.of(b);
            if shared_features(&own[..place], &other[..place]) > 0 || !own_side.faces(side(b)) {
                continue;
            }
            let shared = shared_features(&own[place..], &other[place..]);
            if shared >= self.filter.r() {
                outgoing.push(FeaturePair { a: a.min(b), b: a.max(b), shared: shared as u32 });
            }
        }
    }
}
