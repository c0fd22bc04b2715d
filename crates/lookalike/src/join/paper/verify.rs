//! The paper's Algorithm 2: which candidates are pairs?
//!
//! A[y] is the number of elements that the probing prefix of x (length px) and the indexed prefix of y (length py)
//! share. One of the two prefixes ends first in the order of elements. None of its elements is after the end of the
//! other prefix, so only its own suffix is left to compare with the other record, whose first A[y] elements are already
//! used:
//!
//! ```text
//! for each y with A[y] > 0:
//!     if x[px] < y[py]:  if A[y] + |x| − px ≥ α:  O ← A[y] + |x[px+1 …] ∩ y[A[y]+1 …]|
//!     else:              if A[y] + |y| − py ≥ α:  O ← A[y] + |x[A[y]+1 …] ∩ y[py+1 …]|
//!     if O ≥ α: (x, y) is a pair
//! ```
//!
//! The intersection stops as soon as it cannot reach α − A[y].

use super::pass::Pass;
use crate::verify::common_numbers;

/// How many candidates ahead to prefetch.
const AHEAD: usize = 8;

impl Pass<'_> {
    pub(super) fn verify(&mut self, record: u32) {
        let records = self.records;
        let x = records.set(record);
        let x_prefix = self.probe.prefix as usize;
        let mut candidates = 0;
        for at in 0..self.overlaps.counted() {
            if let Some(later) = self.overlaps.at(at + AHEAD) {
                records.prefetch(later);
            }
            let (found, overlap) = self.overlaps.take(at);
            if overlap < 0 {
                continue;
            }
            candidates += 1;
            let y = records.set(found);
            let y_prefix = self.indexed.prefix(y).len();
            let (counted, needed) = (overlap as usize, self.probe.needed(y.len() as u32));
            let (x_rest, y_rest, bound) = if x[x_prefix - 1] < y[y_prefix - 1] {
                (&x[x_prefix..], &y[counted..], x.len() - x_prefix)
            } else {
                (&x[counted..], &y[y_prefix..], y.len() - y_prefix)
            };
            if overlap + (bound as i32) < needed {
                continue;
            }
            self.counts.verified += 1;
            if let Some(more) = common_numbers(x_rest, y_rest, (needed - overlap).max(0) as usize) {
                self.emit(record, found, overlap as u32 + more);
            }
        }
        let (met, dropped_by_suffix) = self.overlaps.clear();
        self.counts.candidates_by_prefix += met;
        self.counts.after_positional += candidates + dropped_by_suffix;
        self.counts.after_suffix += candidates;
    }
}
