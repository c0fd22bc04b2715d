//! How is a part read?

use std::ops::Range;

use super::build::Remembered;
use super::elements::Elements;
use super::error::PartError;
use super::filter;
use super::layout::{Counts, HEADER, Layout, POSTING, REMEMBERED, bucket, hash_id, tag};
use super::sealed::{PartBytes, Sealed};

/// A part of an index: documents with their ids and sets, their postings, and what is remembered of removed documents.
///
/// Bytes are verified when they are first read. Damaged bytes are an error, never an answer.
pub struct Part<B> {
    sealed: Sealed<B>,
    counts: Counts,
    layout: Layout,
    /// The serial numbers of the first and the last document.
    serials: Option<(u64, u64)>,
}

/// The documents that post an element. Most elements have one, which is known when they are found: it is not looked up again.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Run {
    /// The first posting; if there is only one, its document.
    start: u32,
    /// Where the postings end; 0 if there is only one.
    end: u32,
}

impl Run {
    fn of_one(document: u32) -> Run {
        Run { start: document, end: 0 }
    }

    /// The only document.
    fn document(self) -> Option<u32> {
        (self.end == 0).then_some(self.start)
    }

    pub(super) fn len(self) -> usize {
        if self.end == 0 { 1 } else { (self.end - self.start) as usize }
    }

    /// Some of its documents.
    pub(super) fn part(self, range: Range<usize>) -> Run {
        match (self.end, range.is_empty()) {
            (0, false) => self,
            (0, true) => Run { start: 1, end: 1 },
            _ => Run { start: self.start + range.start as u32, end: self.start + range.end as u32 },
        }
    }
}

/// Keys that go through the filter at a time.
const SOME: usize = 128;
/// Postings to prefetch at a time.
const AHEAD: usize = 32;
/// With more keys than one for this many words of the filter, all of these are verified first.
const MANY: usize = 64;

impl<B: PartBytes> Part<B> {
    /// Opens a part. Reads little of it.
    pub fn open(bytes: B) -> Result<Part<B>, PartError> {
        let sealed = Sealed::open(bytes)?;
        let header = sealed.get(0, HEADER.min(sealed.len()))?;
        let counts = Counts::of_header(header)?;
        let layout = counts.layout().filter(|layout| layout.end == sealed.len()).ok_or(PartError::NotAPart)?;
        let mut part = Part { sealed, counts, layout, serials: None };
        if let Some(last) = part.len().checked_sub(1) {
            part.serials = Some((part.serial(0)?, part.serial(last)?));
        }
        Ok(part)
    }

    /// Returns the number of documents.
    pub fn len(&self) -> u32 {
        self.counts.documents as u32
    }

    /// Returns whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of elements of all sets.
    pub fn elements(&self) -> u64 {
        self.counts.elements
    }

    /// Returns the number of removed documents that are remembered.
    pub fn remembered(&self) -> u64 {
        self.counts.removed
    }

    /// Returns the number of bytes.
    pub fn bytes(&self) -> usize {
        self.sealed.len()
    }

    /// Returns how many of the bytes are in memory, about, if they are those of a mapped file.
    pub(super) fn resident(&self) -> u64 {
        self.sealed.resident()
    }

    /// Gives memory back that can be filled again.
    pub(super) fn release(&self) {
        self.sealed.release();
    }

    /// Reads everything and verifies every checksum.
    pub fn check(&self) -> Result<(), PartError> {
        self.check_within(|_| Ok(()))
    }

