//! Bytes and names to the disk, so that a power cut leaves every output as it was or as it was to be.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use super::place::parent;
use super::unfinished::Temporary;
use crate::error::Error;

/// Files from which on whole file systems are synced. One takes about as long as a few files, but it waits for what others wrote too.
const MANY: usize = 64;

/// Threads that wait for the disk, which does best with several requests at a time.
const WAITING: usize = 8;

/// Waits until the bytes of these files are on the disk. Each comes with its place.
pub(super) fn files(files: &[(&Path, &Temporary)]) -> Result<(), Error> {
    if files.len() >= MANY
        && let Some(done) = file_systems(files.iter().map(|(place, _)| parent(place)))
    {
        return done.map_err(|(folder, error)| Error::write(&folder, error));
    }
    each(files, |(place, temporary)| file(temporary).map_err(|error| Error::write(place, error)))
}

/// Has the names in these folders written to the disk. They are there already for everybody who looks, so a disk that refuses is no reason
/// to say that the run failed.
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

/// Waits until the bytes of a file are on the disk.
fn file(temporary: &Temporary) -> io::Result<()> {
    let synced = match &temporary.file {
        Some(file) => file.sync_all(),
        None => File::open(&temporary.path).and_then(|file| file.sync_all()),
    };
    match synced {
        // A file system that knows no such thing.
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => Ok(()),
        other => other,
    }
}

/// Does something with each, several at a time; an error is that of the first that failed.
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
            scope.spawn(work);
        }
        work();
    });
    failed.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
}

/// Syncs the file systems that these folders are on, if the operating system can do that and says how it went.
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
