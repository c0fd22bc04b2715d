//! Every pair of documents that share enough features: all candidates of a filter.
//!
//! Two documents that share r of k features share one of the first k − r + 1. So for each of these places, sorting
//! groups the documents with the same feature there: a *run*. The documents of a run are compared with each other. Two
//! are reported if they share r features in all and none at an earlier place, so each pair is reported once, without a
//! table of pairs.
//!
//! If two features are required, a feature that very many documents have makes a run whose square is nearly all wasted.
//! So documents are grouped by *two* places at a time, for every two places, if that is not too much sorting.

#[cfg(test)]
mod brute;
mod keys;
mod pairs;
mod table;
#[cfg(test)]
mod tests;

#[cfg(test)]
use brute::brute_features;
pub use keys::FeatureKeys;
pub use pairs::FeaturePair;
pub use table::FeatureTable;