    /// The same. Calls `pause` in between, which may release pages, or stop the work by an error. It takes how far the work is, in documents:
    /// half of them stand for the checksums.
    pub(super) fn check_within(&self, pause: impl Fn(u64) -> Result<(), PartError>) -> Result<(), PartError> {
        let half = u64::from(self.len()) / 2;
        let share = half as f64 / self.bytes().max(1) as f64;
        self.sealed.verify_all(|bytes| pause((bytes as f64 * share) as u64))?;
        let (mut ids, mut set) = (0, Vec::new());
        for document in 0..self.len() {
            ids += self.id(document)?.len() as u64;
            self.set(document)?.copy_to(&mut set);
            pause(half + u64::from(document) / 2)?;
            let is_next = document == 0 || self.serial(document - 1)? < self.serial(document)?;
            if !is_next || !crate::sets::is_set(&set) {
                return Err(PartError::Contradiction { at: self.layout.serials + document as usize * 8 });
            }
        }
        if ids == self.counts.id_bytes { Ok(()) } else { Err(PartError::Contradiction { at: self.layout.ids }) }
    }

    /// Returns the serial number of a document. Later documents have greater ones.
    pub fn serial(&self, document: u32) -> Result<u64, PartError> {
        self.number(self.layout.serials, document.into(), self.counts.documents)
    }

    /// Returns the document with a serial number.
    pub fn find_serial(&self, serial: u64) -> Result<Option<u32>, PartError> {
        if self.serials.is_none_or(|(first, last)| serial < first || serial > last) {
            return Ok(None);
        }
        let document = lower_bound(0..u64::from(self.len()), |document| Ok(self.serial(document as u32)? < serial))?;
        let is_it = document < u64::from(self.len()) && self.serial(document as u32)? == serial;
        Ok(is_it.then_some(document as u32))
    }

    /// Returns the size of a document's set.
    #[inline]
    pub fn size(&self, document: u32) -> Result<u32, PartError> {
        let (start, end) = self.range(self.layout.set_starts, document, self.counts.elements)?;
        u32::try_from(end - start).map_err(|_| PartError::Contradiction { at: self.layout.set_starts })
    }

    /// Returns the number of postings.
    pub(super) fn postings_len(&self) -> u64 {
        self.counts.postings
    }

    /// Returns the length of a document's id.
    pub(super) fn id_len(&self, document: u32) -> Result<u64, PartError> {
        let (start, end) = self.range(self.layout.id_starts, document, self.counts.id_bytes)?;
        Ok(end - start)
    }

