//! Where are the sets of a collection stored as records?

use std::sync::Arc;

use rayon::prelude::*;

use super::coding::code;
use super::sides::Sides;
use crate::arch::prefetch;
use crate::candidates::Side;
use crate::measure::Threshold;
use crate::sets::{SetStore, SetsError};
use crate::verify::common_numbers;

/// A collection prepared for joins with long lists. Elements are coded as small numbers, rarest first, and a record is
/// a set of them.
///
/// * Elements are numbered from 0 by ascending frequency in the collection, ties by hash. So a record starts with its
///   rarest elements.
/// * Records are numbered from 0 by ascending size, ties by document. So a range of sizes is a range of records.
///
/// ```
/// use lookalike::engine::{Records, SetStore};
///
/// let store: SetStore = [vec![10, 20, 30], vec![], vec![20, 30], vec![30]].into_iter().collect();
/// let records = Records::code(&store, &[0, 1, 2, 3]);
/// assert_eq!(records.len(), 3); // an empty set resembles nothing and is no record
/// assert_eq!([0, 1, 2].map(|record| records.document(record)), [3, 2, 0]);
/// assert_eq!(records.set(2), [0, 1, 2]);
/// assert_eq!(records.frequencies(), [1, 2, 3]);
/// ```
pub struct Records {
    /// All sets, one after another.
    elements: Arc<Vec<u32>>,
    /// The position of each record's set.
    spans: Vec<Span>,
    documents: Vec<u32>,
    sides: Sides,
    frequencies: Arc<Vec<u32>>,
}

#[derive(Clone, Copy)]
struct Span {
    start: usize,
    size: u32,
}

