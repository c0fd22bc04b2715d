//! Why did a call fail?

use crate::index::PartError;
use crate::join::JoinError;
use crate::measure::ThresholdError;
use crate::progress::Cancelled;
use crate::sets::SetsError;
use crate::window::{SpanError, WindowError};

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The measure does not allow this threshold.
    #[error(transparent)]
    Threshold(#[from] ThresholdError),
    /// The sets cannot be held or compared: there is not enough memory, or there are too many sets.
    #[error(transparent)]
    Sets(#[from] SetsError),
    /// The keep order omits a document, repeats one, or names one that does not exist.
    #[error("the keep order does not name each of the {documents} documents once")]
    KeepOrder {
        /// The number of documents.
        documents: usize,
    },
    /// The number of ids differs from the number of documents.
    #[error("{ids} ids for {documents} documents; each document needs one")]
    Ids {
        /// The number of ids.
        ids: usize,
        /// The number of documents.
        documents: usize,
    },
    /// The number of keys differs from the number of documents.
    #[error("{keys} keys for {documents} documents; each document needs one")]
    Keys {
        /// The number of keys.
        keys: usize,
        /// The number of documents.
        documents: usize,
    },
    /// Only one of two corpora has keys.
    #[error("only one of the two corpora is compared within keys; use `within` for both, or for neither")]
    OneWithin,
    /// `within` is used with a distance.
    #[error(
        "`within` does not work with {measure} here: under a distance, small documents are close whatever their keys. Find pairs instead, which supports it"
    )]
    Within {
        /// The measure.
        measure: &'static str,
    },
    /// A target size is used with a distance.
    #[error("a target size needs a similarity, but {measure} is a distance; use another measure")]
    Target {
        /// The measure.
        measure: &'static str,
    },
    /// Too many documents are kept at every threshold.
    #[error(
        "{kept} documents are kept at the threshold {lowest}, more than {most}; allow a lower threshold, or more documents"
    )]
    TooMany {
        /// The greatest number of documents to keep.
        most: usize,
        /// The number of documents that are kept at the lowest threshold.
        kept: usize,
        /// The lowest threshold.
        lowest: String,
    },
    /// There are more pairs than [`PairOptions::at_most`](crate::PairOptions::at_most) allows.
    #[error("more than {most} pairs reach the threshold; use a higher threshold, or raise `at_most`")]
    TooManyPairs {
        /// The most pairs.
        most: usize,
    },
    /// The two corpora have different measures.
    #[error("one corpus is compared by {one} and the other by {two}; build both with the same measure")]
    Measures {
        /// The measure of the first.
        one: &'static str,
        /// The measure of the second.
        two: &'static str,
    },
    /// The window's lengths of time are not valid.
    #[error(transparent)]
    Span(#[from] SpanError),
    /// A window cannot use this measure.
    #[error(transparent)]
    Window(#[from] WindowError),
    /// An index cannot use a distance.
    #[error("an index needs a similarity, but {measure} is a distance; use another measure")]
    Distance {
        /// The measure.
        measure: &'static str,
    },
    /// A lower threshold than that of the index is asked for.
    #[error("the index finds similarities of {lowest} or more, and not {asked}; make an index with a lower threshold")]
    BelowIndex {
        /// The threshold that is asked for.
        asked: String,
        /// The threshold of the index.
        lowest: String,
    },
    /// Two documents of a batch have the same id.
    #[error("two documents have the id '{id}'; each document of an index needs its own")]
    RepeatedId {
        /// The id.
        id: String,
    },
    /// The documents cannot be held or compared by an index.
    #[error(transparent)]
    Index(PartError),
    /// The system cannot start the threads.
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        /// The number of threads.
        threads: usize,
        /// The reason.
        reason: String,
    },
    /// A result names a document that is not in the corpus.
    #[error("there is no document {document}; the corpus has {documents}")]
    NoDocument {
        /// The number.
        document: usize,
        /// The number of documents.
        documents: usize,
    },
    /// A result names a twin that does not exist.
    #[error("document {document}: there is no twin {twin}; its corpus has {documents} documents")]
    NoTwin {
        /// The removed document.
        document: usize,
        /// The number of its twin.
        twin: usize,
        /// The number of documents in the corpus of the twin.
        documents: usize,
    },
    /// The handle cancelled the call.
    #[error("cancelled")]
    Cancelled,
}

impl From<Cancelled> for Error {
    fn from(_: Cancelled) -> Error {
        Error::Cancelled
    }
}

impl From<JoinError> for Error {
    fn from(error: JoinError) -> Error {
        match error {
            JoinError::Sets(error) => Error::Sets(error),
            JoinError::KeepOrder { documents } => Error::KeepOrder { documents },
            JoinError::References { documents, .. } => Error::KeepOrder { documents },
            JoinError::TooManyPairs { most } => Error::TooManyPairs { most },
            JoinError::Cancelled(_) => Error::Cancelled,
        }
    }
}

impl From<PartError> for Error {
    fn from(error: PartError) -> Error {
        match error {
            PartError::Join(error) => error.into(),
            other => Error::Index(other),
        }
    }
}
