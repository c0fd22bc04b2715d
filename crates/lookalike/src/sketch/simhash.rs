//! What is a simhash?

use std::fmt;

use super::estimate::Estimate;
use crate::arch::planes::{DIGITS, Plane, WORDS, count, expand, reach, ripple};

/// Makes simhashes: the smaller the angle between two texts, the more bits of their fingerprints agree.
///
/// Every element stands for a fixed vector of 1 and −1: 1 where its expansion has a bit set. Word j of the expansion,
/// from 0, is number j + 1 of SplitMix64 from the element. The vectors of all elements are added, each as often as it
/// occurs, and the fingerprint has a bit set where the sum is positive. So frequencies matter, order does not, and a
/// narrow fingerprint is the beginning of a wide one.
///
/// ```
/// use lookalike::engine::{Recipe, SetMaker};
/// use lookalike::sketch::{SimHash, agreeing_bits};
///
/// let mut simhash = SimHash::new(384)?;
/// let mut maker = SetMaker::new(Recipe { tokens: "words".parse()?, ..Recipe::default() });
/// let (mut a, mut b) = ([0; 6], [0; 6]);
/// simhash.of(maker.sequence("the ferry to the island leaves at nine in the morning"), &mut a);
/// simhash.of(maker.sequence("the ferry to the island leaves at ten in the morning"), &mut b);
/// assert_eq!(a[0], 0xad14_f26a_0da9_535a);
/// assert_eq!(agreeing_bits(&a, &b), 356);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SimHash {
    words: usize,
    planes: Box<[Plane; DIGITS]>,
    total: u64,
}

/// Why a simhash cannot have a number of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SimHashError {
    /// The number is 0, or not a multiple of 64.
    NotAMultiple {
        /// The number of bits.
        bits: usize,
    },
    /// The number is greater than 512.
    TooManyBits {
        /// The number of bits.
        bits: usize,
    },
}

impl fmt::Display for SimHashError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (SimHashError::NotAMultiple { bits } | SimHashError::TooManyBits { bits }) = self;
        write!(f, "a simhash cannot have {bits} bits: use a multiple of 64, up to 512")
    }
}

impl SimHash {
    /// Makes fingerprints of `bits` bits: a multiple of 64, up to 512.
    pub fn new(bits: usize) -> Result<SimHash, SimHashError> {
        if bits == 0 || !bits.is_multiple_of(64) {
            return Err(SimHashError::NotAMultiple { bits });
        }
        if bits > 64 * WORDS {
            return Err(SimHashError::TooManyBits { bits });
        }
        Ok(SimHash { words: bits / 64, planes: Box::new([[0; WORDS]; DIGITS]), total: 0 })
    }

    /// Returns the number of 64-bit words in a fingerprint.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Computes the fingerprint of element hashes, each as often as it occurs, and writes it to `fingerprint`: [all
    /// words](SimHash::words), or the first ones if it is shorter.
    pub fn of(&mut self, elements: &[u64], fingerprint: &mut [u64]) {
        self.add(elements);
        self.finish(fingerprint);
    }

    /// Adds elements, each as often as it occurs.
    pub fn add(&mut self, elements: &[u64]) {
        self.total += elements.len() as u64;
        count(elements, &mut self.planes, self.words);
    }

    /// Adds an element as if it occurred `weight` times.
    pub fn add_weighted(&mut self, element: u64, weight: u32) {
        self.total += u64::from(weight);
        let bits = expand(element);
        for digit in (0..u32::BITS).filter(|digit| weight >> digit & 1 == 1) {
            ripple(&bits, digit as usize, &mut self.planes);
        }
    }

    /// Writes the fingerprint of all elements added since the last call.
    pub fn finish(&mut self, fingerprint: &mut [u64]) {
        // More ones than minus ones: more than half.
        let bits = reach(&self.planes, self.total / 2 + 1);
        for (word, &bits) in fingerprint.iter_mut().zip(&bits[..self.words]) {
            *word = bits;
        }
        let digits = (u64::BITS - self.total.leading_zeros()) as usize;
        self.planes[..digits].fill([0; WORDS]);
        self.total = 0;
    }

    /// Estimates the cosine similarity of two texts from their fingerprints. Two vectors at an angle of θ agree in a
    /// share of 1 − θ/π of the bits.
    ///
    /// The error is the error of that share, times the slope of the cosine.
    pub fn cosine(a: &[u64], b: &[u64]) -> Estimate {
        let bits = 64 * a.len().min(b.len());
        let share = Estimate::share(agreeing_bits(a, b) as usize, bits);
        let angle = std::f64::consts::PI * (1.0 - share.value);
        let slope = std::f64::consts::PI * angle.sin().max(share.error * std::f64::consts::PI / 2.0);
        Estimate { value: angle.cos(), error: share.error * slope }
    }
}

/// Returns in how many bits two fingerprints agree.
pub fn agreeing_bits(a: &[u64], b: &[u64]) -> u32 {
    a.iter().zip(b).map(|(a, b)| (a ^ b).count_zeros()).sum()
}
