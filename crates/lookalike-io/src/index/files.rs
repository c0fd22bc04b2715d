//! How do files of an index reach the disk, and how are they read?

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use lookalike::engine::PartBytes;
use memmap2::Mmap;
#[cfg(unix)]
use memmap2::UncheckedAdvice;

use super::error::IndexError;

/// Writes a new file and syncs it.
pub(super) fn write_new<T>(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<T>,
) -> Result<T, IndexError> {
    let written = File::create(path).and_then(|file| {
        let mut out = BufWriter::with_capacity(1 << 20, file);
        let done = write(&mut out)?;
        let file = out.into_inner().map_err(|error| error.into_error())?;
        file.sync_all()?;
        Ok(done)
    });
    written.map_err(|error| {
        // Free the space: the disk may be full.
        let _ = fs::remove_file(path);
        IndexError::write(path, error)
    })
}

/// Replaces a file as a whole: readers see the old one or the new one, also after a power failure.
pub(super) fn replace(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), IndexError> {
    let (new, path) = (folder.join(format!("{name}.new")), folder.join(name));
    // What the new file names must be there before it.
    sync_folder(folder)?;
    write_new(&new, |out| out.write_all(bytes))?;
    fs::rename(&new, &path).map_err(|error| IndexError::write(&path, error))?;
    sync_folder(folder)
}

/// Syncs the names in a folder. Windows opens no folders, and has no such call.
pub(super) fn sync_folder(folder: &Path) -> Result<(), IndexError> {
    if cfg!(windows) {
        return Ok(());
    }
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(|error| IndexError::write(folder, error))
}

/// A file of an index, mapped.
pub struct MappedFile(Mmap);

impl AsRef<[u8]> for MappedFile {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl PartBytes for MappedFile {
    fn release(&self) {
        // A hint: where it does not work, the system takes pages when it needs them.
        // SAFETY: the file is mapped to be read only, so a page that is dropped is read again with the same bytes.
        #[cfg(unix)]
        let _ = unsafe { self.0.unchecked_advise(UncheckedAdvice::DontNeed) };
    }
}

/// Maps a file that no process changes.
pub(super) fn map(path: &Path) -> Result<MappedFile, IndexError> {
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => IndexError::damaged(path, "it is missing"),
        _ => IndexError::read(path, error),
    };
    let file = File::open(path).map_err(failed)?;
    if file.metadata().map_err(failed)?.len() == 0 {
        return Err(IndexError::damaged(path, "it is empty"));
    }
    // SAFETY: files of an index are never changed after they are written: they are replaced and removed as a whole.
    unsafe { Mmap::map(&file) }.map(MappedFile).map_err(failed)
}
