//! How are the postings of a part sorted, if they all fit in memory?
//!
//! Each thread puts the postings of some documents into groups by their first bits. Then each group is gathered from all of these, and sorted
//! where it fits in the cache. Its part of the filter and of the buckets is filled on the way.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::super::error::PartError;
use super::super::filter;
use super::super::layout::bucket;
use super::post::{Counted, Posting, Postings, SOME, packed, posted};

/// The most documents whose postings are put into groups together: their numbers fit in 16 bits.
const MOST_TOGETHER: usize = 1 << 12;
/// Postings are sorted in groups by this many of their first bits, which fit in the cache.
const GROUP_BITS: u32 = 10;

/// All postings of a part, as they are written, with its filter and its buckets.
pub(super) struct Sorted {
    pub(super) filter: Vec<u64>,
    /// Where each bucket begins, and where the last one ends.
    pub(super) starts: Vec<u32>,
    pub(super) postings: Vec<u64>,
}

/// The postings of some documents, in groups by the first bits of their keys.
struct Gathered {
    /// The first document.
    first: u32,
    keys: Vec<u64>,
    /// Counted from the first.
    documents: Vec<u16>,
    /// Where each group ends.
    ends: Vec<usize>,
}

impl Gathered {
    fn group(&self, group: usize) -> impl ExactSizeIterator<Item = Posting> {
        let range = group.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[group];
        let documents = self.documents[range.clone()].iter().map(|&document| self.first + u32::from(document));
        self.keys[range].iter().copied().zip(documents)
    }
}

impl Postings<'_> {
    /// All postings, sorted, with the filter and the buckets that they fill. `words` are those of the filter, `bits` name a bucket.
    pub(super) fn sorted(&self, words: u64, bits: u32) -> Result<Sorted, PartError> {
        let counted = self.counts()?;
        let (all, threads) = (self.documents.len(), rayon::current_num_threads());
        let some = all.div_ceil(4 * threads).clamp(SOME, MOST_TOGETHER);
        let first_bits = bits.min(GROUP_BITS);
        let gather = |first| self.gather(counted, first..all.min(first + some), first_bits);
        let gathered = (0..all.div_ceil(some)).into_par_iter().map(|at| gather(at * some));
        let gathered = gathered.collect::<Result<Vec<Gathered>, PartError>>()?;

        let sizes = (0..1 << first_bits).map(|group| gathered.iter().map(|some| some.group(group).len()).sum());
        let sizes: Vec<usize> = sizes.collect();
        let filter: Vec<AtomicU64> = (0..words).map(|_| AtomicU64::new(0)).collect();
        let mut postings = vec![0; sizes.iter().sum()];
        let mut starts = vec![0; (1_usize << bits) + 1];
        let (mut jobs, mut begin) = (Vec::with_capacity(sizes.len()), 0);
        let (mut places, mut ends) = (&mut postings[..], &mut starts[1..]);
        for (group, size) in sizes.into_iter().enumerate() {
            let own = places.split_off_mut(..size).unwrap_or_default();
            let ends = ends.split_off_mut(..1 << (bits - first_bits)).unwrap_or_default();
            jobs.push((group, begin, own, ends));
            begin += size as u32;
        }
        jobs.into_par_iter().try_for_each_init(Vec::<Posting>::new, |sorted, (group, begin, own, ends)| {
            self.stage.check()?;
            sorted.clear();
            gathered.iter().for_each(|some| sorted.extend(some.group(group)));
            sorted.sort_unstable();
            let first = group << (bits - first_bits);
            for (place, &(key, document)) in own.iter_mut().zip(&*sorted) {
                filter[filter::word_of(key, words)].fetch_or(filter::bits_of(key), Relaxed);
                ends[bucket(key, bits) - first] += 1;
                *place = packed((key, document), bits);
            }
            let mut sum = begin;
            for end in ends {
                sum += *end;
                *end = sum;
            }
            Ok::<_, PartError>(())
        })?;
        let filter = filter.into_iter().map(AtomicU64::into_inner).collect();
        Ok(Sorted { filter, starts, postings })
    }

    /// The postings of some documents, in groups.
    fn gather(&self, counted: &Counted, documents: Range<usize>, bits: u32) -> Result<Gathered, PartError> {
        let mut room = 0;
        for at in documents.clone() {
            room += posted(self.documents.size(at)?, self.threshold);
        }
        let (mut own, mut keys) = (Vec::with_capacity(room), Vec::new());
        let mut ends = vec![0; 1 << bits];
        for at in documents.clone() {
            self.stage.check()?;
            let wanted = self.select(counted, at, &mut keys)?;
            for &(_, key) in &keys[..wanted] {
                own.push((key, at as u32));
                ends[bucket(key, bits)] += 1;
            }
        }
        let mut sum = 0;
        for end in &mut ends {
            sum += std::mem::replace(end, sum);
        }
        let (mut keys, mut numbers) = (vec![0; own.len()], vec![0; own.len()]);
        for (key, document) in own {
            let place = &mut ends[bucket(key, bits)];
            keys[*place] = key;
            numbers[*place] = (document - documents.start as u32) as u16;
            *place += 1;
        }
        Ok(Gathered { first: documents.start as u32, keys, documents: numbers, ends })
    }
}
