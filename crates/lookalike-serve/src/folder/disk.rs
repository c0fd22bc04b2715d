//! Files that come to a place whole, and never over another.

use std::fs::{File, FileTimes, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::OFlags;

use super::read::open;

/// Gives a file another name, if no other has it.
pub(super) fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    match rename_exclusively(from, to) {
        // Not every file system can. Then only a stranger who comes to this very name at this very moment is not seen.
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

/// Whether a file cannot have a second name there: on another file system, or on one that knows no links, or because it is a
/// stranger's.
pub(super) fn is_unlinkable(error: &io::Error) -> bool {
    use io::ErrorKind::{CrossesDevices, PermissionDenied, TooManyLinks, Unsupported};

    matches!(error.kind(), CrossesDevices | PermissionDenied | TooManyLinks | Unsupported)
}

/// Writes a file beside its place, and gives it its name when it is on the disk.
pub(super) fn write_new(path: &Path, unfinished: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = create(unfinished)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    rename_new(unfinished, path)
}

/// Copies a file beside its place, with its times and permissions, to the disk.
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

/// An empty file, or one that a run left unfinished begun anew.
fn create(path: &Path) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW.bits() as i32;
    OpenOptions::new().write(true).create(true).truncate(true).custom_flags(flags).open(path)
}

/// Takes a file away, if it is there.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// What has which name in a folder is on the disk.
pub(super) fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}
