//! Which settings does a window refuse?

use crate::measure::Measure;

/// Settings that a window does not support.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WindowError {
    /// The measure is a distance.
    #[error("a window compares by a similarity, and {measure} is a distance")]
    Distance {
        /// The measure.
        measure: Measure,
    },
}
