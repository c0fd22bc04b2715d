//! What a run has begun and not yet put in place, so that an interrupted run can take it away.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use super::leftovers::{self, Leftovers};
use super::place::{follow_links, parent};
use super::rights;
use crate::at_once::{self, Trace};
use crate::error::Error;

static UNFINISHED: LazyLock<Mutex<Unfinished>> = LazyLock::new(Mutex::default);

/// Finished files that stay open until they have their names, and so locked. There may be more outputs than open files.
const KEPT_OPEN: usize = 64;

/// Names in a row that may be taken by others.
const MOST_TAKEN: usize = 100;

#[derive(Default)]
pub(super) struct Unfinished {
    /// Files beside their places.
    pub(super) files: HashSet<PathBuf>,
    /// Folders made for outputs, each before what lies in it.
    pub(super) folders: Vec<PathBuf>,
    /// How many outputs the run put in place, if it has got so far.
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
    /// Says that the run has put everything in place.
    pub(super) fn set_in_place(&mut self, outputs: usize) {
        self.folders.clear();
        self.in_place = Some(outputs);
    }

    /// Takes away all there is, unless the run has put everything in place; says whether it did.
    fn discard(&mut self) -> bool {
        if self.in_place.is_some() {
            return false;
        }
        for path in self.files.drain() {
            // Already on the way out; there is nobody left to tell.
            let _ = fs::remove_file(path);
        }
        self.discard_folders();
        true
    }

    fn discard_folders(&mut self) {
        for folder in self.folders.drain(..).rev() {
            // One that is not empty, for whatever reason, stays.
            let _ = fs::remove_dir(folder);
        }
    }
}

/// For a process that is interrupted: takes away whatever is unfinished, so that nothing was written. The process must then end, for
/// nothing can be put in place or begun any more. False if the run has put its outputs in place: then it is done, and must end as it
/// would have ended. While outputs are being put in place, this waits.
pub fn discard_unfinished() -> bool {
    let mut unfinished = unfinished();
    let is_discarded = unfinished.discard();
    if is_discarded {
        std::mem::forget(unfinished);
    }
    is_discarded
}

/// How many outputs the run has put in place.
pub fn in_place() -> usize {
    unfinished().in_place.unwrap_or(0)
}

/// Makes the folder that an output lies in, and those above it.
pub fn make_folder_of(place: &Path) -> Result<(), Error> {
    if parent(place).is_dir() {
        return Ok(());
    }
    let folder = follow_links(parent(place));
    let mut missing: Vec<&Path> =
        folder.ancestors().take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists()).collect();
    missing.reverse();
    missing.iter().for_each(|folder| at_once::remember_folder(folder));
    // Held until they are there: an interruption between the two would leave them behind.
    let mut unfinished = unfinished();
    unfinished.folders.extend(missing.into_iter().map(Path::to_path_buf));
    fs::create_dir_all(&folder).map_err(|error| Error::write(&folder, error))
}

/// Takes away the folders that were made for outputs that never came.
pub fn discard_folders() {
    unfinished().discard_folders();
}

/// A file beside its place; it goes away with this value.
pub(super) struct Temporary {
    pub(super) path: PathBuf,
    /// Open, and so locked, if it is not one of many that are finished.
    pub(super) file: Option<File>,
    is_finished: bool,
    /// For a process that must end at once.
    pub(super) trace: Trace,
}

impl Temporary {
    /// Begins a file beside a place. If it is to replace another, the same people may read it, from the first byte on.
    pub(super) fn create(place: &Path) -> io::Result<(Temporary, File)> {
        let name = place.file_name().ok_or(io::ErrorKind::InvalidFilename)?.to_string_lossy();
        let replaced = fs::metadata(place).ok();
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        if replaced.is_some() {
            options.mode(rights::ONLY_MINE);
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
                    let _ = replaced.map(|replaced| rights::copy(&replaced, &file));
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

    /// Says that all is written.
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
            // If it cannot be removed, it is a hidden file more; the error that brought us here matters more.
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run with a file and a folder that are unfinished.
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
