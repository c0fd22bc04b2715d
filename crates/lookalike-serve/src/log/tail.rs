//! The file to which records are appended, and which of its bytes are known to be on disk.
//!
//! The disk may be full, or fail. Even then:
//!
//! * A partly written record is cut off before anything else is written, so no file has half a record in the middle.
//! * Bytes that are not synced yet are kept in memory. After a failed sync, a kernel may drop them and report success the next time.
//!   So the file is reopened, and all bytes not known to be on disk are written again, at the same offset.
//! * All appended records stay readable.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use super::error::LogError;
use super::layout::FORMAT;

/// Bytes of buffer that are kept from sync to sync.
const KEPT: usize = 1 << 20;

pub(super) struct Tail {
    pub(super) number: u32,
    path: PathBuf,
    file: File,
    /// How many bytes are certainly on disk.
    synced: u64,
    /// The bytes after them.
    unsynced: Vec<u8>,
    /// Whether the file may end with part of a record that could not be written.
    is_torn: bool,
    /// Whether a sync failed, so that the content after the synced bytes is unknown.
    is_doubtful: bool,
}

impl Tail {
    /// An existing file, of which all bytes are on disk.
    pub(super) fn new(number: u32, path: PathBuf, file: File, synced: u64) -> Tail {
        Tail { number, path, file, synced, unsynced: Vec::new(), is_torn: false, is_doubtful: false }
    }

    /// Creates a file. After an error, no file is left.
    pub(super) fn begin(folder: &Path, number: u32, path: PathBuf) -> Result<Tail, LogError> {
        let begin = || -> io::Result<File> {
            let file = OpenOptions::new().read(true).write(true).create_new(true).open(&path)?;
            disk::write(&file, FORMAT, 0)?;
            file.sync_all()?;
            // The directory entry must survive a power loss too.
            File::open(folder)?.sync_all()?;
            Ok(file)
        };
        match begin() {
            Ok(file) => Ok(Tail::new(number, path, file, FORMAT.len() as u64)),
            Err(source) => {
                if source.kind() != io::ErrorKind::AlreadyExists {
                    // A file left behind would block the next attempt. If it stays, the next start removes it.
                    let _ = std::fs::remove_file(&path);
                }
                Err(LogError::Write { path, source })
            }
        }
    }

    /// The length of the file.
    pub(super) fn end(&self) -> u64 {
        self.synced + self.unsynced.len() as u64
    }

    /// The file, once nothing more is appended to it.
    pub(super) fn into_file(self) -> (u32, File) {
        (self.number, self.file)
    }

    /// Appends a record. After an error, the file is as before.
    pub(super) fn append(&mut self, record: &[u8]) -> Result<(), LogError> {
        self.mend()?;
        if let Err(source) = disk::write(&self.file, record, self.end()) {
            self.is_torn = true;
            // If this fails, the next append tries again first.
            let _ = self.mend();
            return Err(self.cannot_write(source));
        }
        self.unsynced.extend_from_slice(record);
        Ok(())
    }

    /// Waits until all bytes are on disk.
    pub(super) fn sync(&mut self) -> Result<(), LogError> {
        self.mend()?;
        if self.unsynced.is_empty() {
            return Ok(());
        }
        match disk::sync(&self.file, self.synced, self.end()) {
            Ok(()) => {
                self.all_is_synced();
                Ok(())
            }
            Err(source) => {
                self.is_doubtful = true;
                Err(LogError::Sync { path: self.path.clone(), source })
            }
        }
    }

    /// Checks whether a record of this many bytes could be written now.
    pub(super) fn probe(&mut self, bytes: usize) -> Result<(), LogError> {
        self.mend()?;
        self.is_torn = true;
        let written = disk::write(&self.file, &vec![0; bytes], self.end()).map_err(|source| self.cannot_write(source));
        self.mend().and(written)
    }

