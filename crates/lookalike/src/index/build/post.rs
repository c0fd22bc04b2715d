//! Which elements of the documents of a part are posted, and in which order?

use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};

use rayon::prelude::*;

use super::super::error::PartError;
use super::super::filter;
use super::super::layout::{bucket, tag};
use super::super::limits::IndexLimits;
use super::documents::Documents;
use crate::measure::Threshold;
use crate::progress::Stage;
use crate::sets::mix;

/// A posted element, mixed, and its document.
pub(super) type Posting = (u64, u32);

/// Of this many documents, one is counted at least.
const MOST_STRIDE: usize = 8;
/// Counts stop here. Threads may pass it, so greater counts are read as this one.
const MOST_COUNT: u16 = 50_000;
/// Rotated by this, a key begins with bits that name neither its bucket nor its word or bits of the filter.
const MIDDLE: u32 = 31;
/// Documents that a thread takes at a time.
pub(super) const SOME: usize = 64;

/// How many elements of a set are posted.
pub(super) fn posted(size: usize, threshold: &Threshold) -> usize {
    (threshold.long_prefix(size as u32) as usize).min(size)
}

/// The postings of documents: of each set the elements that are rarest in the part.
pub(super) struct Postings<'a> {
    pub(super) documents: &'a dyn Documents,
    pub(super) threshold: &'a Threshold,
    limits: &'a IndexLimits,
    pub(super) stage: &'a Stage<'a>,
    counts: OnceLock<Result<Counted, PartError>>,
}

/// How often each element occurs, about.
pub(super) struct Counted {
    counts: Vec<AtomicU16>,
    bits: u32,
}

impl Counted {
    fn slot(&self, key: u64) -> &AtomicU16 {
        &self.counts[bucket(key, self.bits)]
    }
}

impl<'a> Postings<'a> {
    /// The stage can cancel the work.
    pub(super) fn new(
        documents: &'a dyn Documents,
        threshold: &'a Threshold,
        limits: &'a IndexLimits,
        stage: &'a Stage<'a>,
    ) -> Postings<'a> {
        Postings { documents, threshold, limits, stage, counts: OnceLock::new() }
    }

    /// Calls `each` for documents, some at a time, on all threads.
    fn for_each_chunk(&self, each: impl Fn(Range<usize>) -> Result<(), PartError> + Sync) -> Result<(), PartError> {
        let all = self.documents.len();
        (0..all.div_ceil(SOME)).into_par_iter().try_for_each(|chunk| {
            self.stage.check()?;
            each(chunk * SOME..all.min((chunk + 1) * SOME))
        })
    }

    pub(super) fn counts(&self) -> Result<&Counted, PartError> {
        self.counts.get_or_init(|| self.count()).as_ref().map_err(Clone::clone)
    }

    fn count(&self) -> Result<Counted, PartError> {
        let mut elements = 0;
        for at in 0..self.documents.len() {
            elements += self.documents.size(at)?;
            self.documents.relieve();
            self.stage.check()?;
        }
        let stride = (elements / self.limits.counted.max(1)).clamp(1, MOST_STRIDE);
        let bits = (elements / stride).clamp(1, self.limits.slots).next_power_of_two().trailing_zeros();
        // Elements that share a slot are counted together: that costs work, never a document.
        let counts: Vec<AtomicU16> = (0..1_usize << bits).map(|_| AtomicU16::new(0)).collect();
        let counted = Counted { counts, bits };
        self.for_each_chunk(|chunk| {
            for at in chunk.step_by(stride) {
                self.documents.set(at)?.for_each(|element| {
                    // To write first maps a fresh page once; to read first would map one of zeros, and then copy it.
                    let count = counted.slot(mix(element));
                    if count.fetch_add(1, Relaxed) >= MOST_COUNT {
                        count.store(MOST_COUNT, Relaxed);
                    }
                });
                self.documents.relieve();
            }
            Ok(())
        })?;
        Ok(counted)
    }

    /// Puts the posted elements of a document first in `keys`, and returns how many there are: the rarest, and of equally rare ones those
    /// whose middle bits are least. So the filter and the buckets, which go by other bits, fill evenly.
    pub(super) fn select(&self, counted: &Counted, at: usize, keys: &mut Vec<(u16, u64)>) -> Result<usize, PartError> {
        keys.clear();
        self.documents.set(at)?.for_each(|element| {
            let key = mix(element);
            keys.push((counted.slot(key).load(Relaxed).min(MOST_COUNT), key.rotate_left(MIDDLE)));
        });
        let wanted = posted(keys.len(), self.threshold);
        if wanted < keys.len() {
            keys.select_nth_unstable(wanted);
        }
        keys[..wanted].iter_mut().for_each(|(_, key)| *key = key.rotate_right(MIDDLE));
        self.documents.relieve();
        Ok(wanted)
    }

    /// Prepares to make the postings in ranges of their buckets, as many at a time as the limits allow. Every range reads all sets again.
    pub(super) fn in_ranges(&self, words: u64, bits: u32) -> Result<InRanges<'_>, PartError> {
        let counted = self.counts()?;
        let filter: Vec<AtomicU64> = (0..words).map(|_| AtomicU64::new(0)).collect();
        let starts: Vec<AtomicU32> = (0..(1_usize << bits) + 1).map(|_| AtomicU32::new(0)).collect();
        self.for_each_chunk(|chunk| {
            let mut keys = Vec::new();
            for at in chunk {
                let wanted = self.select(counted, at, &mut keys)?;
                for &(_, key) in &keys[..wanted] {
                    filter[filter::word_of(key, words)].fetch_or(filter::bits_of(key), Relaxed);
                    starts[bucket(key, bits) + 1].fetch_add(1, Relaxed);
                }
            }
            Ok(())
        })?;
        let mut sum = 0;
        let sums = starts.into_iter().map(|count| {
            sum += count.into_inner();
            sum
        });
        let starts = sums.collect();
        let filter = filter.into_iter().map(AtomicU64::into_inner).collect();
        Ok(InRanges { postings: self, counted, bits, filter, starts })
    }
}

