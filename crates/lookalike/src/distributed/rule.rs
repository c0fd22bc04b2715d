//! When are two postings a candidate?

use std::ops::RangeInclusive;

use hashbrown::HashMap;

use super::hits::Candidates;
use super::node::{Compare, Node};
use super::posting::{BadBlob, Posting};
use crate::measure::Threshold;
use crate::sketch::agreeing_bits;

/// How sets that share a posted element or key are compared.
#[derive(Clone, Copy, Debug)]
pub enum MeetingRule {
    /// Elements were posted: the sets must share enough of them to reach the threshold.
    Elements(Threshold),
    /// Keys of signatures were posted: those with an equal key are candidates. If simhashes were posted with their pieces, they must
    /// agree in this many bits.
    Signatures {
        /// 64-bit words of a simhash.
        words: usize,
        /// Bits that must agree.
        agree: u32,
    },
}

impl MeetingRule {
    /// The least and the greatest size of a partner.
    pub(super) fn partners(&self, size: u32) -> (u32, u32) {
        match self {
            MeetingRule::Elements(threshold) => threshold.partners(size),
            MeetingRule::Signatures { .. } => (0, u32::MAX),
        }
    }

    /// Adds the hit of two postings of one list, if they are one.
    #[inline]
    pub(super) fn compare(&self, one: &Posting, two: &Posting, simhashes: &Simhashes, candidates: &mut Candidates) {
        match self {
            MeetingRule::Elements(threshold) => candidates.hit(one, two, threshold),
            MeetingRule::Signatures { agree, .. } => {
                let is_hit = match (one.position, two.position) {
                    (0, 0) => true,
                    // Two keys of different kinds happen to have the same tag.
                    (0, _) | (_, 0) => false,
                    (a, b) => agreeing_bits(simhashes.of(a), simhashes.of(b)) >= *agree,
                };
                if is_hit {
                    candidates.meet(one.node, two.node);
                }
            }
        }
    }

    /// Compares a set with others of its list, ascending by size. Returns how many pairs were compared.
    pub(super) fn compare_one(
        &self,
        one: &Posting,
        others: &[Posting],
        compare: Compare,
        simhashes: &Simhashes,
        candidates: &mut Candidates,
    ) -> u64 {
        let (least, greatest) = self.partners(one.size);
        let start = others.partition_point(|two| two.size < least);
        let mut looked_at = 0;
        for two in others[start..].iter().take_while(|two| two.size <= greatest) {
            looked_at += 1;
            if one.node != two.node && compare.allows(one.node, two.node) {
                self.compare(one, two, simhashes, candidates);
            }
        }
        looked_at
    }

    /// Adds the postings of a blob that have one of these tags. Simhashes that come with them are stored separately; the position is
    /// their place there.
    pub(super) fn read(
        &self,
        mut blob: &[u8],
        tags: &RangeInclusive<u32>,
        postings: &mut Vec<Posting>,
        simhashes: &mut Simhashes,
    ) -> Result<(), BadBlob> {
        while !blob.is_empty() {
            let (mut posting, simhash) = self.read_one(&mut blob)?;
            if tags.contains(&posting.tag) {
                if !simhash.is_empty() {
                    posting.position = simhashes.put(posting.node, simhash);
                }
                postings.push(posting);
            }
        }
        Ok(())
    }

    /// Reads a posting, and the bytes of the simhash that comes with it.
    pub(super) fn read_one<'a>(&self, blob: &mut &'a [u8]) -> Result<(Posting, &'a [u8]), BadBlob> {
        let posting = Posting::read(blob)?;
        let simhash = match (self, posting.position) {
            (MeetingRule::Signatures { words, .. }, 1..) => blob.split_off(..8 * words).ok_or(BadBlob)?,
            _ => &[],
        };
        Ok((posting, simhash))
    }

    /// Writes postings as they were read.
    pub(super) fn write(&self, posting: &Posting, simhashes: &Simhashes, blob: &mut Vec<u8>) {
        match (self, posting.position) {
            (MeetingRule::Signatures { .. }, 1..) => {
                Posting { position: 1, ..*posting }.write(blob);
                simhashes.of(posting.position).iter().for_each(|word| blob.extend_from_slice(&word.to_le_bytes()));
            }
            _ => posting.write(blob),
        }
    }
}

/// The simhashes of nodes, each once.
#[derive(Default)]
pub(super) struct Simhashes {
    width: usize,
    words: Vec<u64>,
    places: HashMap<Node, u32>,
}

impl Simhashes {
    /// Adds the simhash of a node. Returns its place, counted from 1.
    fn put(&mut self, node: Node, simhash: &[u8]) -> u32 {
        let words = simhash.as_chunks::<8>().0;
        self.width = words.len();
        let next = self.places.len() as u32 + 1;
        let place = *self.places.entry(node).or_insert(next);
        if place == next {
            self.words.extend(words.iter().map(|word| u64::from_le_bytes(*word)));
        }
        place
    }

    /// Returns the number of simhashes.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// Keeps the first `len` simhashes.
    pub(super) fn truncate(&mut self, len: usize) {
        if len < self.places.len() {
            self.words.truncate(len * self.width);
            self.places.retain(|_, place| *place as usize <= len);
        }
    }

    #[inline]
    fn of(&self, place: u32) -> &[u64] {
        let start = (place as usize - 1) * self.width;
        &self.words[start..start + self.width]
    }
}
