//! Why can a folder not be watched any longer?

use std::io;
use std::path::{Path, PathBuf};

use crate::log::LogError;
use crate::store::StoreError;

/// Why a folder cannot be watched any longer. All verdicts are in the log, and the next run continues from there.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// An I/O error.
    #[error("{path}: {source}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The folder to be watched does not exist.
    #[error("no such folder: {}", .0.display())]
    NoFolder(PathBuf),
    /// The store cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The log of linked files cannot be read or written.
    #[error(transparent)]
    Log(#[from] LogError),
    /// One folder has two roles.
    #[error("cannot use {0}: {1}")]
    Same(PathBuf, &'static str),
}

/// Adds a path to an I/O error.
pub(super) fn at(path: &Path) -> impl Fn(io::Error) -> FolderError {
    move |source| FolderError::Io { path: path.to_path_buf(), source }
}
