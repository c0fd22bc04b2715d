//! What is a piece of a fingerprint?

use crate::arch::Part;

/// Consecutive bits of one word of a fingerprint, by which partners are found.
///
/// A piece is within one word, so that one instruction compares it in eight fingerprints. Pieces across words could be
/// a few bits longer, but would cost more than they save.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    word: usize,
    shift: u32,
    bits: u32,
}

/// The maximum bits of a piece.
pub(super) const LONGEST: u32 = 32;

impl Piece {
    /// Makes a piece of `bits` bits of a word, starting at `shift`.
    pub(super) fn new(word: usize, shift: u32, bits: u32) -> Piece {
        debug_assert!(bits <= LONGEST && shift + bits <= 64);
        Piece { word, shift, bits }
    }

    /// Makes a piece of no bits, in which all agree.
    pub(super) fn none() -> Piece {
        Piece { word: 0, shift: 0, bits: 0 }
    }

    pub(super) fn bits(&self) -> u32 {
        self.bits
    }

    /// Returns its value, aligned to the top of 32 bits, so that the top bits can be taken whatever its length.
    #[inline]
    pub(super) fn key<const W: usize>(&self, fingerprint: &[u64; W]) -> u32 {
        ((fingerprint[self.word] >> self.shift) as u32).unbounded_shl(LONGEST - self.bits)
    }

    /// Returns the part of a fingerprint that it covers.
    pub(super) fn part(&self) -> Part {
        let ones = u64::MAX.unbounded_shr(64 - self.bits);
        Part { word: self.word, mask: ones << self.shift }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_window() {
        let fingerprint = [0, 0xfedc_ba98_7654_3210, 0];
        let bit = |at: u32| fingerprint[1] >> at & 1;
        for bits in 0..=LONGEST {
            for shift in 0..(65 - bits).min(64) {
                let piece = Piece::new(1, shift, bits);
                let expected: u64 = (0..bits).map(|at| bit(shift + at) << (LONGEST - bits + at)).sum();
                assert_eq!(u64::from(piece.key(&fingerprint)), expected, "{shift} {bits}");
                assert_eq!(piece.part(), Part { word: 1, mask: (0..bits).map(|at| 1 << (shift + at)).sum() });
            }
        }
    }
}
