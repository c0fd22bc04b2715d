//! What does a task send about a signature, so that other tasks find its partners?
//!
//! A document posts the keys of its features, and the pieces of its simhash. Two documents that pass a filter of features share a
//! key. Two simhashes that differ in d bits agree in one of d + 1 pieces. A piece comes with the simhash itself, so that documents that
//! share it are compared at once.

use super::node::Node;
use super::posting::{Outbox, Posting};
use crate::sets::hash_numbers;

/// Cuts simhashes into pieces.
#[derive(Clone, Copy, Debug)]
pub struct PieceKeys {
    bits: usize,
    pieces: usize,
}

impl PieceKeys {
    /// Makes pieces of simhashes with this many bits, so that two that agree in at least `agree` of them agree in a piece. None if no two
    /// can.
    pub fn new(bits: u32, agree: u32) -> Option<PieceKeys> {
        let differ = bits.checked_sub(agree)?;
        // If all bits may differ, all agree in a piece of no bits.
        let (bits, pieces) = if differ >= bits { (0, 1) } else { (bits, differ + 1) };
        Some(PieceKeys { bits: bits as usize, pieces: pieces as usize })
    }

    /// Returns the number of pieces.
    pub fn count(&self) -> usize {
        self.pieces
    }

    /// Returns the keys of the pieces of a simhash.
    pub fn of<'a>(&'a self, simhash: &'a [u64]) -> impl Iterator<Item = u64> + 'a {
        let edge = |piece: usize| piece * self.bits / self.pieces;
        (0..self.pieces).map(move |piece| {
            let (start, end) = (edge(piece), edge(piece + 1));
            let words = (start / 64..end.div_ceil(64)).map(|word| {
                let before = start.saturating_sub(64 * word);
                let after = (64 * (word + 1)).saturating_sub(end);
                simhash[word] >> before << before << after
            });
            hash_numbers(std::iter::once(piece as u64).chain(words))
        })
    }
}

/// Posts signatures, and collects the postings by bucket.
pub struct SignaturePoster {
    outbox: Outbox,
}

impl SignaturePoster {
    /// Makes a poster for this many buckets.
    pub fn new(buckets: u32) -> SignaturePoster {
        SignaturePoster { outbox: Outbox::new(buckets) }
    }

    /// Posts a document with these keys of features, and with the keys of the pieces of its simhash.
    pub fn post(
        &mut self,
        node: Node,
        features: impl Iterator<Item = u64>,
        pieces: impl Iterator<Item = u64>,
        simhash: &[u64],
    ) {
        if !self.outbox.is_new(node) {
            return;
        }
        let posting = |key: u64, position: u32| Posting { tag: key as u32, size: 0, node, position };
        features.for_each(|key| self.outbox.put(key, |blob| posting(key, 0).write(blob)));
        for key in pieces {
            self.outbox.put(key, |blob| {
                posting(key, 1).write(blob);
                simhash.iter().for_each(|word| blob.extend_from_slice(&word.to_le_bytes()));
            });
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
