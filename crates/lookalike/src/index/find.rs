//! Which documents of a part does a set resemble?

use std::cmp::Ordering;

use super::error::PartError;
use super::part::{Part, Run};
use super::sealed::PartBytes;
use crate::measure::Threshold;
use crate::verify::common_numbers;

/// A document that a set resembles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The document's number in its part.
    pub document: u32,
    /// Its serial number.
    pub serial: u64,
    /// How many elements the two share.
    pub common: u32,
    /// The size of its set.
    pub size: u32,
}

impl Found {
    /// The order of the documents that a set of `size` elements resembles: the most similar first, the earliest of equals first.
    pub fn rank(&self, other: &Found, threshold: &Threshold, size: u32) -> Ordering {
        let by_likeness = threshold.compare(size, (other.common, other.size), (self.common, self.size));
        by_likeness.then(self.serial.cmp(&other.serial))
    }
}

/// Memory that searches reuse. Keep one per thread.
#[derive(Default)]
pub struct FindScratch {
    candidates: Candidates,
    set: Vec<u64>,
}

/// Documents that post elements of a set, each with how many.
#[derive(Default)]
struct Candidates {
    documents: Vec<(u32, u32)>,
    hits: Vec<u32>,
    counts: Vec<u32>,
    /// What is left of each run, if not all documents are counted at once.
    rest: Vec<Run>,
}

/// If there is more than a hit for this many documents of a part, hits are counted in a table of documents.
const FEW: usize = 16;

impl Candidates {
    /// Sorts the hits to count those of each document.
    fn sort<B: PartBytes>(&mut self, part: &Part<B>, runs: &[Run]) -> Result<(), PartError> {
        let Candidates { documents, hits, .. } = self;
        documents.clear();
        hits.clear();
        for &run in runs {
            hits.extend(part.documents_of(run)?);
        }
        hits.sort_unstable();
        documents.extend(hits.chunk_by(|one, two| one == two).map(|run| (run[0], run.len() as u32)));
        Ok(())
    }

    /// Begins to count in a table, `most` documents at a time.
    fn begin<B: PartBytes>(&mut self, part: &Part<B>, runs: &[Run], most: u32) -> Result<(), PartError> {
        self.rest.clear();
        if part.len() <= most {
            self.rest.extend_from_slice(runs);
            return Ok(());
        }
        // A run is ascending, except where two elements have the same bucket and tag.
        for &run in runs {
            let (mut start, mut before) = (0, 0);
            for (at, document) in part.documents_of(run)?.enumerate() {
                if document < before {
                    self.rest.push(run.part(start..at));
                    start = at;
                }
                before = document;
            }
            self.rest.push(run.part(start..run.len()));
        }
        Ok(())
    }

    /// Counts the hits of the documents from `first` on, `most` at a time.
    fn count<B: PartBytes>(&mut self, part: &Part<B>, first: u32, most: u32) -> Result<(), PartError> {
        let Candidates { documents, counts, rest, .. } = self;
        let length = most.min(part.len() - first);
        counts.clear();
        counts.resize(length as usize, 0);
        for run in rest {
            let mut taken = 0;
            for document in part.documents_of(*run)? {
                if part.len() > most && document >= first + length {
                    break;
                }
                taken += 1;
                if let Some(count) = counts.get_mut(document.wrapping_sub(first) as usize) {
                    *count += 1;
                }
            }
            *run = run.part(taken..run.len());
        }
        documents.clear();
        let counted = (first..).zip(&*counts).filter(|(_, count)| **count > 0);
        documents.extend(counted.map(|(document, &count)| (document, count)));
        Ok(())
    }
}

impl<B: PartBytes> Part<B> {
    /// Calls `each` with every document whose set reaches the threshold with this one, if it is `wanted` by its number and serial number.
    /// `runs` are the postings of its elements. `posted` is the threshold for which the part was made; `threshold`
    /// may be higher. Counts the hits of `most` documents at a time, and calls `relieve` in between, which may release pages.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn find(
        &self,
        set: &[u64],
        runs: &[Run],
        thresholds: (&Threshold, &Threshold),
        most: u32,
        wanted: impl Fn(u32, u64) -> bool,
        relieve: impl Fn(),
        scratch: &mut FindScratch,
        mut each: impl FnMut(Found),
    ) -> Result<(), PartError> {
        let FindScratch { candidates, set: other } = scratch;
        let mut verify = |candidates: &Candidates| {
            relieve();
            let found = |one| each(one);
            self.verify(set, &candidates.documents, thresholds, (&wanted, &relieve), other, found)
        };
        let all: usize = runs.iter().map(|run| run.len()).sum();
        if all < FEW || all <= (self.len() as usize / FEW).min(2 * most as usize) {
            candidates.sort(self, runs)?;
            return verify(candidates);
        }
        let most = most.max(1);
        candidates.begin(self, runs, most)?;
        for first in (0..self.len()).step_by(most as usize) {
            candidates.count(self, first, most)?;
            verify(candidates)?;
        }
        Ok(())
    }

    /// Calls `each` with the candidates that reach the threshold.
    fn verify(
        &self,
        set: &[u64],
        candidates: &[(u32, u32)],
        (posted, threshold): (&Threshold, &Threshold),
        (wanted, relieve): (impl Fn(u32, u64) -> bool, impl Fn()),
        other: &mut Vec<u64>,
        mut each: impl FnMut(Found),
    ) -> Result<(), PartError> {
        let own = set.len() as u32;
        let (least, greatest) = threshold.partners(own);
        for &(document, hits) in candidates {
            let size = self.size(document)?;
            if size < least || size > greatest {
                continue;
            }
            // Elements that are not posted may all be common.
            let (needed, posted) = (threshold.needed(own, size), posted.long_prefix(size));
            if hits + (size - posted.min(size)) < needed {
                continue;
            }
            let serial = self.serial(document)?;
            if !wanted(document, serial) {
                continue;
            }
            self.set(document)?.copy_to(other);
            relieve();
            if let Some(common) = common_numbers(set, other, needed as usize)
                && threshold.reaches(common, own, size)
            {
                each(Found { document, serial, common, size });
            }
        }
        Ok(())
    }
}
