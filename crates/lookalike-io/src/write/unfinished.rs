//! The unfinished outputs of this run, so that an interrupted run can remove them.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use super::leftovers::{self, Leftovers};
use super::permissions;
use super::place::{follow_links, parent};
use crate::at_once::{self, Trace};
use crate::error::Error;

static UNFINISHED: LazyLock<Mutex<Unfinished>> = LazyLock::new(Mutex::default);

/// The most finished files that stay open, and so locked, until they are renamed. A run may have more outputs than open files.
const KEPT_OPEN: usize = 64;

/// The most temporary names to try if others exist already.
const MOST_TAKEN: usize = 100;

#[derive(Default)]
pub(super) struct Unfinished {
    /// Files under their temporary names.
    pub(super) files: HashSet<PathBuf>,
    /// Folders created for outputs, each before the folders in it.
    pub(super) folders: Vec<PathBuf>,
    /// The number of outputs, once the run has renamed them all.
    in_place: Option<usize>,
    leftovers: Leftovers,
    /// Files begun so far.
    begun: usize,
    /// Finished files that are open.
    open: usize,
}

pub(super) fn unfinished() -> MutexGuard<'static, Unfinished> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Unfinished {
    /// Call it when the run has renamed all outputs.
    pub(super) fn set_in_place(&mut self, outputs: usize) {
        self.folders.clear();
        self.in_place = Some(outputs);
    }

    /// Removes everything, unless the run has renamed its outputs. Returns whether it removed.
    fn discard(&mut self) -> bool {
        if self.in_place.is_some() {
            return false;
        }
        for path in self.files.drain() {
            // The process is ending and cannot report an error.
            let _ = fs::remove_file(path);
        }
        self.discard_folders();
        true
    }

    fn discard_folders(&mut self) {
        for folder in self.folders.drain(..).rev() {
            // A folder that is not empty stays.
            let _ = fs::remove_dir(folder);
        }
    }
}

/// Removes everything unfinished, for a process that is interrupted. The process must then end: it can no longer create or rename outputs.
/// Returns false if the run has already renamed its outputs: then it is done and must end normally. Waits while outputs are being
/// renamed.
pub fn discard_unfinished() -> bool {
    let mut unfinished = unfinished();
    let is_discarded = unfinished.discard();
    if is_discarded {
        std::mem::forget(unfinished);
    }
    is_discarded
}

/// How many outputs the run has renamed.
pub fn in_place() -> usize {
    unfinished().in_place.unwrap_or(0)
}

/// Creates the folder of an output, and its parents.
pub fn make_folder_of(place: &Path) -> Result<(), Error> {
    if parent(place).is_dir() {
        return Ok(());
    }
    let folder = follow_links(parent(place));
    let mut missing: Vec<&Path> =
        folder.ancestors().take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists()).collect();
    missing.reverse();
    missing.iter().for_each(|folder| at_once::remember_folder(folder));
    // Hold the lock until the folders exist: an interruption in between would leave them behind.
    let mut unfinished = unfinished();
    unfinished.folders.extend(missing.into_iter().map(Path::to_path_buf));
    fs::create_dir_all(&folder).map_err(|error| Error::write(&folder, error))
}

/// Removes the empty folders that were created for outputs.
pub fn discard_folders() {
    unfinished().discard_folders();
}

/// A file under a temporary name. Dropping it removes the file.
pub(super) struct Temporary {
    pub(super) path: PathBuf,
    /// The open and locked file. `None` if too many finished files are open.
    pub(super) file: Option<File>,
    is_finished: bool,
    /// For a process that must end at once.
    pub(super) trace: Trace,
}

impl Temporary {
    /// Creates a file in the folder of `place`. If it replaces another file, it has the same permissions before its first byte.
    pub(super) fn create(place: &Path) -> io::Result<(Temporary, File)> {
        let name = place.file_name().ok_or(io::ErrorKind::InvalidFilename)?.to_string_lossy();
        let replaced = fs::metadata(place).ok();
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        if replaced.is_some() {
            permissions::only_mine(&mut options);
        }
        let mut unfinished = unfinished();
        unfinished.leftovers.remove_of(place, &name);
        let mut taken = 0;
        loop {
            let number = unfinished.begun;
            unfinished.begun += 1;
            let path = parent(place).join(leftovers::unfinished_name(&name, std::process::id(), number));
            let mut trace = Trace::of(&path);
            match options.open(&path) {
                Ok(file) if leftovers::hold(&file, &path)? => {
                    trace.set();
                    unfinished.files.insert(path.clone());
                    drop(unfinished);
                    let mut temporary = Temporary { path, file: None, is_finished: false, trace };
                    temporary.file = Some(file.try_clone()?);
                    // Not every file system has owners and modes.
                    let _ = replaced.map(|replaced| permissions::copy(&replaced, &file));
                    return Ok((temporary, file));
                }
                Ok(_) => {
                    let _ = fs::remove_file(&path);
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
            taken += 1;
            if taken == MOST_TAKEN {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
        }
    }

    /// Call it when everything is written.
    pub(super) fn finish(&mut self) {
        let mut unfinished = unfinished();
        if unfinished.open < KEPT_OPEN {
            unfinished.open += 1;
            self.is_finished = true;
        } else {
            self.file = None;
        }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let mut unfinished = unfinished();
        unfinished.open -= usize::from(self.is_finished);
        if unfinished.files.remove(&self.path) {
            // If this fails, a hidden file is left over. The error that led here matters more.
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run with an unfinished file and folder.
    fn begun(folder: &Path) -> Unfinished {
        let (file, made) = (folder.join("file"), folder.join("made"));
        fs::write(&file, "").unwrap();
        fs::create_dir(&made).unwrap();
        Unfinished { files: HashSet::from([file]), folders: vec![made], ..Unfinished::default() }
    }

    #[test]
    fn an_interrupted_run_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        assert!(begun(folder.path()).discard());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_run_that_is_done_is_not_interrupted() {
        let folder = tempfile::tempdir().unwrap();
        let mut run = begun(folder.path());
        run.set_in_place(1);
        assert!(!run.discard());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}
