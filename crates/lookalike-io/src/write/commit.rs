//! Gives all outputs of a run their names together.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::output::Finished;
use super::place::parent;
use super::sync;
use super::unfinished::{Temporary, unfinished};
use crate::error::Error;

/// Gives all outputs of a run their names, or none of them. Syncs the bytes to disk before, and the names after. The run is then done, and
/// is not interrupted any more.
pub fn commit(outputs: Vec<Finished>) -> Result<(), Error> {
    put_in_place(outputs, true)
}

/// As `commit`, for a run that goes on: it will write outputs again, and an interruption ends it.
pub fn commit_and_go_on(outputs: Vec<Finished>) -> Result<(), Error> {
    put_in_place(outputs, false)
}

fn put_in_place(outputs: Vec<Finished>, is_done: bool) -> Result<(), Error> {
    let files: Vec<(&Path, &Temporary)> =
        outputs.iter().filter_map(|output| Some((&*output.path, output.temporary.as_ref()?))).collect();
    // Syncing may take long. A run that is interrupted meanwhile has renamed nothing.
    sync::files(&files)?;
    // Hold the lock throughout, so that an interruption comes before all renames or after them.
    let mut unfinished = unfinished();
    // From here on a process that must end at once removes nothing: a file with its final name must stay.
    files.iter().for_each(|(_, temporary)| temporary.trace.forget());
    let mut placed: Vec<Placed> = Vec::with_capacity(files.len());
    for (place, temporary) in &files {
        match Placed::put(&temporary.path, place) {
            Ok(one) => placed.push(one),
            Err(error) => {
                placed.iter().rev().for_each(Placed::take_back);
                return Err(Error::write(place, error));
            }
        }
    }
    for one in &placed {
        unfinished.files.remove(one.from);
        one.forget_the_old();
    }
    let mut folders: BTreeSet<PathBuf> = files.iter().map(|(place, _)| parent(place).to_path_buf()).collect();
    folders.extend(unfinished.folders.iter().map(|folder| parent(folder).to_path_buf()));
    sync::folders(&folders, files.len());
    if is_done {
        unfinished.set_in_place(files.len());
    } else {
        // They hold outputs now.
        unfinished.folders.clear();
    }
    Ok(())
}

/// A renamed output, with what is needed to undo the rename.
struct Placed<'a> {
    from: &'a Path,
    to: &'a Path,
    before: Before,
}

/// What had the name before.
enum Before {
    Nothing,
    /// A file, which now has the temporary name.
    Exchanged,
    /// A file that is lost, because the file system cannot exchange two names.
    Gone,
}

impl Placed<'_> {
    fn put<'a>(from: &'a Path, to: &'a Path) -> io::Result<Placed<'a>> {
        let exists = fs::symlink_metadata(to).is_ok_and(|metadata| metadata.is_file());
        let before = match exists.then(|| exchange(from, to)) {
            Some(Ok(())) => Before::Exchanged,
            // If the rename fails too, its error is the better one.
            Some(Err(_)) => {
                fs::rename(from, to)?;
                Before::Gone
            }
            None => {
                fs::rename(from, to)?;
                Before::Nothing
            }
        };
        Ok(Placed { from, to, before })
    }

    /// Undoes the rename. Ignores errors: the error that led here matters more.
    fn take_back(&self) {
        let _ = match self.before {
            Before::Nothing => fs::rename(self.to, self.from),
            Before::Exchanged => exchange(self.from, self.to),
            Before::Gone => Ok(()),
        };
    }

    /// Removes the file that was replaced.
    fn forget_the_old(&self) {
        if let Before::Exchanged = self.before {
            // If this fails, a hidden file is left over.
            let _ = fs::remove_file(self.from);
        }
    }
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn exchange(one: &Path, two: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};

    Ok(renameat_with(CWD, one, CWD, two, RenameFlags::EXCHANGE)?)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn exchange(_one: &Path, _two: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
