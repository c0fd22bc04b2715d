use super::estimate::Estimate;
use crate::arch::planes::{DIGITS, Plane, WORDS, count, expand, reach, ripple};

/// Makes simhashes: fingerprints whose bits agree the more, the smaller the angle between two texts.
///
/// Every element stands for a vector of ones and minus ones, the same wherever it occurs: a bit of it is one if that of the element's
/// expansion is set, whose word j, from 0, is the (j + 1)-th number that SplitMix64 yields from the element on. The vectors of all
/// elements are added, each as often as it occurs; where the sum is positive, the fingerprint has a bit set, and where it is zero or less,
/// none. So a text's order does not matter, its frequencies do, and a narrow fingerprint is the beginning of a wide one.
///
/// ```
/// use lookalike::{Recipe, SetMaker, SimHash, agreeing_bits};
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

/// A number of bits that a simhash cannot have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a simhash of {0} bits: it must be a multiple of 64, up to 512")]
pub struct SimHashError(usize);

impl SimHash {
    /// Fingerprints of so many bits: a multiple of 64, up to 512.
    pub fn new(bits: usize) -> Result<SimHash, SimHashError> {
        if bits == 0 || !bits.is_multiple_of(64) || bits > 64 * WORDS {
            return Err(SimHashError(bits));
        }
        Ok(SimHash { words: bits / 64, planes: Box::new([[0; WORDS]; DIGITS]), total: 0 })
    }

    /// How many words of 64 bits a fingerprint has.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The fingerprint of these elements' hashes, each as often as it occurs, in place of what is in `fingerprint`: as many words as
    /// [there are](SimHash::words), or the first of them if it has fewer.
    pub fn of(&mut self, elements: &[u64], fingerprint: &mut [u64]) {
        self.add(elements);
        self.finish(fingerprint);
    }

    /// Adds elements, each as often as it occurs.
    pub fn add(&mut self, elements: &[u64]) {
        self.total += elements.len() as u64;
        count(elements, &mut self.planes, self.words);
    }

    /// Adds an element as if it occurred so often.
    pub fn add_weighted(&mut self, element: u64, weight: u32) {
        self.total += u64::from(weight);
        let bits = expand(element);
        for digit in (0..u32::BITS).filter(|digit| weight >> digit & 1 == 1) {
            ripple(&bits, digit as usize, &mut self.planes);
        }
    }

    /// The fingerprint of all that was added since the last one.
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

    /// The cosine similarity of the texts that have these fingerprints: two vectors at an angle of θ agree in a share of 1 − θ/π of the
    /// bits.
    ///
    /// The error is that of the share, times the slope there.
    pub fn cosine(a: &[u64], b: &[u64]) -> Estimate {
        let bits = 64 * a.len().min(b.len());
        let share = Estimate::share(agreeing_bits(a, b) as usize, bits);
        let angle = std::f64::consts::PI * (1.0 - share.value);
        let slope = std::f64::consts::PI * angle.sin().max(share.error * std::f64::consts::PI / 2.0);
        Estimate { value: angle.cos(), error: share.error * slope }
    }
}

/// In how many bits two fingerprints agree.
pub fn agreeing_bits(a: &[u64], b: &[u64]) -> u32 {
    a.iter().zip(b).map(|(a, b)| (a ^ b).count_zeros()).sum()
}
