//! Labels of pairs, and how good a result is by them.
//!
//! [`Labels`] come from people: pairs that are the same or different, groups, or a complete list of pairs. [`evaluate`] compares what
//! was [`Found`] with them: precision, recall, F1, average precision, B-cubed and the adjusted Rand index, with intervals. Nothing here
//! reads a file: `lookalike-engine` has the jobs that do.
//!
//! ```
//! use lookalike::engine::Stage;
//! use lookalike_truth::{Answer, Found, FoundPair, Ids, Kind, LabelsBuilder, evaluate};
//!
//! let mut ids = Ids::default();
//! let [a, b, c] = ["a", "b", "c"].map(|id| ids.number(0, id));
//! let mut labels = LabelsBuilder::new(Kind::Pairs);
//! labels.pair(&ids, a, b, Answer::Same);
//! labels.pair(&ids, a, c, Answer::Different);
//! let labels = labels.finish(&ids);
//! let pair = |a, b| FoundPair { a, b, value: None };
//! let found = Found::pairs(vec![pair(a, b), pair(a, c), pair(b, c)], false);
//! let evaluation = evaluate(&ids, &found, &labels, None, None, false, &Stage::silent()).unwrap();
//! assert_eq!((evaluation.right, evaluation.wrong, evaluation.unlabelled), (1, 1, 1));
//! assert_eq!(evaluation.precision.unwrap().value, 0.5);
//! ```

mod ids;
mod random;

mod labels;

mod scores;

mod evaluate;

pub mod choose;

pub mod page;

pub use evaluate::{Evaluation, Example, Found, FoundCluster, FoundPair, Slice, Values, evaluate};
pub use ids::Ids;
pub use labels::{Answer, Classes, Conflict, Kind, Labels, LabelsBuilder};
pub use random::Random;
pub use scores::{ClusterScores, Interval, Level, Ranked, average_precision, compare_clusterings, f1_of, wilson};
