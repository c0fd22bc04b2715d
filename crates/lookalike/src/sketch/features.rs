//! What are features?

use super::{Filter, MinHash};
use crate::sets::hash_numbers;

/// Makes features: cuts a min-wise sketch into k groups of s values, and hashes each group with its number to 64 bits.
///
/// Two sets of resemblance ρ share a feature with probability ρˢ. A [`Filter`] accepts sets that share r features or
/// more; with high probability these are the near-duplicates. So eight bytes per feature replace the whole sketch. The
/// functions are the first k·s of [`MinHash::new`].
///
/// ```
/// use lookalike::sketch::{Features, Filter, shared_features};
///
/// let features = Features::new(Filter::new(6, 14, 2)?);
/// let mut sketch = Vec::new();
/// let mut of = |set: Vec<u64>| {
///     let mut found = Vec::new();
///     features.push(&set, &mut sketch, &mut found);
///     found
/// };
/// let (a, b, c) = (of((0..1_000).collect()), of((5..1_000).collect()), of((400..1_400).collect()));
/// assert_eq!(a[0], 0xe538_7eb5_fc2b_68b0);
/// assert!(shared_features(&a, &b) >= 2);
/// assert_eq!(shared_features(&a, &c), 0);
/// # Ok::<(), lookalike::sketch::FilterError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Features {
    filter: Filter,
    minhash: MinHash,
}

impl Features {
    /// Makes features for this filter.
    pub fn new(filter: Filter) -> Features {
        Features { filter, minhash: MinHash::new(filter.functions()) }
    }

    /// Returns the filter.
    pub fn filter(&self) -> Filter {
        self.filter
    }

    /// Appends the k features of a set to `features`. An empty set has none, because it resembles nothing. `sketch` is
    /// scratch memory, and holds the set's sketch afterwards.
    pub fn push(&self, set: &[u64], sketch: &mut Vec<u32>, features: &mut Vec<u64>) {
        self.minhash.sketch_into(set, sketch);
        if !set.is_empty() {
            features.extend(sketch.chunks(self.filter.s()).enumerate().map(|(group, values)| feature(group, values)));
        }
    }
}

/// Returns the feature of a group of values: the hash of a shingle whose tokens are the group's number, from 0, and its
/// values.
pub fn feature(group: usize, values: &[u32]) -> u64 {
    hash_numbers(std::iter::once(group as u64).chain(values.iter().map(|&value| u64::from(value))))
}

/// Returns how many features two documents share: equal features at the same place.
pub fn shared_features(a: &[u64], b: &[u64]) -> usize {
    a.iter().zip(b).filter(|(a, b)| a == b).count()
}

/// Appends the super-features of a document: the hash of every r of its features, in order.
///
/// Two documents share a super-feature if and only if they share r features, so nothing needs to be counted. There are
/// [many](Filter::super_features), so use them only for r = 2 or 3.
///
/// ```
/// let mut supers = Vec::new();
/// lookalike::sketch::super_features(&[1, 2, 3, 4], 2, &mut supers);
/// assert_eq!(supers.len(), 6);
/// supers.clear();
/// lookalike::sketch::super_features(&[1, 2, 3, 4], 1, &mut supers);
/// assert_eq!(supers, [1, 2, 3, 4]);
/// ```
pub fn super_features(features: &[u64], r: usize, supers: &mut Vec<u64>) {
    if r == 1 {
        return supers.extend_from_slice(features);
    }
    if r == 0 || r > features.len() {
        return;
    }
    // The chosen places, ascending; the choices follow in lexicographic order.
    let mut chosen: Vec<usize> = (0..r).collect();
    loop {
        supers.push(hash_numbers(chosen.iter().map(|&place| features[place])));
        let movable = (0..r).rev().find(|&at| chosen[at] < features.len() - (r - at));
        let Some(at) = movable else { return };
        chosen[at] += 1;
        for later in at + 1..r {
            chosen[later] = chosen[later - 1] + 1;
        }
    }
}
