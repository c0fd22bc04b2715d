//! All-Pairs (Bayardo, Ma and Srikant, WWW 2007), as the paper describes it.
//!
//! Two records that share at least α elements share one among the first |x| − α + 1 of one and |y| − α + 1 of the other
//! (Lemma 1). α depends on the partner, so the prefix is long enough for any: |x| − ⌈t·|x|⌉ + 1 for Jaccard. Every
//! record met in a prefix that is not too small is a candidate:
//!
//! ```text
//! for each (y, j) in the list of x[i] with |y| ≥ t·|x|:
//!     A[y] ← A[y] + 1
//! ```

use super::visit::Visit;

pub(super) fn accumulate(visit: &mut Visit) {
    for &element in &visit.x[..visit.probe.prefix as usize] {
        for posting in visit.lists.of(element, visit.probe) {
            visit.overlaps.update(posting.record, |overlap| overlap + 1);
        }
    }
}
