//! What can go wrong with a log.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Why a log cannot be opened, read or written.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// An I/O error.
    #[error("{path}: {source}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A record could not be appended, most likely because the disk is full.
    #[error("cannot write {path}: {source}")]
    Write {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// Records were appended, but may not be on disk.
    #[error("cannot sync {path}: {source}")]
    Sync {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A file that is not a log, or that a later version wrote.
    #[error("{0} is not a log that this version can read")]
    Format(PathBuf),
    /// Another process holds the lock.
    #[error("{0} is in use by another process")]
    InUse(PathBuf),
    /// A record whose checksum is wrong.
    #[error("{path}: the record at byte {offset} is damaged")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The offset of the record.
        offset: u64,
    },
    /// A record that is too long.
    #[error("a record of {0} bytes is too long")]
    TooLong(usize),
}

impl LogError {
    /// Whether the disk is full, or a quota or the maximum file size is reached.
    pub fn is_full(&self) -> bool {
        let (LogError::Write { source, .. } | LogError::Sync { source, .. }) = self else { return false };
        matches!(source.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge)
    }
}

pub(super) fn io_error(path: &Path, source: io::Error) -> LogError {
    LogError::Io { path: path.to_path_buf(), source }
}
