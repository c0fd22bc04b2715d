//! Which sets are kept, if their pairs become known block by block?

use std::cmp::Reverse;

use crate::measure::Threshold;

/// Two sets by their place in the keep order, and how many elements they share.
///
/// It has places instead of documents, so it does not convert to a [`Pair`](crate::Pair).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodePair {
    /// The later one.
    pub later: u32,
    /// The earlier one.
    pub earlier: u32,
    /// The number of common elements.
    pub common: u32,
}

/// Decides in keep order: a set is kept if it resembles no set that was kept before it.
pub struct Settling {
    threshold: Threshold,
    sizes: Vec<u32>,
    pinned: u32,
    /// The number of settled sets.
    settled: u32,
    /// Pairs whose later set is not settled, or whose earlier one was settled when they became known.
    pairs: Vec<NodePair>,
    /// By place, the best match among the kept sets, and how many elements the two share.
    best: Vec<Option<(u32, u32)>>,
}

impl Settling {
    /// Prepares to settle sets of these sizes, in keep order. The first `pinned` are kept in any case.
    pub fn new(threshold: Threshold, sizes: Vec<u32>, pinned: u32) -> Settling {
        let best = vec![None; sizes.len()];
        Settling { threshold, sizes, pinned, settled: pinned, pairs: Vec::new(), best }
    }

    /// Adds pairs. A pair whose earlier set is settled counts if that one was kept.
    pub fn add(&mut self, pairs: impl IntoIterator<Item = NodePair>) {
        for pair in pairs {
            if pair.earlier < self.settled {
                self.count(pair);
            } else {
                self.pairs.push(pair);
            }
        }
    }

    /// Settles the sets before this place. All pairs among them are known, except those of sets that are not kept.
    pub fn settle(&mut self, end: u32) {
        let mut pairs = std::mem::take(&mut self.pairs);
        // By the later set, so that those before it are settled.
        pairs.sort_unstable_by_key(|&pair| Reverse(pair));
        while self.settled < end {
            while let Some(pair) = pairs.pop_if(|pair| pair.later <= self.settled) {
                self.count(pair);
            }
            self.settled += 1;
        }
        // Of later sets, only the pairs with a settled one can be counted.
        let (settled, open): (Vec<NodePair>, _) = pairs.into_iter().partition(|pair| pair.earlier < self.settled);
        self.pairs = open;
        self.add(settled);
    }

    fn count(&mut self, NodePair { later, earlier, common }: NodePair) {
        if later < self.pinned || !self.is_kept(earlier) {
            return;
        }
        let size = |place: u32| self.sizes[place as usize];
        let is_better = self.best[later as usize].is_none_or(|(best, shared)| {
            let order = self.threshold.compare(size(later), (common, size(earlier)), (shared, size(best)));
            order.then(best.cmp(&earlier)).is_gt()
        });
        if is_better {
            self.best[later as usize] = Some((earlier, common));
        }
    }

    /// Marks a set as similar to a kept one that precedes all of these and is not among them. Its match is not known here: it is given as
    /// the set itself.
    pub fn match_outside(&mut self, place: u32) {
        self.best[place as usize] = Some((place, 0));
    }

    /// Returns whether a set resembles no kept set, as far as is known.
    pub fn is_kept(&self, place: u32) -> bool {
        self.best[place as usize].is_none()
    }

    /// Returns the places that are settled.
    pub fn settled(&self) -> u32 {
        self.settled
    }

    /// Returns every removed set with its best match among the kept sets, and the similarity of the two.
    pub fn removed(&self) -> impl Iterator<Item = (u32, u32, f64)> + '_ {
        (0..).zip(&self.best).filter_map(|(place, best)| {
            let (twin, common) = (*best)?;
            let size = |place: u32| self.sizes[place as usize];
            Some((place, twin, self.threshold.similarity(common, size(place), size(twin))))
        })
    }
}
