//! Which features does each document have?

use crate::sketch::{Filter, shared_features};

/// The features of all documents, k each.
#[derive(Clone, Debug)]
pub struct FeatureTable {
    pub(super) filter: Filter,
    features: Vec<u64>,
}

impl FeatureTable {
    /// Makes a table for this filter from the features of all documents, one document after another. An incomplete
    /// document at the end is ignored.
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

    /// Returns the filter.
    pub fn filter(&self) -> Filter {
        self.filter
    }

    /// Returns the number of documents.
    pub fn len(&self) -> usize {
        self.features.len() / self.filter.k()
    }

    /// Returns whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.features.is_empty()
    }

    /// Returns a document's features.
    #[inline]
    pub fn of(&self, document: u32) -> &[u64] {
        let start = document as usize * self.filter.k();
        &self.features[start..start + self.filter.k()]
    }

    /// Returns how many features two documents share.
    #[inline]
    pub fn shared(&self, a: u32, b: u32) -> u32 {
        shared_features(self.of(a), self.of(b)) as u32
    }
}
