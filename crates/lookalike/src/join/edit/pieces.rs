//! Which pieces of a short text must a similar text contain?
//!
//! Cut a text y into δ + 1 pieces, numbered from 0, and turn it into x by at most δ edits. Then some piece k has no
//! edit in it, at most k edits before it and at most δ − k after it. Proof: let eᵢ be the number of edits in piece i,
//! and k the first piece with e₀ + … + eₖ ≤ k; the last piece satisfies this, so k exists. If k = 0, then e₀ = 0.
//! Otherwise e₀ + … + eₖ₋₁ ≥ k, so eₖ = 0, and there are exactly k edits before it. So in x, piece k is at most k
//! characters off and, from the end, at most δ − k (Li, Deng, Wang, Feng: Pass-Join, VLDB 2011).

use std::ops::RangeInclusive;

use super::characters::{Text, of_characters};
use super::hash::{finish, hash_all};

/// How texts of one length are cut into pieces.
#[derive(Clone, Copy)]
pub(super) struct Cut {
    length: u32,
    distance: u32,
}

impl Cut {
    /// Cuts a text of this length, which must exceed the distance.
    pub(super) fn new(length: u32, distance: u32) -> Cut {
        Cut { length, distance }
    }

    /// The start of a piece. All pieces have the same length, or the later ones are longer by one.
    fn start(&self, piece: u32) -> u32 {
        let (pieces, length) = (self.distance + 1, self.length);
        piece * (length / pieces) + piece.saturating_sub(pieces - length % pieces)
    }

    fn pieces(&self) -> impl Iterator<Item = Piece> {
        (0..=self.distance).map(|number| {
            let start = self.start(number);
            Piece { number, start, length: self.start(number + 1) - start }
        })
    }

    /// Calls `see` with the key and the start of every piece.
    pub(super) fn keys(&self, text: Text, seed: u64, mut see: impl FnMut(u64, u32)) {
        for piece in self.pieces() {
            see(self.key(text, &piece, piece.start, seed), piece.start);
        }
    }

    /// Calls `see` with the keys of every substring that may be a piece of a text cut this way and not longer than this
    /// one.
    pub(super) fn keys_in(&self, text: Text, length: u32, seed: u64, mut see: impl FnMut(u64)) {
        for piece in self.pieces() {
            for start in self.window(&piece, length) {
                see(self.key(text, &piece, start, seed));
            }
        }
    }

    /// Where a piece may start in a text of this length.
    fn window(&self, piece: &Piece, length: u32) -> RangeInclusive<u32> {
        let longer = length - self.length;
        let (before, behind) = (piece.number, self.distance - piece.number);
        let from = piece.start.saturating_sub(before).max((piece.start + longer).saturating_sub(behind));
        let to = (piece.start + before).min(piece.start + longer + behind).min(length - piece.length);
        from..=to
    }

    #[inline]
    fn key(&self, text: Text, piece: &Piece, start: u32, seed: u64) -> u64 {
        let seed = finish(u64::from(self.length) << 32 | u64::from(piece.number), seed);
        let range = start as usize..(start + piece.length) as usize;
        of_characters!(text, characters => hash_all(&characters[range], seed))
    }
}

struct Piece {
    number: u32,
    start: u32,
    length: u32,
}
