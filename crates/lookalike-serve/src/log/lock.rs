//! Who may read and write the files of a folder.

use std::fs::{File, OpenOptions};
use std::path::Path;
use std::sync::Arc;

use super::error::{LogError, io_error};

/// An exclusive lock on a folder, released when the last clone is dropped.
#[derive(Clone)]
pub struct Lock {
    _file: Arc<File>,
}

impl Lock {
    /// Locks a folder, and creates it if necessary. Fails if another process holds the lock.
    pub fn take(folder: &Path) -> Result<Lock, LogError> {
        std::fs::create_dir_all(folder).map_err(|error| io_error(folder, error))?;
        let path = folder.join("lock");
        let open = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        let file = open.map_err(|error| io_error(&path, error))?;
        match file.try_lock() {
            Ok(()) => Ok(Lock { _file: Arc::new(file) }),
            Err(std::fs::TryLockError::WouldBlock) => Err(LogError::InUse(folder.to_path_buf())),
            Err(std::fs::TryLockError::Error(error)) => Err(io_error(&path, error)),
        }
    }
}
