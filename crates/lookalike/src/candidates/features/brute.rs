//! The pairs that pass a filter by definition: the oracle of the tests.

use super::pairs::FeaturePair;
use super::table::FeatureTable;

/// Compares every document with every other.
pub(super) fn brute_features(table: &FeatureTable) -> Vec<FeaturePair> {
    let documents = table.len() as u32;
    let all = (0..documents).flat_map(|a| (a + 1..documents).map(move |b| (a, b)));
    let pairs = all.map(|(a, b)| FeaturePair { a, b, shared: table.shared(a, b) });
    pairs.filter(|pair| pair.shared as usize >= table.filter().r()).collect()
}