impl Records {
    /// Codes the sets of these documents, each named once. Of equal sets it is enough to name one; see
    /// [`Groups`](crate::sets::Groups).
    ///
    /// # Panics
    ///
    /// If [`Records::try_code`] returns an error.
    pub fn code(store: &SetStore, documents: &[u32]) -> Records {
        Records::try_code(store, documents).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Like [`Records::code`], but returns an error if a set is not ascending and distinct, or if there are 2³² or more
    /// distinct elements.
    pub fn try_code(store: &SetStore, documents: &[u32]) -> Result<Records, SetsError> {
        store.check_sets()?;
        let mut documents: Vec<u32> = documents.iter().copied().filter(|&document| store.size(document) > 0).collect();
        documents.par_sort_unstable_by_key(|&document| (store.size(document), document));
        let mut starts = Vec::with_capacity(documents.len() + 1);
        let mut end = 0;
        starts.push(end);
        for &document in &documents {
            end += store.size(document) as usize;
            starts.push(end);
        }
        let (elements, frequencies) = code(store, &documents, &starts)?;
        let spans = starts.windows(2).map(|ends| Span { start: ends[0], size: (ends[1] - ends[0]) as u32 }).collect();
        let (elements, frequencies) = (Arc::new(elements), Arc::new(frequencies));
        Ok(Records { elements, spans, documents, sides: Sides::all(), frequencies })
    }

    /// Sets the side of each document. A pair has one document on each side.
    pub fn on_sides(mut self, side: impl Fn(u32) -> Side) -> Records {
        self.sides = Sides::new(self.documents.iter().map(|&document| side(document)).collect());
        self
    }

    /// Returns some of the records, ascending, with the side of the n-th. Elements keep their numbers and frequencies.
    pub(crate) fn some(&self, records: &[u32], side: impl Fn(usize) -> Side) -> Records {
        Records {
            elements: self.elements.clone(),
            spans: records.iter().map(|&record| self.spans[record as usize]).collect(),
            documents: records.iter().map(|&record| self.document(record)).collect(),
            sides: Sides::new((0..records.len()).map(side).collect()),
            frequencies: self.frequencies.clone(),
        }
    }

    /// Returns the number of records.
    pub fn len(&self) -> usize {
        self.documents.len()
    }

    /// Returns whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// Returns a record's elements, ascending.
    #[inline]
    pub fn set(&self, record: u32) -> &[u32] {
        let Span { start, size } = self.spans[record as usize];
        &self.elements[start..start + size as usize]
    }

    /// Prefetches a record's first elements.
    #[inline]
    pub(in crate::join) fn prefetch(&self, record: u32) {
        prefetch(&self.elements, self.spans[record as usize].start);
    }

    /// Returns the size of a record, which is at least 1.
    #[inline]
    pub fn size(&self, record: u32) -> u32 {
        self.spans[record as usize].size
    }

    /// Returns the documents of all records, by ascending size.
    pub(in crate::join) fn documents(&self) -> impl Iterator<Item = u32> {
        self.documents.iter().copied()
    }

    /// Converts these documents to records, ascending, with the side of each.
    pub(in crate::join) fn on(&self, among: &[(u32, Side)], record: impl Fn(u32) -> u32) -> (Vec<u32>, Vec<Side>) {
        let mut on: Vec<(u32, Side)> = among.iter().map(|&(document, side)| (record(document), side)).collect();
        on.sort_unstable_by_key(|&(record, _)| record);
        on.into_iter().unzip()
    }

    /// Returns how many elements two documents share. Both must have a record.
    pub(in crate::join) fn common(&self, a: u32, b: u32, sizes: &[u32]) -> u32 {
        let record = |document: u32| self.find(document, sizes[document as usize]);
        let (Some(a), Some(b)) = (record(a), record(b)) else { return 0 };
        common_numbers(self.set(a), self.set(b), 0).unwrap_or(0)
    }

    /// Returns the document of a record.
    #[inline]
    pub fn document(&self, record: u32) -> u32 {
        self.documents[record as usize]
    }

    /// Returns which records may be a pair.
    pub(in crate::join) fn sides(&self) -> &Sides {
        &self.sides
    }

    /// Returns the record of a document with this many elements, if there is one.
    pub(in crate::join) fn find(&self, document: u32, size: u32) -> Option<u32> {
        let key = |record: u32| (self.size(record), self.document(record));
        let (mut low, mut high) = (0, self.len() as u32);
        while low < high {
            let middle = low + (high - low) / 2;
            if key(middle) < (size, document) { low = middle + 1 } else { high = middle }
        }
        (low < self.len() as u32 && self.document(low) == document).then_some(low)
    }

    /// Returns the total number of elements of all records.
    pub fn elements(&self) -> usize {
        self.spans.iter().map(|span| span.size as usize).sum()
    }

    /// Returns the size of the largest record.
    pub(in crate::join) fn largest(&self) -> u32 {
        self.spans.last().map_or(0, |last| last.size)
    }

    /// Calls `each` with every record, its long prefix and the length of its short prefix.
    pub(in crate::join) fn for_each_prefix(&self, threshold: &Threshold, mut each: impl FnMut(u32, &[u32], usize)) {
        let (mut size, mut long, mut short) = (0, 0, 0);
        for record in 0..self.len() as u32 {
            if self.size(record) != size {
                size = self.size(record);
                (long, short) = (threshold.long_prefix(size) as usize, threshold.short_prefix(size) as usize);
            }
            each(record, &self.set(record)[..long], short);
        }
    }

    /// Returns the number of distinct elements, which is one more than the greatest.
    pub fn universe(&self) -> usize {
        self.frequencies.len()
    }

    /// Returns in how many records each element occurs: ascending, at least 1.
    pub fn frequencies(&self) -> &[u32] {
        &self.frequencies
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Elements are numbered by frequency and records by size; nothing else changes.
        #[test]
        fn coded_as_told(
            sets in proptest::collection::vec(
                proptest::collection::btree_set(prop_oneof![0..20u64, any::<u64>(), (0..50u64).prop_map(|n| n << 58)], 0..30),
                0..80,
            ),
            every in 1..4usize,
        ) {
            let store: SetStore = sets.iter().map(|set| set.iter().copied().collect::<Vec<_>>()).collect();
            let documents: Vec<u32> = (0..sets.len() as u32).rev().step_by(every).collect();
            let mut counts: BTreeMap<u64, u32> = BTreeMap::new();
            for &element in documents.iter().flat_map(|&document| &sets[document as usize]) {
                *counts.entry(element).or_default() += 1;
            }
            let mut order: Vec<(u32, u64)> = counts.iter().map(|(&element, &count)| (count, element)).collect();
            order.sort_unstable();

            let records = Records::code(&store, &documents);
            prop_assert_eq!(records.frequencies(), order.iter().map(|&(count, _)| count).collect::<Vec<_>>());
            let mut expected: Vec<u32> = documents.iter().copied().filter(|&d| !sets[d as usize].is_empty()).collect();
            expected.sort_unstable_by_key(|&document| (sets[document as usize].len(), document));
            prop_assert_eq!(records.len(), expected.len());
            for (record, &document) in expected.iter().enumerate() {
                let record = record as u32;
                prop_assert_eq!(records.document(record), document);
                prop_assert_eq!(records.size(record) as usize, sets[document as usize].len());
                prop_assert!(records.set(record).is_sorted());
                let elements: BTreeSet<u64> = records.set(record).iter().map(|&number| order[number as usize].1).collect();
                prop_assert_eq!(&elements, &sets[document as usize]);
            }
        }
    }
}
