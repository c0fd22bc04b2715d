//! PPJoin: the paper's Algorithm 1, with the positional filter and the shorter index of Lemma 3.
//!
//! If x[i] = y[j], then at most min(|x| − i, |y| − j) + 1 elements from there on are common, plus the A[y] counted
//! before. If that is too few, y is dropped (Lemma 2):
//!
//! ```text
//! for each (y, j) in the list of x[i] with |y| ≥ t·|x|:
//!     α ← ⌈t/(1+t) · (|x| + |y|)⌉
//!     if A[y] + 1 + min(|x| − i, |y| − j) ≥ α:  A[y] ← A[y] + 1
//!     else:                                     A[y] ← 0
//! ```
//!
//! The paper sets A[y] to zero, which cannot bring y back: at the next common element less is left. Here a mark keeps
//! it out. Records come by ascending size, so those that search are at least as large as those in the index. With a
//! partner at least as large, α is at least ⌈2t/(1+t) · |y|⌉, so indexing |y| − ⌈2t/(1+t) · |y|⌉ + 1 elements of y is
//! enough (Lemma 3).
//!
//! A list is ordered by size, so α is looked up once for all records of one size.

use super::lists::Posting;
use super::overlaps::DROPPED;
use super::visit::Visit;

pub(super) fn accumulate(visit: &mut Visit) {
    accumulate_if(visit, |_| true);
}

/// Two records that meet for the first time, at x[i] = y[j] (from 0). They need `needed` common elements.
pub(super) struct Meeting {
    pub(super) i: usize,
    pub(super) posting: Posting,
    pub(super) needed: i32,
}

/// The paper's Algorithm 1, with an extra condition for records that meet for the first time.
#[inline]
pub(super) fn accumulate_if(visit: &mut Visit, mut admit: impl FnMut(Meeting) -> bool) {
    let probe = visit.probe;
    for (i, &element) in visit.x[..probe.prefix as usize].iter().enumerate() {
        let mut rest = visit.lists.of(element, probe);
        while let Some(first) = rest.first() {
            let size = visit.records.size(first.record);
            let after = visit.sizes.after(size);
            let needed = probe.needed(size);
            let left = (visit.x.len() - i) as i32;
            let same_size = rest.iter().position(|posting| posting.record >= after).unwrap_or(rest.len());
            for &posting in &rest[..same_size] {
                let bound = left.min((size - posting.position) as i32);
                visit.overlaps.update(posting.record, |overlap| {
                    let enough = overlap + bound >= needed;
                    if enough && (overlap > 0 || admit(Meeting { i, posting, needed })) { overlap + 1 } else { DROPPED }
                });
            }
            rest = &rest[same_size..];
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::join::Records;
    use crate::join::paper::bounds::Bounds;
    use crate::join::paper::pass::Pass;
    use crate::measure::{Measure, Threshold};
    use crate::sets::SetStore;

    /// The paper's Example 3, with the longer index: BCDEF meets ABCDE at B, and ABCDE met GABEF at A. Both times at
    /// most four of the five needed elements are left.
    #[test]
    fn example_3() {
        let sets = ["CDF", "GABEF", "ABCDE", "BCDEF"].map(|letters| {
            let mut set: Vec<u64> = letters.bytes().map(u64::from).collect();
            set.sort_unstable();
            set
        });
        let store: SetStore = sets.into_iter().collect();
        let records = Records::code(&store, &[0, 1, 2, 3]);
        let threshold = Threshold::new(Measure::Jaccard, "0.8").unwrap();
        let mut emit = |pair| panic!("{pair:?}");
        let mut pass = Pass::new(&records, Bounds::Sets(threshold), Bounds::long_prefix, &mut emit);
        pass.run(super::accumulate, &crate::progress::Stage::silent());
        assert_eq!((pass.counts.candidates_by_prefix, pass.counts.after_positional), (2, 0));
    }
}
