use super::estimate::Estimate;
use super::splitmix::split_mix;
use crate::sets::mix;

/// Makes bottom sketches: the t least values that one function has on a set, ascending; all of them if they are fewer.
///
/// The function of an element x is `mix(x ^ k)`, a permutation of the 64-bit numbers, with the finish `mix` of the
/// [one hash](crate::sets) and k the first number that SplitMix64 yields from the seed on.
///
/// One function instead of t makes this the cheaper sketch, and sets of fewer than t elements lose nothing by it. But its places do not
/// belong together: it cannot be cut into [features](super::Features).
///
/// ```
/// use lookalike::BottomHash;
///
/// let bottom = BottomHash::new(64);
/// let (a, b): (Vec<u64>, Vec<u64>) = ((0..9_000).collect(), (1_000..10_000).collect());
/// let (a, b) = (bottom.sketch(&a), bottom.sketch(&b));
/// let estimate = bottom.resemblance(&a, &b);
/// assert!((estimate.value - 0.8).abs() < 2.0 * estimate.error);
///
/// // Small sets are in their sketches as they are.
/// let (few, fewer) = (bottom.sketch(&[1, 2, 3, 4]), bottom.sketch(&[3, 4, 5]));
/// assert_eq!(bottom.resemblance(&few, &fewer), lookalike::Estimate { value: 0.4, error: 0.0 });
/// assert_eq!(bottom.sketch(&[1, 2]), [0x329d_2532_f487_2b1b, 0x98fd_64b7_5b11_840c]);
/// ```
#[derive(Clone, Debug)]
pub struct BottomHash {
    most: usize,
    key: u64,
}

impl BottomHash {
    /// Sketches of at most so many values.
    pub fn new(most: usize) -> BottomHash {
        BottomHash::with_seed(most, super::MinHash::SEED)
    }

    /// The same by another function.
    pub fn with_seed(most: usize, seed: u64) -> BottomHash {
        BottomHash { most, key: split_mix(seed, 0) }
    }

    /// The sketch of a set: its elements' hashes in any order; to repeat one changes nothing.
    pub fn sketch(&self, set: &[u64]) -> Vec<u64> {
        let mut sketch = Vec::new();
        self.sketch_into(set, &mut sketch);
        sketch
    }

    /// The same, in place of what is in `sketch`, whose memory is used again.
    pub fn sketch_into(&self, set: &[u64], sketch: &mut Vec<u64>) {
        sketch.clear();
        // Values are gathered until there are twice as many as wanted; then the upper half goes, and nothing above it is let in again.
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

    /// The resemblance of the sets that have these sketches. Empty sets resemble nothing.
    ///
    /// Of the union of two sets the t least values are known, and they are a random sample of it: the estimate is the share of those
    /// that both sketches have. It is exact if both sets have fewer than t elements.
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

    /// How much of the first set is in the second: common elements by those of the first.
    ///
    /// Up to the largest value of a sketch that is full, it is known of every value whether its set has it. Up to the smaller such
    /// limit of the two, the elements of the first set are a random sample of it: the estimate is the share of those that the second
    /// has. If there is none among them, nothing is known, and the error is 1.
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
        // All of the first set was seen.
        if sample == a.len() && a.len() < self.most {
            return Estimate::exact(common as f64 / sample as f64);
        }
        Estimate::share(common, sample)
    }
}

/// Walks through the union of two ascending lists, until told to stop.
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
