//! Pairs that need nothing in common.
//!
//! Under a distance of d, two sets of together at most d elements are a pair whatever they hold, and if they share nothing they meet
//! in no prefix. A join finds them here instead, shared elements or not, and everywhere else looks at sets that need some. Every two
//! sets that are brought together here are a pair: the walk is as long as the answer.

use std::ops::Range;

use super::coded::Records;
use crate::measure::Threshold;

/// Which of the sets entered so far are small enough to have such a partner, by size.
#[derive(Default)]
pub(in crate::join) struct SmallSets {
    /// Ascending.
    sizes: Vec<u32>,
    /// For each size, the sets entered: ascending too.
    entered: Vec<Vec<u32>>,
}

impl SmallSets {
    /// Room for sets of these sizes.
    pub(in crate::join) fn new(threshold: &Threshold, sizes: impl Iterator<Item = u32>) -> SmallSets {
        let mut sizes: Vec<u32> = sizes.filter(|&size| may_need_nothing(threshold, size)).collect();
        sizes.sort_unstable();
        sizes.dedup();
        SmallSets { entered: vec![Vec::new(); sizes.len()], sizes }
    }

    /// Enters a set, later than all entered before.
    pub(in crate::join) fn enter(&mut self, set: u32, size: u32) {
        if let Ok(at) = self.sizes.binary_search(&size) {
            self.entered[at].push(set);
        }
    }

    /// Takes out the set that was entered last.
    pub(in crate::join) fn leave(&mut self, size: u32) {
        if let Ok(at) = self.sizes.binary_search(&size) {
            self.entered[at].pop();
        }
    }

    /// Takes out everything.
    pub(in crate::join) fn clear(&mut self) {
        self.entered.iter_mut().for_each(Vec::clear);
    }

    /// The sets entered, within a range, of at most so many elements.
    pub(in crate::join) fn up_to<'a>(&'a self, size: u32, among: &'a Range<u32>) -> impl Iterator<Item = u32> + 'a {
        let fitting = self.sizes.partition_point(|&entered| entered <= size);
        self.entered[..fitting].iter().flat_map(|sets| {
            let start = sets.partition_point(|&set| set < among.start);
            let end = sets.partition_point(|&set| set < among.end);
            sets[start..end].iter().copied()
        })
    }
}

/// Whether a set of this size may be a pair with one that it shares nothing with.
pub(in crate::join) fn may_need_nothing(threshold: &Threshold, size: u32) -> bool {
    threshold.needless(size) > 0
}

/// Calls `each` with every two records that are a pair whatever they share.
pub(in crate::join) fn for_each_needless(records: &Records, threshold: &Threshold, mut each: impl FnMut(u32, u32)) {
    for x in 0..records.len() as u32 {
        let needless = threshold.needless(records.size(x));
        // By ascending size: for all that follow it is less, and their partners are at least as large as this one.
        if needless < records.size(x) {
            return;
        }
        (x + 1..records.len() as u32).take_while(|&y| records.size(y) <= needless).for_each(|y| each(x, y));
    }
}