/// The filter and the buckets of a part whose postings are made in several ranges.
pub(super) struct InRanges<'a> {
    postings: &'a Postings<'a>,
    counted: &'a Counted,
    bits: u32,
    filter: Vec<u64>,
    starts: Vec<u32>,
}

impl InRanges<'_> {
    pub(super) fn filter(&self) -> &[u64] {
        &self.filter
    }

    pub(super) fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// Calls `each` with the sorted postings of one range after the other.
    pub(super) fn for_each_range(&self, mut each: impl FnMut(&[Posting]) -> io::Result<()>) -> io::Result<()> {
        let most = self.postings.limits.postings.max(1);
        let (mut first, buckets) = (0, self.starts.len() - 1);
        let mut range: Vec<Posting> = Vec::new();
        while first < buckets {
            let begin = self.starts[first] as usize;
            // A bucket with more goes alone.
            let more = self.starts[first + 1..].partition_point(|&end| end as usize - begin <= most);
            let end = first + more.max(1);
            range.clear();
            range.reserve_exact(self.starts[end] as usize - begin);
            let all = Mutex::new(&mut range);
            let collected = self.postings.for_each_chunk(|chunk| {
                let (mut keys, mut own) = (Vec::new(), Vec::new());
                for at in chunk {
                    let wanted = self.postings.select(self.counted, at, &mut keys)?;
                    let within = |key: u64| (first..end).contains(&bucket(key, self.bits));
                    own.extend(keys[..wanted].iter().filter(|(_, key)| within(*key)).map(|&(_, key)| (key, at as u32)));
                }
                all.lock().unwrap_or_else(PoisonError::into_inner).append(&mut own);
                Ok(())
            });
            collected.map_err(io::Error::other)?;
            range.par_sort_unstable();
            each(&range)?;
            first = end;
        }
        Ok(())
    }
}

/// A posting as it is written: the tag of its key, then the document.
pub(super) fn packed((key, document): Posting, bits: u32) -> u64 {
    u64::from(tag(key, bits)) | u64::from(document) << 32
}
