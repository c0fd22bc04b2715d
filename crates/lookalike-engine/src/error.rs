//! Why a job did not finish.

use std::fmt;
use std::io;

use lookalike::StorageError;
use lookalike::engine::{JoinError, SetsError};

/// A row that is not as it should be.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The file.
    pub file: String,
    /// The row, counting from 1.
    pub row: u64,
    /// What is wrong.
    pub reason: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}, row {}: {}", self.file, self.row, self.reason)
    }
}

/// Why a job did not finish.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Something with a file.
    #[error(transparent)]
    Io(#[from] lookalike_io::Error),
    /// A bad row, under `--strict`.
    #[error("{0} (--strict stops here; nothing was written)")]
    Strict(Problem),
    /// The same where rows are answered as they come.
    #[error("{0} (--strict stops here)")]
    Stopped(Problem),
    /// Something that the user asked for cannot be.
    #[error("{0}")]
    Usage(String),
    /// Sets cannot be held or compared: there is not enough memory, or there are too many of them.
    #[error(transparent)]
    Join(#[from] JoinError),
    /// The system starts no more threads.
    #[error("cannot start {threads} threads: {source}. Use fewer with --threads, or give it more memory")]
    Threads {
        /// How many were wanted.
        threads: usize,
        /// Why not.
        source: io::Error,
    },
}

impl Error {
    /// Whether there was not enough memory.
    pub fn is_out_of_memory(&self) -> bool {
        match self {
            Error::Io(error) => error.is_out_of_memory(),
            Error::Join(JoinError::Sets(SetsError::Storage(error))) => {
                matches!(error, StorageError::OutOfMemory { .. })
            }
            _ => false,
        }
    }

    /// A mistake of the user's that something else noticed.
    pub(crate) fn usage(error: impl fmt::Display) -> Error {
        Error::Usage(error.to_string())
    }
}

impl From<SetsError> for Error {
    fn from(error: SetsError) -> Error {
        Error::Join(error.into())
    }
}

/// Temporary space that cannot be used.
pub(crate) fn no_space(source: io::Error) -> Error {
    lookalike_io::Error::Spool { path: std::env::temp_dir(), source }.into()
}

/// A pool of so many threads.
pub(crate) fn pool(threads: usize) -> Result<rayon::ThreadPool, Error> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| Error::Threads { threads, source: io::Error::other(error) })
}
