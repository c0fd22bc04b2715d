//! How are files written, copied and renamed without overwriting others?

use std::fs::{File, FileTimes, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::OFlags;

use super::read::open;

/// Renames a file, unless the name is taken.
pub(super) fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    match rename_exclusively(from, to) {
        // Not all file systems support this. The check below misses only a file that is created at the same moment.
        Err(error) if is_unsupported(&error) => match to.symlink_metadata() {
            Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
            Err(_) => std::fs::rename(from, to),
        },
        done => done,
    }
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn rename_exclusively(from: &Path, to: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};

    Ok(renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE)?)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn rename_exclusively(_from: &Path, _to: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

fn is_unsupported(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput)
}

/// Whether a hard link is impossible: between file systems, without support for links, or without permission.
pub(super) fn is_unlinkable(error: &io::Error) -> bool {
    use io::ErrorKind::{CrossesDevices, PermissionDenied, TooManyLinks, Unsupported};

    matches!(error.kind(), CrossesDevices | PermissionDenied | TooManyLinks | Unsupported)
}

/// Writes a file under a temporary name, syncs it, and renames it.
pub(super) fn write_new(path: &Path, unfinished: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = create(unfinished)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    rename_new(unfinished, path)
}

/// Copies a file with its time and permissions to a temporary name, and syncs the copy.
pub(super) fn copy(from: &Path, unfinished: &Path) -> io::Result<()> {
    let mut source = open(from)?;
    let data = source.metadata()?;
    if !data.is_file() {
        return Err(io::ErrorKind::NotFound.into());
    }
    let mut file = create(unfinished)?;
    io::copy(&mut source, &mut file)?;
    file.set_permissions(data.permissions())?;
    file.set_times(FileTimes::new().set_modified(data.modified()?))?;
    file.sync_all()
}

/// Creates a file, or truncates one that an interrupted run left.
fn create(path: &Path) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW.bits() as i32;
    OpenOptions::new().write(true).create(true).truncate(true).custom_flags(flags).open(path)
}

/// Removes a file, if it exists.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Syncs the directory entries of a folder.
pub(super) fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}
