//! Which features does each document have?

use crate::sketch::{Filter, shared_features};

/// The features of all documents, k for each.
#[derive(Clone, Debug)]
pub struct FeatureTable {
    pub(super) filter: Filter,
    features: Vec<u64>,
}

impl FeatureTable {
    /// Features for this filter, those of a document one behind the other; what is not enough for a document is left out.
    ///
    /// ```
    /// use std::sync::Mutex;
    ///
    /// use lookalike::engine::{FeaturePair, FeatureTable, Side, Stage};
    /// use lookalike::sketch::Filter;
    ///
    /// let table = FeatureTable::new(Filter::new(3, 14, 2)?, vec![11, 21, 31, 11, 20, 31, 10, 20, 30]);
    /// let pairs = Mutex::new(Vec::new());
    /// table.pairs_among(&[0, 1, 2], |_| Side::Both, &Stage::silent(), |some| pairs.lock().unwrap().extend_from_slice(some));
    /// assert_eq!(pairs.into_inner().unwrap(), [FeaturePair { a: 0, b: 1, shared: 2 }]);
    /// # Ok::<(), lookalike::sketch::FilterError>(())
    /// ```
    pub fn new(filter: Filter, mut features: Vec<u64>) -> FeatureTable {
        features.truncate(features.len() / filter.k() * filter.k());
        FeatureTable { filter, features }
    }

    /// The filter that they are for.
    pub fn filter(&self) -> Filter {
        self.filter
    }

    /// How many documents there are.
    pub fn len(&self) -> usize {
        self.features.len() / self.filter.k()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.features.is_empty()
    }

    /// A document's features.
    #[inline]
    pub fn of(&self, document: u32) -> &[u64] {
        let start = document as usize * self.filter.k();
        &self.features[start..start + self.filter.k()]
    }

    /// How many features two documents share.
    #[inline]
    pub fn shared(&self, a: u32, b: u32) -> u32 {
        shared_features(self.of(a), self.of(b)) as u32
    }
}
