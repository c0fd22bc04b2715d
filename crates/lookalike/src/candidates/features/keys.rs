//! By which keys do documents meet that share enough features?

use crate::sets::hash_numbers;
use crate::sketch::Filter;

/// The maximum number of choices of two places.
const MOST_CHOICES: usize = 64;

/// Returns the choices of places such that two documents that pass the filter agree at all places of at least one.
pub(super) fn choices(filter: Filter) -> Vec<Vec<usize>> {
    let last = filter.k() - filter.r();
    let two: Vec<Vec<usize>> = (0..=last).flat_map(|one| (one + 1..last + 2).map(move |two| vec![one, two])).collect();
    match filter.r() == 1 || two.len() > MOST_CHOICES {
        true => (0..=last).map(|place| vec![place]).collect(),
        false => two,
    }
}

/// Returns the key of a document at a choice of places.
pub(super) fn key_at(places: &[usize], features: &[u64]) -> u64 {
    hash_numbers(places.iter().map(|&place| features[place]))
}

/// The keys of documents, for those that bring together documents with an equal key.
#[derive(Clone, Debug)]
pub struct FeatureKeys {
    choices: Vec<Vec<usize>>,
}

impl FeatureKeys {
    /// Makes keys for this filter. Two documents that pass it share a key; two that share one need not pass.
    ///
    /// ```
    /// use lookalike::engine::FeatureKeys;
    /// use lookalike::sketch::Filter;
    ///
    /// let keys = FeatureKeys::new(Filter::new(3, 14, 2)?);
    /// let (a, b) = (keys.of(&[11, 21, 31]).collect::<Vec<u64>>(), keys.of(&[11, 20, 31]).collect::<Vec<u64>>());
    /// assert_eq!((a.len(), a[1] == b[1]), (3, true));
    /// # Ok::<(), lookalike::sketch::FilterError>(())
    /// ```
    pub fn new(filter: Filter) -> FeatureKeys {
        FeatureKeys { choices: choices(filter) }
    }

    /// Returns how many keys a document has.
    pub fn count(&self) -> usize {
        self.choices.len()
    }

    /// Returns one of the keys of a document with these features.
    pub fn at(&self, number: usize, features: &[u64]) -> u64 {
        key_at(&self.choices[number], features)
    }

    /// Returns the keys of a document with these features.
    pub fn of<'a>(&'a self, features: &'a [u64]) -> impl Iterator<Item = u64> + 'a {
        self.choices.iter().map(|places| key_at(places, features))
    }
}