    /// Returns a document's set.
    pub fn set(&self, document: u32) -> Result<Elements<'_>, PartError> {
        let (start, end) = self.range(self.layout.set_starts, document, self.counts.elements)?;
        let at = self.layout.elements + start as usize * 8;
        Ok(Elements::Bytes(self.sealed.get(at, (end - start) as usize * 8)?))
    }

    /// Returns a document's id.
    pub fn id(&self, document: u32) -> Result<&str, PartError> {
        let (start, end) = self.range(self.layout.id_starts, document, self.counts.id_bytes)?;
        let at = self.layout.ids + start as usize;
        let bytes = self.sealed.get(at, (end - start) as usize)?;
        std::str::from_utf8(bytes).map_err(|_| PartError::Contradiction { at })
    }

    /// Calls `each` with every document that has this id.
    pub fn find_id(&self, id: &str, mut each: impl FnMut(u32)) -> Result<(), PartError> {
        let (hash, all) = (hash_id(id), self.counts.documents);
        let hash_at = |at| self.number(self.layout.id_hashes, at, all);
        // Hashes are spread evenly, so it is likely to be near its share of all.
        let (likely, near) = (((u128::from(hash) * u128::from(all)) >> 64) as u64, 4 * all.isqrt());
        let range = likely.saturating_sub(near)..all.min(likely + near);
        let is_in = range.start == 0 || hash_at(range.start - 1)? < hash;
        let is_in = is_in && (range.end == all || hash_at(range.end)? >= hash);
        let range = if is_in { range } else { 0..all };
        let mut at = lower_bound(range, |at| Ok(hash_at(at)? < hash))?;
        while at < all && hash_at(at)? == hash {
            let place = self.layout.id_documents + at as usize * 4;
            let document = quarter(self.sealed.get(place, 4)?, 0);
            if self.id(document)? == id {
                each(document);
            }
            at += 1;
        }
        Ok(())
    }

    /// Returns the `at`-th of what is remembered of removed documents.
    pub fn remembered_at(&self, at: u64) -> Result<Remembered, PartError> {
        if at >= self.counts.removed {
            return Err(PartError::Contradiction { at: self.layout.removed });
        }
        let bytes = self.sealed.get(self.layout.removed + at as usize * REMEMBERED, REMEMBERED)?;
        Ok(Remembered {
            hash: u128::from(eight(bytes, 0)) | u128::from(eight(bytes, 1)) << 64,
            twin: eight(bytes, 2),
            common: quarter(bytes, 6),
            size: quarter(bytes, 7),
        })
    }

    /// Calls `each` with everything that is remembered of removed documents whose sets have this hash.
    pub fn find_remembered(&self, hash: u128, mut each: impl FnMut(Remembered)) -> Result<(), PartError> {
        let mut at = lower_bound(0..self.counts.removed, |at| Ok(self.remembered_at(at)?.hash < hash))?;
        while at < self.counts.removed {
            let found = self.remembered_at(at)?;
            if found.hash != hash {
                break;
            }
            each(found);
            at += 1;
        }
        Ok(())
    }

    /// Calls `each` with every key whose element is posted, and its run of postings. May do so with others too. `passed` are keys that the
    /// filter lets through, `mixed` the element of a key, mixed.
    pub(super) fn for_each_run<K: Copy>(
        &self,
        passed: &[K],
        mixed: impl Fn(&K) -> u64,
        mut each: impl FnMut(K, Run),
    ) -> Result<(), PartError> {
        let mut buckets: [Range<u32>; AHEAD] = std::array::from_fn(|_| 0..0);
        for some in passed.chunks(AHEAD) {
            some.iter().for_each(|one| self.sealed.prefetch(self.bucket_place(mixed(one))));
            for (one, bucket) in some.iter().zip(&mut buckets) {
                *bucket = self.bucket(mixed(one))?;
                self.sealed.prefetch(self.layout.postings + bucket.start as usize * POSTING);
            }
            for (one, bucket) in some.iter().zip(&buckets) {
                let tag = tag(mixed(one), self.counts.bucket_bits);
                let postings = self.postings(bucket)?;
                let first = postings.partition_point(|posting| quarter(posting, 0) < tag);
                let same = postings[first..].partition_point(|posting| quarter(posting, 0) == tag);
                match same {
                    0 => {}
                    1 => each(*one, Run::of_one(quarter(&postings[first], 1))),
                    _ => {
                        let start = bucket.start + first as u32;
                        each(*one, Run { start, end: start + same as u32 });
                    }
                }
            }
        }
        Ok(())
    }

    /// Where the bounds of a key's bucket are.
    #[inline]
    fn bucket_place(&self, key: u64) -> usize {
        self.layout.buckets + bucket(key, self.counts.bucket_bits) * 4
    }

    /// The postings of a key's bucket.
    #[inline]
    fn bucket(&self, key: u64) -> Result<Range<u32>, PartError> {
        let place = self.bucket_place(key);
        let bounds = self.sealed.get(place, 8)?;
        let (start, end) = (quarter(bounds, 0), quarter(bounds, 1));
        if start > end || u64::from(end) > self.counts.postings {
            return Err(PartError::Contradiction { at: place });
        }
        Ok(start..end)
    }

    /// The documents of a run of postings.
    pub(super) fn documents_of(&self, run: Run) -> Result<impl Iterator<Item = u32>, PartError> {
        let (one, many) = match run.document() {
            Some(document) => (Some(document), 0..0),
            None => (None, run.start..run.end),
        };
        Ok(one.into_iter().chain(self.postings(&many)?.iter().map(|posting| quarter(posting, 1))))
    }

    fn postings(&self, range: &Range<u32>) -> Result<&[[u8; POSTING]], PartError> {
        let at = self.layout.postings + range.start as usize * POSTING;
        Ok(self.sealed.get(at, range.len() * POSTING)?.as_chunks().0)
    }

    /// Puts the keys into `passed` that the filter lets through. `mixed` is the element of a key, mixed; all are within `bounds`.
    pub(super) fn pass_filter<K: Copy + Default>(
        &self,
        keys: &[K],
        bounds: (u64, u64),
        passed: &mut Vec<K>,
        mixed: impl Fn(&K) -> u64,
    ) -> Result<(), PartError> {
        let words = self.counts.filter_words;
        passed.clear();
        if words == 0 {
            return Ok(());
        }
        let (first, last) = (filter::word_of(bounds.0, words), filter::word_of(bounds.1, words));
        if keys.len() > (last - first) / MANY {
            let place = self.layout.filter + first * filter::WORD;
            let some = self.sealed.get(place, (last + 1 - first) * filter::WORD)?.as_chunks().0;
            return pass(keys, passed, mixed, words, |word| Ok(u64::from_le_bytes(some[word - first])));
        }
        pass(keys, passed, mixed, words, |word| self.sealed.word(self.layout.filter + word * filter::WORD))
    }

    /// The `at`-th number of a section that has `all`.
    #[inline]
    fn number(&self, section: usize, at: u64, all: u64) -> Result<u64, PartError> {
        if at >= all {
            return Err(PartError::Contradiction { at: section });
        }
        Ok(eight(self.sealed.get(section + at as usize * 8, 8)?, 0))
    }

    /// Where a document's part of another section begins and ends. That section has `all`.
    #[inline]
    fn range(&self, section: usize, document: u32, all: u64) -> Result<(u64, u64), PartError> {
        let at = section + document as usize * 8;
        if document >= self.len() {
            return Err(PartError::Contradiction { at });
        }
        let both = self.sealed.get(at, 16)?;
        let (start, end) = (eight(both, 0), eight(both, 1));
        if start <= end && end <= all { Ok((start, end)) } else { Err(PartError::Contradiction { at }) }
    }
}

