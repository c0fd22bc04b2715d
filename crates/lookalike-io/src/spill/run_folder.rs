//! Where does a run keep what it has done, so that it can continue after a crash?
//!
//! Every file in the folder is written under another name, synced, and then renamed. So at any instant a file is whole or not there.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::space::{Space, rename};
use super::spool::{Spool, Spooled};
use crate::error::Error;

/// The folder of a run. While it is open, no other process can open it, but others can look into it.
#[derive(Debug)]
pub struct RunFolder {
    space: Space,
    lock: Option<File>,
}

/// The suffix of a file that is being written.
const UNFINISHED: &str = ".unfinished";
/// The file that is locked.
const LOCK: &str = "lock";

impl RunFolder {
    /// Opens a folder, and creates it if it is not there.
    pub fn open(path: &Path) -> Result<RunFolder, Error> {
        let space = Space::new(path.to_path_buf());
        fs::create_dir_all(path).map_err(|source| space.error(source))?;
        let lock = OpenOptions::new().create(true).truncate(false).write(true).open(path.join(LOCK));
        let lock = lock.map_err(|source| space.error(source))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(space.error(io::Error::new(ErrorKind::ResourceBusy, "another process is using it")));
            }
            Err(TryLockError::Error(source)) => return Err(space.error(source)),
        }
        Ok(RunFolder { space, lock: Some(lock) })
    }

    /// Looks into a folder that another process may be using.
    pub fn look(path: &Path) -> RunFolder {
        RunFolder { space: Space::new(path.to_path_buf()), lock: None }
    }

    /// Returns the names of the files in a folder, except the lock. A file that is being written has the name that it will get.
    /// There are none if the folder is not there.
    pub fn names(path: &Path) -> Result<Vec<String>, Error> {
        let failed = |source| Space::new(path.to_path_buf()).error(source);
        let entries = match fs::read_dir(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(failed)?,
        };
        let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
        let names: Vec<String> = names.collect::<io::Result<_>>().map_err(failed)?;
        let finished = |name: &String| name.strip_suffix(UNFINISHED).unwrap_or(name).to_string();
        Ok(names.iter().filter(|name| *name != LOCK).map(finished).collect())
    }

    /// Returns the path.
    pub fn path(&self) -> &Path {
        self.space.folder()
    }

    /// Returns whether a file is there.
    pub fn has(&self, name: &str) -> bool {
        self.path().join(name).exists()
    }

    /// Begins a file of records.
    pub fn spool(&self, name: &str) -> Result<Spool, Error> {
        let file = OpenOptions::new().create(true).truncate(true).read(true).write(true).open(self.unfinished(name));
        Ok(Spool::named(&self.space, file.map_err(|source| self.space.error(source))?, name, self.unfinished(name)))
    }

    /// Opens a finished file of records.
    pub fn spooled(&self, name: &str) -> Result<Spooled, Error> {
        let file = File::open(self.path().join(name)).map_err(|source| self.space.error(source))?;
        Spooled::open(&self.space, file, name)
    }

    /// Writes a small file, in place of an older one.
    pub fn write(&self, name: &str, content: &str) -> Result<(), Error> {
        let unfinished = self.unfinished(name);
        let write = || {
            let mut file = File::create(&unfinished)?;
            file.write_all(content.as_bytes())?;
            file.sync_all()?;
            rename(&unfinished, &self.path().join(name))
        };
        write().map_err(|source| {
            let _ = fs::remove_file(&unfinished);
            self.space.error(source)
        })
    }

    /// Reads a small file, if it is there.
    pub fn read(&self, name: &str) -> Result<Option<String>, Error> {
        match fs::read_to_string(self.path().join(name)) {
            Ok(content) => Ok(Some(content)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.space.error(error)),
        }
    }

    /// Removes a file, finished or not, if it is there.
    pub fn remove(&self, name: &str) -> Result<(), Error> {
        for path in [self.path().join(name), self.unfinished(name)] {
            match fs::remove_file(path) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(self.space.error(error)),
                _ => {}
            }
        }
        Ok(())
    }

    fn unfinished(&self, name: &str) -> PathBuf {
        self.path().join(format!("{name}{UNFINISHED}"))
    }
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        // To close the file is not enough: a child that another thread is starting has it open until it runs its own program.
        let _ = self.lock.as_ref().map(File::unlock);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_ends_with_its_run() {
        let folder = tempfile::tempdir().unwrap();
        let run = RunFolder::open(folder.path()).unwrap();
        // A child has such a copy for a moment.
        let copy = run.lock.as_ref().unwrap().try_clone().unwrap();
        assert!(RunFolder::open(folder.path()).is_err());
        drop(run);
        RunFolder::open(folder.path()).unwrap();
        drop(copy);
    }
}
