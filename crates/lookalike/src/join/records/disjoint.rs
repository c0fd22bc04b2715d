//! Which pairs need no common element?
//!
//! Under a distance of d, two sets with at most d elements in total are a pair even if they share nothing, and then no
//! prefix finds them. A join finds all such pairs here, and everywhere else skips sets this small. Every two sets
//! compared here are a pair, so the work is proportional to the result.

use std::ops::Range;

use super::coded::Records;
use crate::measure::Threshold;

/// The entered sets that are small enough to have such a partner, by size.
#[derive(Default)]
pub(in crate::join) struct SmallSets {
    /// Ascending.
    sizes: Vec<u32>,
    /// For each size, the entered sets, ascending.
    entered: Vec<Vec<u32>>,
}

impl SmallSets {
    /// Makes room for sets of these sizes.
    pub(in crate::join) fn new(threshold: &Threshold, sizes: impl Iterator<Item = u32>) -> SmallSets {
        let mut sizes: Vec<u32> = sizes.filter(|&size| may_need_nothing(threshold, size)).collect();
        sizes.sort_unstable();
        sizes.dedup();
        SmallSets { entered: vec![Vec::new(); sizes.len()], sizes }
    }

    /// Enters a set. It must be later than all entered before.
    pub(in crate::join) fn enter(&mut self, set: u32, size: u32) {
        if let Ok(at) = self.sizes.binary_search(&size) {
            self.entered[at].push(set);
        }
    }

    /// Removes the set that was entered last.
    pub(in crate::join) fn leave(&mut self, size: u32) {
        if let Ok(at) = self.sizes.binary_search(&size) {
            self.entered[at].pop();
        }
    }

    /// Removes all sets.
    pub(in crate::join) fn clear(&mut self) {
        self.entered.iter_mut().for_each(Vec::clear);
    }

    /// Returns the entered sets within a range that have at most `size` elements.
    pub(in crate::join) fn up_to<'a>(&'a self, size: u32, among: &'a Range<u32>) -> impl Iterator<Item = u32> + 'a {
        let fitting = self.sizes.partition_point(|&entered| entered <= size);
        self.entered[..fitting].iter().flat_map(|sets| {
            let start = sets.partition_point(|&set| set < among.start);
            let end = sets.partition_point(|&set| set < among.end);
            sets[start..end].iter().copied()
        })
    }
}

/// Whether a set of this size can be a pair with one that it shares nothing with.
pub(in crate::join) fn may_need_nothing(threshold: &Threshold, size: u32) -> bool {
    threshold.needless(size) > 0
}

/// Calls `each` with every two records that may be a pair even if they share nothing. `needless` returns the greatest size of such a
/// partner.
pub(in crate::join) fn for_each_needless(
    records: &Records,
    needless: impl Fn(u32) -> u32,
    mut each: impl FnMut(u32, u32),
) {
    for x in 0..records.len() as u32 {
        let needless = needless(records.size(x));
        // Sizes ascend, so this bound falls, while the partners of later records are at least as large as this one.
        if needless < records.size(x) {
            return;
        }
        (x + 1..records.len() as u32).take_while(|&y| records.size(y) <= needless).for_each(|y| each(x, y));
    }
}
