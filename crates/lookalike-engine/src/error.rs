//! The errors of a job.

use std::fmt;
use std::io;

use lookalike::StorageError;
use lookalike::engine::{Cancelled, JoinError, Progress, SetsError};

/// A bad row.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The file.
    pub file: String,
    /// The row, counting from 1.
    pub row: u64,
    /// The problem.
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
    /// A file cannot be read or written.
    #[error(transparent)]
    Io(#[from] lookalike_io::Error),
    /// An index cannot be read or written.
    #[error(transparent)]
    Index(#[from] lookalike_io::index::IndexError),
    /// A bad row, under `--strict`.
    #[error("{0} (--strict stops here; nothing was written)")]
    Strict(Problem),
    /// A bad row under `--strict`, in a job that writes rows as they arrive.
    #[error("{0} (--strict stops here)")]
    Stopped(Problem),
    /// The options or the inputs do not allow it.
    #[error("{0}")]
    Usage(String),
    /// Sets cannot be stored or compared: there are too many, or memory runs out.
    #[error(transparent)]
    Join(#[from] JoinError),
    /// The system cannot start more threads.
    #[error("cannot start {threads} threads: {source}. Use --threads to start fewer, or allow more memory")]
    Threads {
        /// The number of threads.
        threads: usize,
        /// Why.
        source: io::Error,
    },
}

impl Error {
    /// Whether the job ran out of memory.
    pub fn is_out_of_memory(&self) -> bool {
        match self {
            Error::Io(error) => error.is_out_of_memory(),
            Error::Join(JoinError::Sets(SetsError::Storage(error))) => {
                matches!(error, StorageError::OutOfMemory { .. })
            }
            _ => false,
        }
    }

    /// A usage error with the message of another error.
    pub(crate) fn usage(error: impl fmt::Display) -> Error {
        Error::Usage(error.to_string())
    }
}

impl From<SetsError> for Error {
    fn from(error: SetsError) -> Error {
        Error::Join(error.into())
    }
}

/// Returns an error if the job should stop.
pub(crate) fn check_cancelled(progress: &dyn Progress) -> Result<(), Error> {
    if progress.is_cancelled() { Err(JoinError::from(Cancelled).into()) } else { Ok(()) }
}

/// The error of temporary space that cannot be used.
pub(crate) fn no_space(source: io::Error) -> Error {
    lookalike_io::Error::Spool { path: std::env::temp_dir(), source }.into()
}

/// A pool of `threads` threads.
pub(crate) fn pool(threads: usize) -> Result<rayon::ThreadPool, Error> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| Error::Threads { threads, source: io::Error::other(error) })
}
