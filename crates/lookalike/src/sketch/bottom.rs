//! What is a bottom sketch?

use super::estimate::Estimate;
use super::splitmix::split_mix;
use crate::sets::mix;

/// Makes bottom sketches: the t smallest values of one function on a set, ascending, or all values if there are fewer.
///
/// The function maps an element x to `mix(x ^ k)`, a permutation of the 64-bit numbers. `mix` is that of
/// [`hash_shingle`](crate::engine::hash_shingle), and k is the first number of SplitMix64 from the seed.
///
/// With one function instead of t, this sketch is cheaper, and it loses nothing for sets of fewer than t elements. But
/// its places are not comparable one by one, so it cannot be cut into [features](super::Features).
///
/// ```
/// use lookalike::sketch::{BottomHash, Estimate};
///
/// let bottom = BottomHash::new(64);
/// let (a, b): (Vec<u64>, Vec<u64>) = ((0..9_000).collect(), (1_000..10_000).collect());
/// let (a, b) = (bottom.sketch(&a), bottom.sketch(&b));
/// let estimate = bottom.resemblance(&a, &b);
/// assert!((estimate.value - 0.8).abs() < 2.0 * estimate.error);
///
/// // Small sets are in their sketches as they are.
/// let (few, fewer) = (bottom.sketch(&[1, 2, 3, 4]), bottom.sketch(&[3, 4, 5]));
/// assert_eq!(bottom.resemblance(&few, &fewer), Estimate { value: 0.4, error: 0.0 });
/// assert_eq!(bottom.sketch(&[1, 2]), [0x329d_2532_f487_2b1b, 0x98fd_64b7_5b11_840c]);
/// ```
#[derive(Clone, Debug)]
pub struct BottomHash {
    most: usize,
    key: u64,
}

impl BottomHash {
    /// Makes sketches of at most `most` values.
    pub fn new(most: usize) -> BottomHash {
        BottomHash::with_seed(most, super::MinHash::SEED)
    }

    /// Like [`BottomHash::new`], with another function.
    pub fn with_seed(most: usize, seed: u64) -> BottomHash {
        BottomHash { most, key: split_mix(seed, 0) }
    }

    /// Returns the sketch of a set of element hashes. Order and repetition do not matter.
    pub fn sketch(&self, set: &[u64]) -> Vec<u64> {
        let mut sketch = Vec::new();
        self.sketch_into(set, &mut sketch);
        sketch
    }

    /// Like [`BottomHash::sketch`], but overwrites `sketch` and reuses its memory.
    pub fn sketch_into(&self, set: &[u64], sketch: &mut Vec<u64>) {
        sketch.clear();
        // Collect up to twice as many values as needed, then drop the upper half and reject everything above it.
        let room = self.most.saturating_mul(2).max(64);
        let mut limit = u64::MAX;
        for &element in set {
            let value = mix(element ^ self.key);
            if value > limit {
                continue;
            }
            if sketch.len() == room {
                self.settle(sketch);
                limit = if sketch.len() == self.most { sketch.last().copied().unwrap_or(0) } else { limit };
            }
            sketch.push(value);
        }
        self.settle(sketch);
    }

    fn settle(&self, sketch: &mut Vec<u64>) {
        sketch.sort_unstable();
        sketch.dedup();
        sketch.truncate(self.most);
    }

    /// Estimates the resemblance of two sets from their sketches. Empty sets resemble nothing.
    ///
    /// The t smallest values of the union of two sets are a random sample of it. The estimate is the share of them that
    /// both sketches have. It is exact if both sets have fewer than t elements.
    pub fn resemblance(&self, a: &[u64], b: &[u64]) -> Estimate {
        let is_whole = a.len() < self.most && b.len() < self.most;
        let (mut common, mut sample) = (0, 0);
        walk(a, b, |_, in_a, in_b| {
            sample += 1;
            common += usize::from(in_a && in_b);
            is_whole || sample < self.most
        });
        match is_whole {
            true if sample == 0 => Estimate::exact(0.0),
            true => Estimate::exact(common as f64 / sample as f64),
            false => Estimate::share(common, sample),
        }
    }

    /// Estimates how much of the first set is in the second: common elements divided by the size of the first.
    ///
    /// Up to the largest value of a full sketch, the sketch decides for every value whether its set has it. Up to the
    /// smaller of these two limits, the elements of the first set are a random sample of it, and the estimate is the
    /// share of them that the second set has. If the sample is empty, the error is 1.
    pub fn containment(&self, a: &[u64], b: &[u64]) -> Estimate {
        let limit = |sketch: &[u64]| match sketch.last() {
            Some(&last) if sketch.len() >= self.most => last,
            _ => u64::MAX,
        };
        let known = limit(a).min(limit(b));
        let (mut common, mut sample) = (0, 0);
        walk(a, b, |value, in_a, in_b| {
            if value > known {
                return false;
            }
            sample += usize::from(in_a);
            common += usize::from(in_a && in_b);
            true
        });
        if a.is_empty() {
            return Estimate::exact(0.0);
        }
        // The sample is the whole first set.
        if sample == a.len() && a.len() < self.most {
            return Estimate::exact(common as f64 / sample as f64);
        }
        Estimate::share(common, sample)
    }
}

/// Walks through the union of two ascending lists until `see` returns false.
fn walk(mut a: &[u64], mut b: &[u64], mut see: impl FnMut(u64, bool, bool) -> bool) {
    loop {
        let (first_a, first_b) = (a.first().copied(), b.first().copied());
        let Some(least) = [first_a, first_b].into_iter().flatten().min() else { return };
        let (in_a, in_b) = (first_a == Some(least), first_b == Some(least));
        a = &a[usize::from(in_a)..];
        b = &b[usize::from(in_b)..];
        if !see(least, in_a, in_b) {
            return;
        }
    }
}