/// Puts the keys into `passed` that the words of a filter let through. A loop without branches, so that the processor waits for several
/// words at a time.
#[inline(always)]
fn pass<K: Copy + Default>(
    keys: &[K],
    passed: &mut Vec<K>,
    mixed: impl Fn(&K) -> u64,
    words: u64,
    word: impl Fn(usize) -> Result<u64, PartError>,
) -> Result<(), PartError> {
    let mut some = [K::default(); SOME];
    for keys in keys.chunks(SOME) {
        let mut count = 0;
        for &one in keys {
            let key = mixed(&one);
            let (word, bits) = (word(filter::word_of(key, words))?, filter::bits_of(key));
            some[count] = one;
            count += usize::from(word & bits == bits);
        }
        passed.extend_from_slice(&some[..count]);
    }
    Ok(())
}

/// The `at`-th number of eight bytes.
#[inline]
fn eight(bytes: &[u8], at: usize) -> u64 {
    bytes.as_chunks::<8>().0.get(at).map_or(0, |&number| u64::from_le_bytes(number))
}

/// The `at`-th number of four bytes.
#[inline]
fn quarter(bytes: &[u8], at: usize) -> u32 {
    bytes.as_chunks::<4>().0.get(at).map_or(0, |&number| u32::from_le_bytes(number))
}

/// The first number of a range for which `is_before` is false.
fn lower_bound(range: Range<u64>, is_before: impl Fn(u64) -> Result<bool, PartError>) -> Result<u64, PartError> {
    let (mut low, mut high) = (range.start, range.end);
    while low < high {
        let middle = low + (high - low) / 2;
        if is_before(middle)? { low = middle + 1 } else { high = middle }
    }
    Ok(low)
}
