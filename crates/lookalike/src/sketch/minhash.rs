use super::estimate::Estimate;
use super::splitmix::split_mix;
use crate::arch::{FUNCTIONS, lower, mix_all};
use crate::sets::mix;

/// What a sketch of an empty set has in every place.
pub const EMPTY: u32 = u32::MAX;

/// Makes min-wise sketches: for each of t functions, the least value that it has on a set.
///
/// Two sketches agree in a place with the probability that is the resemblance (Jaccard) of the sets, independently of other places.
///
/// Function i of an element x, both counted from 0, is `low·mᵢ + high` modulo 2³², where low and high are the halves of
/// `mix(x ^ k)`, with the finish `mix` of the [one hash](crate::sets), k the first number that SplitMix64 yields from the seed on, and
/// mᵢ the high half of the (i + 2)-th, made odd. So the first functions of many are those of a few.
///
/// That is one multiplication and one addition a value, of which processors do sixteen at a time. Such a function is affine, and on
/// numbers with a pattern, 1, 2, 3, affine functions are far from min-wise; but `mix`, once an element, leaves no pattern for them to
/// meet, and then the estimates have the mean and the variance of those from random permutations (measured in `docs/theory/sketches.md`).
///
/// ```
/// use lookalike::{MinHash, Recipe, SetMaker};
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

/// Elements that are mixed at one go, on the stack.
const MIXED: usize = 256;

impl MinHash {
    /// The seed that is used unless another is given.
    pub const SEED: u64 = 0;

    /// So many functions.
    pub fn new(functions: usize) -> MinHash {
        MinHash::with_seed(functions, MinHash::SEED)
    }

    /// So many functions of another family: sketches of different seeds have nothing to do with each other.
    pub fn with_seed(functions: usize, seed: u64) -> MinHash {
        let multiplier = |at: usize| (split_mix(seed, at as u64 + 1) >> 32) as u32 | 1;
        let blocks = functions.div_ceil(FUNCTIONS);
        let multipliers =
            (0..blocks).map(|block| std::array::from_fn(|at| multiplier(block * FUNCTIONS + at))).collect();
        MinHash { functions, key: split_mix(seed, 0), multipliers }
    }

    /// How many functions there are: numbers in a sketch.
    pub fn functions(&self) -> usize {
        self.functions
    }

    /// The value of a function on one element, by definition.
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

    /// The sketch of a set: its elements' hashes in any order; to repeat one changes nothing.
    pub fn sketch(&self, set: &[u64]) -> Vec<u32> {
        let mut sketch = Vec::new();
        self.sketch_into(set, &mut sketch);
        sketch
    }

    /// The same, in place of what is in `sketch`, whose memory is used again.
    pub fn sketch_into(&self, set: &[u64], sketch: &mut Vec<u32>) {
        sketch.clear();
        // Filled up to whole blocks while the kernel is at work.
        sketch.resize(self.multipliers.len() * FUNCTIONS, EMPTY);
        let minima = sketch.as_chunks_mut::<FUNCTIONS>().0;
        let mut mixed = [0; MIXED];
        for part in set.chunks(MIXED) {
            mix_all(part, &mut mixed, |element| mix(element ^ self.key));
            lower(&mixed[..part.len()], &self.multipliers, minima);
        }
        sketch.truncate(self.functions);
    }

    /// In how many places two sketches agree.
    pub fn agreeing(a: &[u32], b: &[u32]) -> usize {
        a.iter().zip(b).filter(|(a, b)| a == b).count()
    }

    /// Whether this is the sketch of an empty set.
    pub fn is_empty(sketch: &[u32]) -> bool {
        sketch.iter().all(|&value| value == EMPTY)
    }

    /// The resemblance of the sets that have these sketches: how many places agree. Empty sets resemble nothing.
    pub fn resemblance(a: &[u32], b: &[u32]) -> Estimate {
        if MinHash::is_empty(a) || MinHash::is_empty(b) {
            return Estimate::exact(0.0);
        }
        Estimate::share(MinHash::agreeing(a, b), a.len().min(b.len()))
    }

    /// How much of a set is in another, from their sketches and sizes: common elements by those of the first.
    ///
    /// The smaller the first beside the second, the larger the error, which can exceed 1; [`BottomHash`](super::BottomHash) is better
    /// at that.
    pub fn containment(a: &[u32], b: &[u32], size_a: usize, size_b: usize) -> Estimate {
        MinHash::resemblance(a, b).containment(size_a, size_b)
    }
}
