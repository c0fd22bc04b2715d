use crate::join::JoinError;
use crate::measure::ThresholdError;
use crate::sets::SetsError;
use crate::window::{SpanError, WindowError};

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A threshold that the measure does not allow.
    #[error(transparent)]
    Threshold(#[from] ThresholdError),
    /// Sets cannot be held or compared: there is not enough memory, or there are too many of them.
    #[error(transparent)]
    Sets(#[from] SetsError),
    /// A keep order that leaves a document out, or names one twice or one that is not there.
    #[error("the keep order does not name each of the {documents} documents once")]
    KeepOrder {
        /// How many there are.
        documents: usize,
    },
    /// Not as many ids as documents.
    #[error("{ids} ids for {documents} documents; each document needs one")]
    Ids {
        /// How many ids there are.
        ids: usize,
        /// How many documents.
        documents: usize,
    },
    /// Two corpora that were made with different measures.
    #[error("one corpus is compared by {one} and the other by {two}; build both with the same measure")]
    Measures {
        /// The measure of the first.
        one: &'static str,
        /// The measure of the second.
        two: &'static str,
    },
    /// A window that cannot be.
    #[error(transparent)]
    Span(#[from] SpanError),
    /// A measure that a window cannot compare by.
    #[error(transparent)]
    Window(#[from] WindowError),
    /// The system starts no more threads.
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        /// How many were wanted.
        threads: usize,
        /// Why not.
        reason: String,
    },
    /// The call was cancelled by its handle.
    #[error("cancelled")]
    Cancelled,
}

impl From<JoinError> for Error {
    fn from(error: JoinError) -> Error {
        match error {
            JoinError::Sets(error) => Error::Sets(error),
            JoinError::KeepOrder { documents } => Error::KeepOrder { documents },
            JoinError::References { documents, .. } => Error::KeepOrder { documents },
            JoinError::Cancelled(_) => Error::Cancelled,
        }
    }
}
