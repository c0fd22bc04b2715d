//! How are many sets looked up at once?
//!
//! A search spends most of its time waiting for words of filters and for postings, which lie anywhere in memory. The elements
//! of many sets, put in order first, find theirs next to each other.

use std::ops::Range;

use super::error::PartError;
use super::find::{FindScratch, Found};
use super::parts::Parts;
use crate::sets::{SetStore, mix};

/// How many elements are looked up together, about.
pub(super) const TOGETHER: usize = 1 << 21;
/// Elements are ordered by this many of their first bits: the words of one group fit into the fastest memory.
const BITS: u32 = 10;

/// An element, mixed, and the number of its set.
type Key = (u64, u32);

/// Memory that questions reuse. Keep one per thread.
#[derive(Default)]
pub(super) struct Questions {
    keys: Vec<Key>,
    passed: Vec<Key>,
    /// Sets and their runs of postings.
    runs: Vec<(u32, Range<u32>)>,
    own: Vec<Range<u32>>,
    scratch: FindScratch,
}

impl Questions {
    /// Calls `each` with every document of the index that one of these sets resembles, and the number of its part. Leaves out serial
    /// numbers of `below` or more.
    pub(super) fn ask<B: AsRef<[u8]>>(
        &mut self,
        parts: &Parts<B>,
        sets: &SetStore,
        documents: &[u32],
        below: u64,
        mut each: impl FnMut(usize, Found),
    ) -> Result<(), PartError> {
        self.order(sets, documents);
        let Questions { keys, passed, runs, own, scratch } = self;
        for (number, part) in parts.parts().iter().enumerate() {
            let mut find = || {
                part.pass_filter(keys, passed, |key| key.0)?;
                runs.clear();
                part.for_each_run(passed, |key| key.0, |key, run| runs.push((key.1, run)))?;
                runs.sort_unstable_by_key(|(document, run)| (*document, run.start));
                for some in runs.chunk_by(|one, two| one.0 == two.0) {
                    own.clear();
                    own.extend(some.iter().map(|(_, run)| run.clone()));
                    let set = sets.set(some[0].0);
                    parts.find_in(part, set, own, parts.threshold(), below, scratch, |found| each(number, found))?;
                }
                Ok(())
            };
            find().map_err(|error: PartError| error.in_part(number))?;
        }
        Ok(())
    }

    /// Puts the elements of all sets in groups by their first bits.
    fn order(&mut self, sets: &SetStore, documents: &[u32]) {
        let group = |key: u64| (key >> (64 - BITS)) as usize;
        let mut starts = [0_usize; (1 << BITS) + 1];
        for &document in documents {
            sets.set(document).iter().for_each(|&element| starts[group(mix(element)) + 1] += 1);
        }
        for group in 1..starts.len() {
            starts[group] += starts[group - 1];
        }
        self.keys.resize(starts[1 << BITS], (0, 0));
        for &document in documents {
            for &element in sets.set(document) {
                let key = mix(element);
                let place = &mut starts[group(key)];
                self.keys[*place] = (key, document);
                *place += 1;
            }
        }
    }
}
