//! Where are the fingerprints of all documents stored?

use crate::sets::{Groups, hash_set};

/// The maximum bits of a fingerprint, and the unit.
const MOST: u32 = 512;
const WORD: u32 = 64;

/// The fingerprints of all documents, with the same number of bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprints {
    /// Words per fingerprint.
    width: usize,
    words: Vec<u64>,
}

/// Values that are not fingerprints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FingerprintsError {
    /// The number of bits is not valid.
    #[error("a fingerprint has 64, 128, 192, 256, 320, 384, 448 or 512 bits, not {0}")]
    Bits(u32),
    /// The words are not a whole number of fingerprints.
    #[error("{words} words of 64 bits are not a whole number of fingerprints of {bits} bits")]
    Words {
        /// The number of words.
        words: usize,
        /// Bits per fingerprint.
        bits: u32,
    },
}

impl Fingerprints {
    /// Makes fingerprints of `bits` bits from their words, one fingerprint after another.
    pub fn new(bits: u32, words: Vec<u64>) -> Result<Fingerprints, FingerprintsError> {
        if bits == 0 || bits > MOST || !bits.is_multiple_of(WORD) {
            return Err(FingerprintsError::Bits(bits));
        }
        let width = (bits / WORD) as usize;
        if !words.len().is_multiple_of(width) {
            return Err(FingerprintsError::Words { words: words.len(), bits });
        }
        Ok(Fingerprints { width, words })
    }

    /// Returns the number of fingerprints.
    pub fn len(&self) -> usize {
        self.words.len() / self.width
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Returns the bits per fingerprint.
    pub fn bits(&self) -> u32 {
        self.width as u32 * WORD
    }

    /// Returns a document's fingerprint.
    pub fn of(&self, document: u32) -> &[u64] {
        let start = document as usize * self.width;
        &self.words[start..start + self.width]
    }

    /// Returns in how many bits two documents agree.
    pub fn agree(&self, a: u32, b: u32) -> u32 {
        let differ: u32 = self.of(a).iter().zip(self.of(b)).map(|(x, y)| (x ^ y).count_ones()).sum();
        self.bits() - differ
    }

    /// Groups equal fingerprints. The first in `order` represents its group. Documents that are not in the order equal
    /// nothing.
    pub fn groups(&self, order: impl Iterator<Item = u32>) -> Groups {
        let hash = |document: u32| hash_set(self.of(document)) as u64;
        Groups::of_equal(self.len(), order, hash, |a, b| self.of(a) == self.of(b))
    }

    /// All fingerprints, if they have `W` words each.
    pub(super) fn all<const W: usize>(&self) -> &[[u64; W]] {
        debug_assert_eq!(W, self.width);
        self.words.as_chunks().0
    }

    /// Words per fingerprint.
    pub(super) fn width(&self) -> usize {
        self.width
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths() {
        for bits in 0..1000 {
            let made = Fingerprints::new(bits, vec![0; 8 * 7 * 6 * 5]);
            let sound = (64..=512).contains(&bits) && bits % 64 == 0;
            assert_eq!(made, if sound { made.clone() } else { Err(FingerprintsError::Bits(bits)) }, "{bits}");
        }
        assert_eq!(Fingerprints::new(384, vec![0; 7]), Err(FingerprintsError::Words { words: 7, bits: 384 }));
        assert!(Fingerprints::new(128, Vec::new()).unwrap().is_empty());
    }

    #[test]
    fn agreement_and_groups() {
        let fingerprints = Fingerprints::new(128, vec![1, 2, 1, 3, 1, 2, 0, u64::MAX]).unwrap();
        assert_eq!((fingerprints.len(), fingerprints.bits()), (4, 128));
        assert_eq!(fingerprints.agree(0, 1), 127);
        assert_eq!(fingerprints.agree(0, 3), 128 - 64);
        let groups = fingerprints.groups([3, 2, 0, 1].into_iter());
        assert_eq!([0, 1, 2, 3].map(|document| groups.first(document)), [2, 1, 2, 3]);
    }
}
