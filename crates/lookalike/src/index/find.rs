//! Which documents of a part does a set resemble?

use std::ops::Range;

use super::error::PartError;
use super::part::Part;
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
}

/// If there is more than a hit for this many documents of a part, hits are counted in a table of all documents.
const FEW: usize = 16;

impl Candidates {
    /// Counts the hits of each document, in order.
    fn count<B: AsRef<[u8]>>(&mut self, part: &Part<B>, runs: &[Range<u32>]) -> Result<(), PartError> {
        let Candidates { documents, hits, counts } = self;
        documents.clear();
        let all: usize = runs.iter().map(ExactSizeIterator::len).sum();
        if all <= part.len() as usize / FEW || all < FEW {
            hits.clear();
            for run in runs {
                hits.extend(part.documents_of(run)?);
            }
            hits.sort_unstable();
            documents.extend(hits.chunk_by(|one, two| one == two).map(|run| (run[0], run.len() as u32)));
            return Ok(());
        }
        counts.clear();
        counts.resize(part.len() as usize, 0);
        for run in runs {
            for document in part.documents_of(run)? {
                if let Some(count) = counts.get_mut(document as usize) {
                    *count += 1;
                }
            }
        }
        documents
            .extend((0..).zip(&*counts).filter(|(_, count)| **count > 0).map(|(document, &count)| (document, count)));
        Ok(())
    }
}

impl<B: AsRef<[u8]>> Part<B> {
    /// Calls `each` with every document whose set reaches the threshold with this one, except those whose serial number is not `wanted`.
    /// `runs` are the postings of its elements. `posted` is the threshold for which the part was made; `threshold`
    /// may be higher.
    pub(super) fn find(
        &self,
        set: &[u64],
        runs: &[Range<u32>],
        (posted, threshold): (&Threshold, &Threshold),
        wanted: impl Fn(u64) -> bool,
        scratch: &mut FindScratch,
        mut each: impl FnMut(Found),
    ) -> Result<(), PartError> {
        let FindScratch { candidates, set: other } = scratch;
        candidates.count(self, runs)?;
        let own = set.len() as u32;
        let (least, greatest) = threshold.partners(own);
        for &(document, hits) in &candidates.documents {
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
            if !wanted(serial) {
                continue;
            }
            self.set(document)?.copy_to(other);
            if let Some(common) = common_numbers(set, other, needed as usize)
                && threshold.reaches(common, own, size)
            {
                each(Found { document, serial, common, size });
            }
        }
        Ok(())
    }
}
