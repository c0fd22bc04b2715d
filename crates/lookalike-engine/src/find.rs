//! Sets to pairs.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use lookalike::join::paper::Counts;
use lookalike::join::{Join, Joinable, Method};
use lookalike::sets::Groups;
use lookalike::{Measure, Pair, SetStore, Threshold};

use crate::collect::Collection;
use crate::error::Error;
use crate::expand::{Expansion, Sides};
use crate::found::{By, Found, Hits, Work};
use crate::members::Members;
use crate::watch::{Progress, Unit, Watch, announce};

/// How pairs are to be found.
pub(crate) struct Finder<'a> {
    pub(crate) sides: Sides,
    /// Whether the sides are two collections.
    pub(crate) is_two: bool,
    pub(crate) method: Method,
    /// Whether equal sets of one side are taken for one.
    pub(crate) distinct: bool,
    /// Most pairs of one document.
    pub(crate) limit: Option<u32>,
    pub(crate) watch: &'a dyn Watch,
}

/// A collection made ready.
pub(crate) struct Ready {
    pub(crate) joinable: Joinable,
    pub(crate) members: Members,
    distinct_sets: u64,
    prepare: Duration,
}

impl Finder<'_> {
    /// Finds every pair of a collection, whose sets it takes, that reaches a threshold.
    pub(crate) fn find(&self, collection: &mut Collection, threshold: Threshold) -> Result<(Found, Work), Error> {
        let start = Instant::now();
        let store = std::mem::take(&mut collection.store);
        let sizes = sizes(&store);
        let fingerprints = std::mem::take(&mut collection.fingerprints);
        let Ready { mut joinable, members, distinct_sets, .. } = self.prepare(store, fingerprints, threshold)?;
        announce(&mut joinable, self.most_pairs(distinct_sets), self.watch);
        let pairs = Expansion::new(members, self.sides.clone(), rayon::current_num_threads());
        let prepare = start.elapsed();
        // Sorting what was found is not joining, though it is done by the same threads at the same time.
        let sorting = AtomicU64::new(0);
        let counts = self.join(&mut joinable, &collection.within, |some| {
            let before = Instant::now();
            pairs.add(some);
            sorting.fetch_add(before.elapsed().as_nanos() as u64, Relaxed);
        });
        let sorting = Duration::from_nanos(sorting.into_inner()) / rayon::current_num_threads().max(1) as u32;
        let join = (start.elapsed() - prepare).saturating_sub(sorting);
        let plan = joinable.plan().clone();
        // Its memory is free for the pairs.
        drop(joinable);
        let pairs = Hits::InOrder(pairs.finish(!self.distinct)?);
        let work = Work::of_sets(&plan, counts, distinct_sets, prepare, join);
        Ok((Found { pairs, by: By::Sets { threshold, sizes } }, work))
    }

    /// How many pairs there can be at most. (An estimate does not know that some are not wanted.)
    fn most_pairs(&self, distinct_sets: u64) -> u64 {
        let (a, b) = (self.sides.a.len() as u64, self.sides.b.len() as u64);
        let most = if self.is_two { a * b } else { a * a.saturating_sub(1) / 2 };
        let most = self.limit.map_or(most, |limit| most.min(a * u64::from(limit)));
        if self.distinct { most.min(distinct_sets * distinct_sets.saturating_sub(1) / 2) } else { most }
    }

    pub(crate) fn prepare(
        &self,
        store: SetStore,
        fingerprints: Vec<u128>,
        threshold: Threshold,
    ) -> Result<Ready, Error> {
        let start = Instant::now();
        self.watch.begin("indexing", 0, Unit::Documents);
        let documents = store.len();
        // Not grouped by the join: equal sets may be too small to be a pair.
        let equal = (threshold.measure() == Measure::Overlap).then(|| {
            let order: Vec<u32> = (0..documents as u32).collect();
            Groups::of_equal_sets(&store, &fingerprints, &order)
        });
        let join = Join::new(threshold).method(self.method);
        let join = if self.is_two { join.across(self.sides.b.start) } else { join };
        let joinable = join.prepare(store, fingerprints)?;
        let is_first = self.firsts(equal.as_ref().unwrap_or(joinable.groups()), documents);
        let is_wanted = |document: u32| !self.distinct || is_first[document as usize];
        let members = Members::of(joinable.groups(), documents as u32, is_wanted);
        let is_counted = |&document: &u32| is_first[document as usize] && joinable.size(document) > 0;
        let distinct_sets = (0..documents as u32).filter(is_counted).count();
        self.watch.end();
        Ok(Ready { joinable, members, distinct_sets: distinct_sets as u64, prepare: start.elapsed() })
    }

    /// Whether each document is the first of its side with its set.
    pub(crate) fn firsts(&self, groups: &Groups, documents: usize) -> Vec<bool> {
        let mut seen = vec![[false; 2]; documents];
        let is_first = |document: u32| {
            let side = usize::from(self.is_two && document >= self.sides.b.start);
            !std::mem::replace(&mut seen[groups.first(document) as usize][side], true)
        };
        (0..documents as u32).map(is_first).collect()
    }

    /// Finds the pairs of sets. `within` has what their documents must agree in, if anything.
    pub(crate) fn join(&self, joinable: &mut Joinable, within: &[u64], emit: impl Fn(&[Pair]) + Sync) -> Counts {
        let progress = Progress::begin(self.watch, "joining", joinable.work());
        if within.is_empty() || !joinable.threshold().is_distance() {
            return joinable.run(|more| progress.add(more), emit);
        }
        // Sets of different keys share nothing. Under a distance, small ones are near each other all the same.
        let agree = |pair: &&Pair| within[pair.a as usize] == within[pair.b as usize];
        joinable.run(|more| progress.add(more), |some| emit(&some.iter().filter(agree).copied().collect::<Vec<Pair>>()))
    }
}

impl Ready {
    pub(crate) fn into_work(self, counts: Counts, join: Duration) -> Work {
        let Ready { joinable, distinct_sets, prepare, .. } = self;
        Work::of_sets(joinable.plan(), counts, distinct_sets, prepare, join)
    }
}

pub(crate) fn sizes(store: &SetStore) -> Vec<u32> {
    (0..store.len() as u32).map(|document| store.size(document)).collect()
}
