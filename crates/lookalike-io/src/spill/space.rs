//! Where do temporary files lie?

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::error::Error;

/// A folder for temporary files. The files have no name, so the system removes them however the process ends.
#[derive(Clone, Debug)]
pub struct Space {
    folder: PathBuf,
    written: Arc<AtomicU64>,
}

impl Space {
    /// Uses this folder.
    pub fn new(folder: PathBuf) -> Space {
        Space { folder, written: Arc::default() }
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns how many bytes have been written to files of this space.
    pub fn written(&self) -> u64 {
        self.written.load(Relaxed)
    }

    /// Creates an empty file.
    pub(crate) fn file(&self) -> Result<File, Error> {
        tempfile::tempfile_in(&self.folder).map_err(|source| self.error(source))
    }

    pub(super) fn count(&self, bytes: u64) {
        self.written.fetch_add(bytes, Relaxed);
    }

    /// The error of a file that cannot be used.
    pub fn error(&self, source: io::Error) -> Error {
        Error::Spool { path: self.folder.clone(), source }
    }
}

/// The system's folder for temporary files.
impl Default for Space {
    fn default() -> Space {
        Space::new(std::env::temp_dir())
    }
}

/// Renames a file, and makes the new name last.
pub(super) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    #[cfg(unix)]
    if let Some(folder) = to.parent() {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}
