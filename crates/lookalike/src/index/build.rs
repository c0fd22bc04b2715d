//! How is a part made?

use std::io::{self, Write};
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::elements::Elements;
use super::error::PartError;
use super::filter;
use super::layout::{ALIGNMENT, Counts};
use super::sealed::Sealer;
use crate::measure::Threshold;
use crate::sets::mix;

/// A document of a part.
#[derive(Clone, Copy, Debug)]
pub struct NewDocument<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its number in the whole index: a document that was added later has a greater one.
    pub serial: u64,
    /// Its set.
    pub set: Elements<'a>,
}

/// What an index remembers of a removed document: a copy of it shares its fate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remembered {
    /// The 128-bit hash of its set.
    pub hash: u128,
    /// The serial number of its twin.
    pub twin: u64,
    /// How many elements the two share.
    pub common: u32,
    /// The size of its set.
    pub size: u32,
}

/// A part to be written.
pub struct NewPart<'a> {
    counts: Counts,
    documents: &'a [NewDocument<'a>],
    removed: Vec<Remembered>,
    threshold: Threshold,
}

/// A posted element, mixed, and its document.
type Posting = (u64, u32);

/// If there are more elements, only those of some documents are counted: that is enough to tell rare elements from frequent ones.
const COUNTED: usize = 1 << 19;
/// Of this many documents, one is counted at least.
const MOST_STRIDE: usize = 8;
/// The most slots of the table that counts elements.
const MOST_SLOTS: usize = 1 << 28;
/// Counts stop here. Threads may pass it, so greater counts are read as this one.
const MOST_COUNT: u16 = 50_000;
/// Documents that a thread takes at a time.
const SOME: usize = 64;
/// Postings in a bucket, at most this many on average.
const IN_BUCKET: usize = 8;

impl<'a> NewPart<'a> {
    /// Prepares a part of these documents, ascending by serial number, and of what is remembered. `threshold` is the lowest that will be
    /// asked for.
    pub fn new(
        documents: &'a [NewDocument<'a>],
        mut removed: Vec<Remembered>,
        threshold: &Threshold,
    ) -> Result<NewPart<'a>, PartError> {
        let most = u64::from(u32::MAX);
        if documents.len() as u64 > most {
            return Err(PartError::TooLarge { what: "documents", most });
        }
        let postings: usize = documents.iter().map(|document| posted(document, threshold)).sum();
        if postings as u64 > most {
            return Err(PartError::TooLarge { what: "posted elements", most });
        }
        removed.sort_unstable_by_key(|one| (one.hash, one.twin));
        let bucket_bits = (postings / IN_BUCKET).next_power_of_two().trailing_zeros();
        let counts = Counts {
            documents: documents.len() as u64,
            postings: postings as u64,
            removed: removed.len() as u64,
            elements: documents.iter().map(|document| document.set.len() as u64).sum(),
            id_bytes: documents.iter().map(|document| document.id.len() as u64).sum(),
            filter_words: filter::words_for(postings) as u64,
            bucket_bits,
        };
        Ok(NewPart { counts, documents, removed, threshold: *threshold })
    }

    /// Returns the number of documents.
    pub fn documents(&self) -> u64 {
        self.counts.documents
    }

    /// Returns whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty() && self.removed.is_empty()
    }

    /// Writes the part, and returns how many bytes it has. The postings are made while the sets are written.
    pub fn write<W: Write + Send>(&self, out: W) -> io::Result<(W, u64)> {
        let mut out = Sealer::new(out);
        let (postings, written) =
            rayon::join(|| post(self.documents, &self.threshold), || self.write_documents(&mut out));
        written?;
        self.write_postings(&mut out, &postings)?;
        out.finish()
    }

    fn write_documents<W: Write>(&self, out: &mut Sealer<W>) -> io::Result<()> {
        out.put(&self.counts.header())?;
        let starts = |out: &mut Sealer<W>, len: fn(&NewDocument) -> usize| {
            let mut at = 0;
            out.put(&0_u64.to_le_bytes())?;
            self.documents.iter().try_for_each(|document| {
                at += len(document) as u64;
                out.put(&at.to_le_bytes())
            })?;
            out.align(ALIGNMENT)
        };
        starts(out, |document| document.set.len())?;
        self.documents.iter().try_for_each(|document| out.put(&document.serial.to_le_bytes()))?;
        out.align(ALIGNMENT)?;
        starts(out, |document| document.id.len())?;
        let mut ids: Vec<(u64, u32)> = (0..).zip(self.documents).map(|(at, one)| (hash_id(one.id), at)).collect();
        ids.sort_unstable();
        ids.iter().try_for_each(|(hash, _)| out.put(&hash.to_le_bytes()))?;
        out.align(ALIGNMENT)?;
        ids.iter().try_for_each(|(_, document)| out.put(&document.to_le_bytes()))?;
        out.align(ALIGNMENT)?;
        for one in &self.removed {
            out.put(&one.hash.to_le_bytes())?;
            out.put(&one.twin.to_le_bytes())?;
            out.put(&one.common.to_le_bytes())?;
            out.put(&one.size.to_le_bytes())?;
        }
        out.align(ALIGNMENT)?;
        let mut bytes = Vec::new();
        for document in self.documents {
            match document.set {
                Elements::Bytes(bytes) => out.put(bytes)?,
                Elements::Numbers(set) => {
                    bytes.clear();
                    bytes.extend(set.iter().flat_map(|element| element.to_le_bytes()));
                    out.put(&bytes)?;
                }
            }
        }
        out.align(ALIGNMENT)?;
        self.documents.iter().try_for_each(|document| out.put(document.id.as_bytes()))?;
        out.align(ALIGNMENT)
    }

    fn write_postings<W: Write>(&self, out: &mut Sealer<W>, postings: &[Posting]) -> io::Result<()> {
        self.filter(postings).iter().try_for_each(|word| out.put(&word.to_le_bytes()))?;
        out.align(ALIGNMENT)?;
        self.buckets(postings).iter().try_for_each(|start| out.put(&start.to_le_bytes()))?;
        out.align(ALIGNMENT)?;
        for &(key, document) in postings {
            let tag = tag(key, self.counts.bucket_bits);
            out.put(&(u64::from(tag) | u64::from(document) << 32).to_le_bytes())?;
        }
        out.align(ALIGNMENT)
    }

    /// Returns the part as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.write(Vec::new()).expect("a vector takes everything").0
    }

    fn filter(&self, postings: &[Posting]) -> Vec<u64> {
        let words = self.counts.filter_words;
        let mut filter = vec![0; words as usize];
        postings.iter().for_each(|&(key, _)| filter[filter::word_of(key, words)] |= filter::bits_of(key));
        filter
    }

    /// Where each bucket begins, and where the last one ends.
    fn buckets(&self, postings: &[Posting]) -> Vec<u32> {
        let mut starts = vec![0; (1 << self.counts.bucket_bits) + 1];
        postings.iter().for_each(|&(key, _)| starts[bucket(key, self.counts.bucket_bits) + 1] += 1);
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        starts
    }
}

