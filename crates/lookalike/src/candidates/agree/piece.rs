use crate::arch::Part;

/// Consecutive bits of one word of a fingerprint, by which partners are looked for.
///
/// Of one word, so that one instruction tells which of eight fingerprints agree with another in it. Pieces across words could be some bits
/// longer, which saves fewer comparisons than that costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    word: usize,
    shift: u32,
    bits: u32,
}

/// The most bits of a piece.
pub(super) const LONGEST: u32 = 32;

impl Piece {
    /// So many bits of a word, from `shift` on.
    pub(super) fn new(word: usize, shift: u32, bits: u32) -> Piece {
        debug_assert!(bits <= LONGEST && shift + bits <= 64);
        Piece { word, shift, bits }
    }

    /// No bits: all agree in it.
    pub(super) fn none() -> Piece {
        Piece { word: 0, shift: 0, bits: 0 }
    }

    pub(super) fn bits(&self) -> u32 {
        self.bits
    }

    /// Its value, in the upper bits of 32: that it can be cut from above, whatever its length.
    #[inline]
    pub(super) fn key<const W: usize>(&self, fingerprint: &[u64; W]) -> u32 {
        ((fingerprint[self.word] >> self.shift) as u32).unbounded_shl(LONGEST - self.bits)
    }

    /// The part of a fingerprint that it is.
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
