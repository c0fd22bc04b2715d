//! What does a task send about a set, so that other tasks find its partners?
//!
//! A posting is: an element's tag (4 bytes), the node (8 bytes), the size of the set and the position of the element in
//! it (LEB128). A blob is a sequence of postings of one bucket of elements. (A signature posts a key in place of an element, with
//! the position 0, or 1 if a simhash follows.)

use std::ops::RangeInclusive;

use hashbrown::HashSet;

use super::node::Node;
use super::order::ElementOrder;
use crate::measure::Threshold;
use crate::sets::mix;

/// A posted element of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Posting {
    /// Distinguishes the elements of a bucket. Two elements with the same tag cost work, never a pair.
    pub(super) tag: u32,
    pub(super) size: u32,
    pub(super) node: Node,
    /// How many elements of the set precede this one.
    pub(super) position: u32,
}

/// All tags.
pub(super) const ALL_TAGS: RangeInclusive<u32> = 0..=u32::MAX;

/// A blob that is not a sequence of postings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a blob of postings is damaged")]
pub struct BadBlob;

impl Posting {
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.tag.to_le_bytes());
        out.extend_from_slice(&self.node.to_le_bytes());
        write_number(self.size, out);
        write_number(self.position, out);
    }

    pub(super) fn read(blob: &mut &[u8]) -> Result<Posting, BadBlob> {
        let tag = u32::from_le_bytes(*take::<4>(blob)?);
        let node = u64::from_le_bytes(*take::<8>(blob)?);
        Ok(Posting { tag, node, size: read_number(blob)?, position: read_number(blob)? })
    }
}

pub(super) fn take<'a, const N: usize>(blob: &mut &'a [u8]) -> Result<&'a [u8; N], BadBlob> {
    let (first, rest) = blob.split_first_chunk::<N>().ok_or(BadBlob)?;
    *blob = rest;
    Ok(first)
}

pub(super) fn write_number(mut number: u32, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

pub(super) fn read_number(blob: &mut &[u8]) -> Result<u32, BadBlob> {
    let mut number = 0;
    for shift in (0..35).step_by(7) {
        let [byte] = *take::<1>(blob)?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return u32::try_from(number).map_err(|_| BadBlob);
        }
    }
    Err(BadBlob)
}

/// Postings that are waiting to be sent, by bucket.
pub(super) struct Outbox {
    blobs: Vec<Vec<u8>>,
    bytes: usize,
    /// The nodes that this task has posted.
    posted: HashSet<Node>,
}

impl Outbox {
    pub(super) fn new(buckets: u32) -> Outbox {
        Outbox { blobs: vec![Vec::new(); buckets.max(1) as usize], bytes: 0, posted: HashSet::new() }
    }

    /// Records a node as posted. Returns whether it was not posted before.
    pub(super) fn is_new(&mut self, node: Node) -> bool {
        self.posted.insert(node)
    }

    /// Adds to the bucket of a hash.
    #[inline]
    pub(super) fn put(&mut self, hash: u64, write: impl FnOnce(&mut Vec<u8>)) {
        let bucket = (u128::from(hash) * self.blobs.len() as u128) >> 64;
        let blob = &mut self.blobs[bucket as usize];
        let before = blob.len();
        write(blob);
        self.bytes += blob.len() - before;
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Takes blobs of at most this many bytes in total, but at least one blob if there are any.
    pub(super) fn take(&mut self, most: usize) -> Vec<(u32, Vec<u8>)> {
        let (mut taken, mut size) = (Vec::new(), 0);
        for (bucket, blob) in (0..).zip(&mut self.blobs).filter(|(_, blob)| !blob.is_empty()) {
            size += blob.len();
            if size > most && !taken.is_empty() {
                break;
            }
            self.bytes -= blob.len();
            taken.push((bucket, std::mem::take(blob)));
        }
        taken
    }
}

/// Posts sets, and collects the postings by bucket.
pub struct Poster {
    threshold: Threshold,
    order: ElementOrder,
    outbox: Outbox,
    /// For each element of a set, the key to sort by and the mixed hash.
    keys: Vec<(u64, u64)>,
}

impl Poster {
    /// Makes a poster for this many buckets.
    pub fn new(threshold: Threshold, order: ElementOrder, buckets: u32) -> Poster {
        Poster { threshold, order, outbox: Outbox::new(buckets), keys: Vec::new() }
    }

    /// Posts the first elements of a set: enough that every partner posts one of them too.
    pub fn post(&mut self, node: Node, set: &[u64]) {
        if set.is_empty() || !self.outbox.is_new(node) {
            return;
        }
        let size = set.len() as u32;
        let wanted = (self.threshold.long_prefix(size) as usize).min(set.len());
        self.keys.clear();
        self.keys.extend(set.iter().map(|&element| {
            let mixed = mix(element);
            (self.order.key(mixed), mixed)
        }));
        if wanted < set.len() {
            self.keys.select_nth_unstable(wanted);
            self.keys.truncate(wanted);
        }
        self.keys.sort_unstable();
        for (position, &(_, mixed)) in (0..).zip(&self.keys) {
            // The posted elements are those with the least hashes: their buckets must come from another hash.
            self.outbox.put(mix(mixed), |blob| Posting { tag: mixed as u32, size, node, position }.write(blob));
        }
    }

    /// Returns the bytes that are waiting.
    pub fn bytes(&self) -> usize {
        self.outbox.bytes()
    }

    /// Takes blobs that are waiting, with their buckets: about this many bytes, or nothing if none wait.
    pub fn take(&mut self, most: usize) -> Vec<(u32, Vec<u8>)> {
        self.outbox.take(most)
    }
}