    /// Fills `bytes` from an offset.
    pub(super) fn read(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        if offset < self.synced {
            return self.file.read_exact_at(bytes, offset);
        }
        let from = usize::try_from(offset - self.synced).ok();
        let kept = from.and_then(|from| self.unsynced.get(from..)?.get(..bytes.len()));
        bytes.copy_from_slice(kept.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    /// Repairs the file after a failed write or sync.
    fn mend(&mut self) -> Result<(), LogError> {
        if self.is_doubtful {
            let rewrite = || -> io::Result<File> {
                let file = OpenOptions::new().read(true).write(true).open(&self.path)?;
                disk::write(&file, &self.unsynced, self.synced)?;
                disk::cut(&file, self.end())?;
                disk::sync(&file, self.synced, self.end())?;
                Ok(file)
            };
            self.file = rewrite().map_err(|source| self.cannot_write(source))?;
            (self.is_doubtful, self.is_torn) = (false, false);
            self.all_is_synced();
        }
        if self.is_torn {
            disk::cut(&self.file, self.end()).map_err(|source| self.cannot_write(source))?;
            self.is_torn = false;
        }
        Ok(())
    }

    fn all_is_synced(&mut self) {
        self.synced = self.end();
        self.unsynced.clear();
        self.unsynced.shrink_to(KEPT);
    }

    fn cannot_write(&self, source: io::Error) -> LogError {
        LogError::Write { path: self.path.clone(), source }
    }
}

/// The operations on the disk that tests can make fail.
mod disk {
    use std::fs::File;
    use std::io;
    use std::os::unix::fs::FileExt;

    pub(super) fn write(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
        #[cfg(test)]
        let bytes = super::faults::on_write(file, bytes, offset)?;
        file.write_all_at(bytes, offset)
    }

    pub(super) fn cut(file: &File, length: u64) -> io::Result<()> {
        #[cfg(test)]
        super::faults::on_cut()?;
        file.set_len(length)
    }

    /// Syncs a file, in which the bytes from `_from` to `_to` are new.
    pub(super) fn sync(file: &File, _from: u64, _to: u64) -> io::Result<()> {
        #[cfg(test)]
        super::faults::on_sync(file, _from, _to)?;
        file.sync_data()
    }
}

/// Simulated disk failures, for the tests of one thread.
#[cfg(test)]
pub(crate) mod faults {
    use std::cell::Cell;
    use std::fs::File;
    use std::io;
    use std::os::unix::fs::FileExt;

    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub(crate) struct Faults {
        /// The maximum size of a file, in bytes.
        pub(crate) room: Option<u64>,
        /// Whether truncating a file fails.
        pub(crate) no_cuts: bool,
        /// Whether a sync fails, and loses the bytes.
        pub(crate) no_syncs: bool,
    }

    thread_local! {
        static FAULTS: Cell<Faults> = Cell::default();
    }

    /// Makes the disk fail in this way from now on.
    pub(crate) fn set(faults: Faults) {
        FAULTS.set(faults);
    }

    /// Writes as many bytes as fit.
    pub(super) fn on_write<'a>(file: &File, bytes: &'a [u8], offset: u64) -> io::Result<&'a [u8]> {
        match FAULTS.get().room {
            Some(room) if offset + bytes.len() as u64 > room => {
                file.write_all_at(&bytes[..room.saturating_sub(offset) as usize], offset)?;
                Err(io::ErrorKind::StorageFull.into())
            }
            _ => Ok(bytes),
        }
    }

    pub(super) fn on_cut() -> io::Result<()> {
        if FAULTS.get().no_cuts { Err(io::Error::other("cannot be cut")) } else { Ok(()) }
    }

    pub(super) fn on_sync(file: &File, from: u64, to: u64) -> io::Result<()> {
        if !FAULTS.get().no_syncs {
            return Ok(());
        }
        file.write_all_at(&vec![0; (to - from) as usize], from)?;
        Err(io::Error::other("the disk failed"))
    }
}
