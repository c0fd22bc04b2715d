//! What is a min-wise sketch?

use super::estimate::Estimate;
use super::splitmix::split_mix;
use crate::arch::{FUNCTIONS, lower, mix_all};
use crate::sets::mix;

/// The value in every place of the sketch of an empty set.
pub const EMPTY: u32 = u32::MAX;

/// Makes min-wise sketches: the smallest value of each of t functions on a set.
///
/// The probability that two sketches agree in a place is the resemblance (Jaccard) of the sets. The places are
/// independent.
///
/// Function i of an element x, both counted from 0, is `low·mᵢ + high` modulo 2³². Here low and high are the halves of
/// `mix(x ^ k)`, `mix` is that of [`hash_shingle`](crate::engine::hash_shingle), and k is the first number of SplitMix64
/// from the seed. mᵢ is the high half of number i + 2 of that sequence, made odd. So the first functions do not depend
/// on how many there are.
///
/// A value costs one multiplication and one addition, and processors compute sixteen at a time. Affine functions are
/// far from min-wise on numbers with a pattern, such as 1, 2, 3. `mix` removes such patterns, so the estimates have the
/// mean and the variance of random permutations (measured in `docs/theory/sketches.md`).
///
/// ```
/// use lookalike::engine::{Recipe, SetMaker};
/// use lookalike::sketch::MinHash;
///
/// let minhash = MinHash::new(128);
/// let mut maker = SetMaker::new(Recipe { tokens: "words:2".parse()?, ..Recipe::default() });
/// let mut sketch = |text| minhash.sketch(maker.set(text));
/// let a = sketch("the ferry to the island leaves at nine in the morning");
/// let b = sketch("the ferry to the island leaves at ten in the morning");
/// assert_eq!(a[..4], [0x0746_344f, 0x357d_c5e5, 0x21e2_ab45, 0x1a11_7f27]);
///
/// // Eight of twelve.
/// let estimate = MinHash::resemblance(&a, &b);
/// assert!((estimate.value - 8.0 / 12.0).abs() < 2.0 * estimate.error);
/// # Ok::<(), lookalike::TokensError>(())
/// ```
#[derive(Clone, Debug)]
pub struct MinHash {
    functions: usize,
    key: u64,
    multipliers: Vec<[u32; FUNCTIONS]>,
}

/// Elements mixed at a time, on the stack.
const MIXED: usize = 256;

impl MinHash {
    /// The default seed.
    pub const SEED: u64 = 0;

    /// Makes sketches of `functions` functions.
    pub fn new(functions: usize) -> MinHash {
        MinHash::with_seed(functions, MinHash::SEED)
    }

    /// Like [`MinHash::new`], with other functions. Sketches of different seeds cannot be compared.
    pub fn with_seed(functions: usize, seed: u64) -> MinHash {
        let multiplier = |at: usize| (split_mix(seed, at as u64 + 1) >> 32) as u32 | 1;
        let blocks = functions.div_ceil(FUNCTIONS);
        let multipliers =
            (0..blocks).map(|block| std::array::from_fn(|at| multiplier(block * FUNCTIONS + at))).collect();
        MinHash { functions, key: split_mix(seed, 0), multipliers }
    }

    /// Returns the number of functions, which is the length of a sketch.
    pub fn functions(&self) -> usize {
        self.functions
    }

    /// Returns the value of a function on one element, by definition.
    ///
    /// # Panics
    ///
    /// If there is no such function.
    pub fn value(&self, function: usize, element: u64) -> u32 {
        assert!(function < self.functions, "function {function} of {}", self.functions);
        let mixed = mix(element ^ self.key);
        let multiplier = self.multipliers[function / FUNCTIONS][function % FUNCTIONS];
        (mixed as u32).wrapping_mul(multiplier).wrapping_add((mixed >> 32) as u32)
    }

    /// Returns the sketch of a set of element hashes. Order and repetition do not matter.
    pub fn sketch(&self, set: &[u64]) -> Vec<u32> {
        let mut sketch = Vec::new();
        self.sketch_into(set, &mut sketch);
        sketch
    }

    /// Like [`MinHash::sketch`], but overwrites `sketch` and reuses its memory.
    pub fn sketch_into(&self, set: &[u64], sketch: &mut Vec<u32>) {
        sketch.clear();
        // The kernel works on whole blocks.
        sketch.resize(self.multipliers.len() * FUNCTIONS, EMPTY);
        let minima = sketch.as_chunks_mut::<FUNCTIONS>().0;
        let mut mixed = [0; MIXED];
        for part in set.chunks(MIXED) {
            mix_all(part, &mut mixed, |element| mix(element ^ self.key));
            lower(&mixed[..part.len()], &self.multipliers, minima);
        }
        sketch.truncate(self.functions);
    }

    /// Returns in how many places two sketches agree.
    pub fn agreeing(a: &[u32], b: &[u32]) -> usize {
        a.iter().zip(b).filter(|(a, b)| a == b).count()
    }

    /// Returns whether this is the sketch of an empty set.
    pub fn is_empty(sketch: &[u32]) -> bool {
        sketch.iter().all(|&value| value == EMPTY)
    }

    /// Estimates the resemblance of two sets from their sketches: the share of places that agree. Empty sets resemble
    /// nothing.
    pub fn resemblance(a: &[u32], b: &[u32]) -> Estimate {
        if MinHash::is_empty(a) || MinHash::is_empty(b) {
            return Estimate::exact(0.0);
        }
        Estimate::share(MinHash::agreeing(a, b), a.len().min(b.len()))
    }

    /// Estimates how much of the first set is in the second, from their sketches and sizes: common elements divided by
    /// the size of the first.
    ///
    /// If the first set is much smaller than the second, the error is large and can exceed 1. Use
    /// [`BottomHash`](super::BottomHash) for that.
    pub fn containment(a: &[u32], b: &[u32], size_a: usize, size_b: usize) -> Estimate {
        MinHash::resemblance(a, b).containment(size_a, size_b)
    }
}
