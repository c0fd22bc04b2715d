//! The matching of Theobald, Siddharth and Paepcke, *SpotSigs* (SIGIR 2008): partitions by size, and an inverted index in each.
//!
//! Sizes are divided into partitions so that a partner that is at least as large is in the same partition or in the next one. So a
//! record is compared with two partitions only. In each, it goes through the lists of its elements, the shortest first:
//!
//! ```text
//! for each record x, and for its own partition and the next:
//!     δ1 ← 0, the elements of x whose lists are done
//!     for each element of x, the shortest list first:
//!         for each y in the list, |y| ≥ |x|, by ascending size:
//!             if a set of |x| − δ1 elements is too small for a partner of y: stop the list
//!             if y was not met before: compare x with y
//!         δ1 ← δ1 + 1
//!         if |x| − δ1 is too small for every partner in the partition: stop
//! ```
//!
//! A record that was in none of the lists that are done lacks δ1 elements of x, so the two share at most |x| − δ1. And what two
//! sets share resembles each of them at least as much as the two resemble each other, so it must be large enough to be a partner. For
//! Jaccard, that is the paper's bound: (|x| − δ1) / |y| ≥ τ.
//!
//! The paper counts occurrences; here the second occurrence is an element of its own (`--bag`), which is the same. It looks for smaller
//! partners too, and so meets a pair twice.

use std::collections::HashSet;
use std::ops::Range;

use crate::join::records::disjoint::for_each_needless;
use crate::join::records::sizes::Sizes;
use crate::join::{Counts, JoinError, Pair, Records};
use crate::measure::Threshold;
use crate::progress::Stage;
use crate::verify::common_numbers;

/// Finds every pair. The stage counts records.
pub(super) fn join(
    records: &Records,
    threshold: &Threshold,
    stage: &Stage,
    emit: &mut dyn FnMut(Pair),
) -> Result<Counts, JoinError> {
    let partitions = partitions(records, threshold);
    let mut search = Search {
        records,
        threshold,
        counts: Counts { index_entries: records.elements() as u64, ..Counts::default() },
        met: HashSet::new(),
        lists: Vec::new(),
        emit,
    };
    let mut own = partitions.first().map(|first| Partition::new(records, first.clone()));
    for (number, range) in partitions.iter().enumerate() {
        let next = partitions.get(number + 1).map(|next| Partition::new(records, next.clone()));
        for x in range.clone() {
            if stage.is_cancelled() {
                break;
            }
            own.iter().chain(&next).for_each(|partition| search.find(x, partition));
            stage.add(1);
        }
        own = next;
    }
    stage.check()?;
    for_each_needless(records, |size| threshold.needless(size), |x, y| search.compare(x, y));
    Ok(search.counts)
}

/// Divides the records, which are ordered by size, so that no partner that is at least as large is beyond the next part.
fn partitions(records: &Records, threshold: &Threshold) -> Vec<Range<u32>> {
    let (sizes, mut partitions) = (Sizes::new(records), Vec::new());
    let mut start = 0;
    while start < records.len() as u32 {
        let greatest = threshold.partners(records.size(start)).1;
        let end = sizes.after(greatest).max(start + 1);
        partitions.push(start..end);
        start = end;
    }
    partitions
}

/// The records of a partition, and by element which of them have it, ascending.
struct Partition {
    range: Range<u32>,
    elements: Vec<u32>,
    starts: Vec<usize>,
    entries: Vec<u32>,
}

impl Partition {
    fn new(records: &Records, range: Range<u32>) -> Partition {
        let of = |record: u32| records.set(record).iter().map(move |&element| (element, record));
        let mut postings: Vec<(u32, u32)> = range.clone().flat_map(of).collect();
        postings.sort_unstable();
        let (mut elements, mut starts) = (Vec::new(), Vec::new());
        for (at, &(element, _)) in postings.iter().enumerate() {
            if elements.last() != Some(&element) {
                elements.push(element);
                starts.push(at);
            }
        }
        starts.push(postings.len());
        Partition { range, elements, starts, entries: postings.into_iter().map(|(_, record)| record).collect() }
    }

    /// Where the list of an element is; empty if no record has it.
    fn list(&self, element: u32) -> Range<usize> {
        self.elements.binary_search(&element).map_or(0..0, |at| self.starts[at]..self.starts[at + 1])
    }
}

struct Search<'a> {
    records: &'a Records,
    threshold: &'a Threshold,
    counts: Counts,
    /// The records that the current one was compared with.
    met: HashSet<u32>,
    /// The lists of the current record.
    lists: Vec<Range<usize>>,
    emit: &'a mut dyn FnMut(Pair),
}

impl Search<'_> {
    /// Finds the partners of a record in a partition that are at least as large, and after it.
    fn find(&mut self, x: u32, partition: &Partition) {
        let (records, threshold) = (self.records, self.threshold);
        let size = records.size(x);
        let least_partner = |of: u32| threshold.partners(of).0;
        // Those that need no common element are found without an index.
        let needless = threshold.needless(size);
        self.met.clear();
        let mut lists = std::mem::take(&mut self.lists);
        lists.clear();
        lists.extend(records.set(x).iter().map(|&element| partition.list(element)));
        lists.sort_by_key(ExactSizeIterator::len);
        let smallest = records.size(partition.range.start).max(size);
        for (done, list) in lists.iter().enumerate() {
            let left = size - done as u32;
            if left < least_partner(smallest) {
                break;
            }
            let list = &partition.entries[list.clone()];
            let (mut last, mut is_possible) = (0, true);
            for &y in &list[list.partition_point(|&y| y <= x)..] {
                if records.size(y) != last {
                    last = records.size(y);
                    is_possible = left >= least_partner(last);
                }
                if !is_possible {
                    break;
                }
                if last > needless && records.sides().are_apart(x, y) && self.met.insert(y) {
                    self.counts.candidates_by_prefix += 1;
                    self.counts.after_positional += 1;
                    self.counts.after_suffix += 1;
                    self.counts.verified += 1;
                    self.compare(x, y);
                }
            }
        }
        self.lists = lists;
    }

    fn compare(&mut self, x: u32, y: u32) {
        let records = self.records;
        if !records.sides().are_apart(x, y) {
            return;
        }
        let needed = self.threshold.needed(records.size(x), records.size(y));
        if let Some(common) = common_numbers(records.set(x), records.set(y), needed as usize) {
            self.counts.results += 1;
            let (x, y) = (records.document(x), records.document(y));
            (self.emit)(Pair { a: x.min(y), b: x.max(y), common });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Measure;
    use crate::sets::SetStore;

    /// Each partition begins with the first size that is too large for the first size of the one before.
    #[test]
    fn partitions_by_size() {
        let store: SetStore = (1..=30u64).map(|size| (0..size).collect::<Vec<u64>>()).collect();
        let records = Records::code(&store, &(0..30).collect::<Vec<u32>>());
        let starts = |value: &str| {
            let threshold = Threshold::new(Measure::Jaccard, value).unwrap();
            let parts = partitions(&records, &threshold);
            assert!(parts.windows(2).all(|two| two[0].end == two[1].start) && parts.last().unwrap().end == 30);
            parts.iter().map(|part| records.size(part.start)).collect::<Vec<u32>>()
        };
        assert_eq!(starts("0.5"), [1, 3, 7, 15]);
        assert_eq!(starts("0.8"), [1, 2, 3, 4, 6, 8, 11, 14, 18, 23, 29]);
        assert_eq!(starts("1"), (1..=30).collect::<Vec<u32>>());
    }
}
