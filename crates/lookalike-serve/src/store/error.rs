//! Why a document cannot be stored or read.

use crate::log::LogError;

/// Why a document cannot be stored or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another document has this id.
    #[error("another document has the id {0}")]
    IdTaken(String),
    /// The log cannot be read or written.
    #[error(transparent)]
    Log(#[from] LogError),
    /// An entry of the log that this version did not write.
    #[error("the log has an entry that cannot be read: {0}")]
    Entry(#[from] serde_json::Error),
}
