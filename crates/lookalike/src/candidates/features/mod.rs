//! Every pair of documents that share enough features: the candidates of a filter, all of them.
//!
//! Two documents that share r of k features share one of the first k − r + 1. So at each of these places the documents are brought
//! together that have the same feature there, by sorting: a *run*. Those of a run are compared each with each, and two are reported
//! if they share r features in all and none at an earlier place: a pair once, without a table of pairs already seen.
//!
//! A feature that very many documents have makes a run whose square is nearly all in vain, if two must be shared. So documents are
//! brought together that agree at *two* places, for every two places, where that is not too much sorting.

mod brute;
mod pairs;
mod table;
#[cfg(test)]
mod tests;

pub use brute::brute_features;
pub use pairs::FeaturePair;
pub use table::FeatureTable;
