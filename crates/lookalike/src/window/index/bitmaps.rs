//! The paper's index: for each segment and element, a bitmap of the documents that have it.
//!
//! ```text
//! of every segment in the window of document d:
//!     for every element of d: add 1 to the counter of each document in the element's bitmap
//!     the counters are what d has in common with the segment's documents
//! ```

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use hashbrown::HashMap;
use roaring::RoaringBitmap;

use crate::measure::Threshold;
use crate::window::candidate::Candidate;
use crate::window::verdict::DocumentRef;

#[derive(Default)]
pub(in crate::window) struct Bitmaps {
    segments: BTreeMap<i64, HashMap<u64, RoaringBitmap>>,
    counters: Vec<u32>,
}

impl Bitmaps {
    pub(in crate::window) fn insert(&mut self, at: DocumentRef, set: &[u64]) {
        let elements = self.segments.entry(at.segment).or_default();
        for &element in set {
            elements.entry(element).or_default().insert(at.slot);
        }
    }

    pub(in crate::window) fn remove(&mut self, at: DocumentRef) {
        if let Some(elements) = self.segments.get_mut(&at.segment) {
            elements.retain(|_, documents| {
                documents.remove(at.slot);
                !documents.is_empty()
            });
        }
    }

    pub(in crate::window) fn expire(&mut self, segment: i64) {
        self.segments.remove(&segment);
    }

    /// Bytes of a segment's bitmaps and of their table. It counts the content of the bitmaps, which take slightly more.
    pub(in crate::window) fn bytes(&self, segment: i64) -> usize {
        self.segments.get(&segment).map_or(0, |elements| {
            let held: usize = elements.values().map(RoaringBitmap::serialized_size).sum();
            held + elements.capacity() * size_of::<(u64, RoaringBitmap)>()
        })
    }

    pub(in crate::window) fn find(
        &mut self,
        set: &[u64],
        among: RangeInclusive<i64>,
        threshold: &Threshold,
        size: impl Fn(DocumentRef) -> u32,
        found: &mut Vec<Candidate>,
    ) {
        for (&segment, elements) in self.segments.range(among) {
            self.counters.clear();
            for documents in set.iter().filter_map(|element| elements.get(element)) {
                let most = documents.max().map_or(0, |last| last as usize + 1);
                self.counters.resize(self.counters.len().max(most), 0);
                documents.iter().for_each(|slot| self.counters[slot as usize] += 1);
            }
            for (slot, &common) in (0..).zip(&self.counters) {
                let at = DocumentRef { segment, slot };
                if common > 0 && threshold.reaches(common, set.len() as u32, size(at)) {
                    found.push(Candidate { at, common });
                }
            }
        }
    }
}
