//! Which measures can a window not use?

use crate::measure::Measure;

/// A measure that a window does not support.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a window compares by a similarity, and {measure} is a distance")]
pub struct WindowError {
    /// The measure.
    pub measure: Measure,
}
