//! What can go wrong with an index in a folder?

use std::io;
use std::path::{Path, PathBuf};

use lookalike::PartError;
use lookalike::engine::JoinError;

/// Why an index cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IndexError {
    /// A file cannot be read.
    #[error("cannot read {}: {source}", .path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {source}", .path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file is damaged, cut off or missing.
    #[error("{} cannot be used: {reason}. Restore the index from a copy, or make a new one", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The folder has no index.
    #[error("there is no index in {}; `lookalike dedup FILE --index {}` makes one", .0.display(), .0.display())]
    NoIndex(PathBuf),
    /// The folder has other files.
    #[error("{} contains files that are not part of an index ({file}); use a new or empty folder", .folder.display())]
    OtherFiles {
        /// The folder.
        folder: PathBuf,
        /// One of the files.
        file: String,
    },
    /// Another process writes to the index.
    #[error("{} is being written to by {holder}; try again when it is done", .folder.display())]
    InUse {
        /// The folder.
        folder: PathBuf,
        /// Who holds the lock, and since when.
        holder: String,
    },
    /// The index was made with other settings.
    #[error("the index in {} was made with {made}, but this run has {asked}; use the settings of the index, or another index", .folder.display())]
    Differs {
        /// The folder.
        folder: PathBuf,
        /// The settings of the index that differ.
        made: String,
        /// Those of this run.
        asked: String,
    },
    /// A part cannot be made, or the work was cancelled.
    #[error(transparent)]
    Part(PartError),
}

impl IndexError {
    /// Whether the work was cancelled.
    pub(super) fn is_cancelled(&self) -> bool {
        matches!(self, IndexError::Part(PartError::Join(JoinError::Cancelled(_))))
    }

    pub(super) fn read(path: &Path, source: io::Error) -> IndexError {
        IndexError::Read { path: path.to_path_buf(), source }
    }

    pub(super) fn write(path: &Path, source: io::Error) -> IndexError {
        IndexError::Write { path: path.to_path_buf(), source }
    }

    pub(super) fn damaged(path: &Path, reason: impl ToString) -> IndexError {
        IndexError::Damaged { path: path.to_path_buf(), reason: reason.to_string() }
    }
}