/// The bucket of a key: its first bits.
#[inline]
pub(super) fn bucket(key: u64, bits: u32) -> usize {
    key.checked_shr(64 - bits).unwrap_or(0) as usize
}

/// What tells the keys of a bucket apart: the 32 bits after the first.
#[inline]
pub(super) fn tag(key: u64, bits: u32) -> u32 {
    ((key << bits) >> 32) as u32
}

pub(super) fn hash_id(id: &str) -> u64 {
    xxh3_64(id.as_bytes())
}

/// How many elements of a document are posted.
fn posted(document: &NewDocument, threshold: &Threshold) -> usize {
    let size = document.set.len();
    (threshold.long_prefix(size as u32) as usize).min(size)
}

/// The posted elements of all documents, sorted: of each set the rarest.
fn post(documents: &[NewDocument], threshold: &Threshold) -> Vec<Posting> {
    let elements: usize = documents.iter().map(|document| document.set.len()).sum();
    let stride = (elements / COUNTED).clamp(1, MOST_STRIDE);
    let bits = (elements / stride).clamp(1, MOST_SLOTS).next_power_of_two().trailing_zeros();
    // Elements that share a slot are counted together: that costs work, never a document.
    let counts: Vec<AtomicU16> = (0..1_usize << bits).map(|_| AtomicU16::new(0)).collect();
    let slot = |key: u64| &counts[bucket(key, bits)];
    documents.par_chunks(SOME).for_each(|some| {
        for document in some.iter().step_by(stride) {
            document.set.for_each(|element| {
                let count = slot(mix(element));
                if count.load(Relaxed) < MOST_COUNT {
                    count.fetch_add(1, Relaxed);
                }
            });
        }
    });
    let mut postings: Vec<Posting> = vec![(0, 0); documents.iter().map(|document| posted(document, threshold)).sum()];
    let (mut work, mut rest) = (Vec::with_capacity(documents.len().div_ceil(SOME)), &mut postings[..]);
    for (chunk, first) in documents.chunks(SOME).zip((0..).step_by(SOME)) {
        let room = chunk.iter().map(|document| posted(document, threshold)).sum();
        let (own, later) = rest.split_at_mut(room);
        work.push((first, chunk, own));
        rest = later;
    }
    work.into_par_iter().for_each(|(first, chunk, mut room)| {
        let mut keys = Vec::new();
        for (number, document) in (first..).zip(chunk) {
            keys.clear();
            document.set.for_each(|element| {
                let key = mix(element);
                keys.push((slot(key).load(Relaxed).min(MOST_COUNT), key));
            });
            let wanted = posted(document, threshold);
            if wanted < keys.len() {
                keys.select_nth_unstable(wanted);
            }
            let own = room.split_off_mut(..wanted).unwrap_or_default();
            own.iter_mut().zip(&keys).for_each(|(place, &(_, key))| *place = (key, number));
        }
    });
    sort(postings)
}

/// Sorts postings: first by the first bits of their keys, then the postings of each group.
fn sort(postings: Vec<Posting>) -> Vec<Posting> {
    const BITS: u32 = 10;
    let mut starts = vec![0; (1 << BITS) + 1];
    postings.iter().for_each(|&(key, _)| starts[bucket(key, BITS) + 1] += 1);
    for group in 1..starts.len() {
        starts[group] += starts[group - 1];
    }
    let sizes: Vec<usize> = starts.windows(2).map(|ends| ends[1] - ends[0]).collect();
    let mut sorted = vec![(0, 0); postings.len()];
    for posting in postings {
        let place = &mut starts[bucket(posting.0, BITS)];
        sorted[*place] = posting;
        *place += 1;
    }
    let (mut groups, mut rest) = (Vec::with_capacity(sizes.len()), &mut sorted[..]);
    for size in sizes {
        let (group, later) = rest.split_at_mut(size);
        groups.push(group);
        rest = later;
    }
    groups.into_par_iter().for_each(<[Posting]>::sort_unstable);
    sorted
}
