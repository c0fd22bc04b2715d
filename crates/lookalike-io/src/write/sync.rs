//! Syncs outputs to disk, so that after a power failure every output is the old file or the complete new one.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use super::place::parent;
use super::unfinished::Temporary;
use crate::error::Error;

/// With this many files or more, sync whole file systems instead. That takes as long as a few files, but includes the writes of other
/// processes.
const MANY: usize = 64;

/// Threads that sync. Disks are fastest with several requests at a time.
const WAITING: usize = 8;

/// Syncs the bytes of these files. Each comes with its final path.
pub(super) fn files(files: &[(&Path, &Temporary)]) -> Result<(), Error> {
    if files.len() >= MANY
        && let Some(done) = file_systems(files.iter().map(|(place, _)| parent(place)))
    {
        return done.map_err(|(folder, error)| Error::write(&folder, error));
    }
    each(files, |(place, temporary)| file(temporary).map_err(|error| Error::write(place, error)))
}

/// Syncs the names in these folders. The files already have their names, so an error here does not make the run fail.
pub(super) fn folders(folders: &BTreeSet<PathBuf>, outputs: usize) {
    if outputs >= MANY && file_systems(folders.iter().map(PathBuf::as_path)).is_some() {
        return;
    }
    let folders: Vec<&PathBuf> = folders.iter().collect();
    let _ = each(&folders, |folder| {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
        Ok(())
    });
}

/// Syncs the bytes of a file.
fn file(temporary: &Temporary) -> io::Result<()> {
    let synced = match &temporary.file {
        Some(file) => file.sync_all(),
        // Windows syncs only a file that is open for writing. Elsewhere a file may be one that even its owner may not write.
        None => {
            OpenOptions::new().read(true).write(cfg!(windows)).open(&temporary.path).and_then(|file| file.sync_all())
        }
    };
    match synced {
        // The file system does not support it.
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => Ok(()),
        other => other,
    }
}

/// Calls `act` with each item, on several threads. Returns the first error.
fn each<T: Sync>(all: &[T], act: impl Fn(&T) -> Result<(), Error> + Sync) -> Result<(), Error> {
    if let [one] = all {
        return act(one);
    }
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(None));
    let work = || {
        while let Some(one) = all.get(next.fetch_add(1, Relaxed)) {
            if let Err(error) = act(one) {
                next.store(all.len(), Relaxed);
                failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..WAITING.min(all.len()) {
            // Without memory for another thread, those that run do all of it.
            if std::thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
    failed.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
}

/// Syncs the file systems of these folders. `None` if the operating system cannot do that and report errors.
#[cfg(target_os = "linux")]
fn file_systems<'a>(folders: impl Iterator<Item = &'a Path>) -> Option<Result<(), (PathBuf, io::Error)>> {
    use std::os::unix::fs::MetadataExt;

    let folders: BTreeSet<&Path> = folders.collect();
    let mut by_device = std::collections::BTreeMap::new();
    for folder in folders {
        by_device.entry(folder.metadata().ok()?.dev()).or_insert(folder);
    }
    let sync = |folder: &Path| File::open(folder).and_then(|open| Ok(rustix::fs::syncfs(open)?));
    let done =
        by_device.into_values().try_for_each(|folder| sync(folder).map_err(|error| (folder.to_path_buf(), error)));
    Some(done)
}

#[cfg(not(target_os = "linux"))]
fn file_systems<'a>(_folders: impl Iterator<Item = &'a Path>) -> Option<Result<(), (PathBuf, io::Error)>> {
    None
}
