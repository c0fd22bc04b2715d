//! The file at whose end the log is written, and what is known of its bytes.
//!
//! A disk may be full, or fail. Then three things hold:
//!
//! * A record that could not be written whole is cut off again before anything else is written, so that none ever lies half-written in
//!   the middle of a file.
//! * What has not been synced is kept in memory. A kernel may drop what it could not sync and say nothing of it the next time, so
//!   after a failed sync the file is opened anew, and all that is not known to be on the disk is written again, in its place.
//! * What was written can be read, whatever the disk does now.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use super::{FORMAT, LogError};

/// Bytes of memory that are kept from sync to sync.
const KEPT: usize = 1 << 20;

pub(super) struct Tail {
    pub(super) number: u32,
    path: PathBuf,
    file: File,
    /// How many of its bytes are on the disk for certain.
    synced: u64,
    /// Those behind them.
    unsynced: Vec<u8>,
    /// Whether the file may have more, of a record that could not be written whole.
    is_torn: bool,
    /// Whether a sync failed, so that nobody knows what the file has behind the synced bytes.
    is_doubtful: bool,
}

impl Tail {
    /// A file of which all bytes are on the disk.
    pub(super) fn new(number: u32, path: PathBuf, file: File, synced: u64) -> Tail {
        Tail { number, path, file, synced, unsynced: Vec::new(), is_torn: false, is_doubtful: false }
    }

    /// Begins a file. After an error there is none.
    pub(super) fn begin(folder: &Path, number: u32, path: PathBuf) -> Result<Tail, LogError> {
        let begin = || -> io::Result<File> {
            let file = OpenOptions::new().read(true).write(true).create_new(true).open(&path)?;
            disk::write(&file, FORMAT, 0)?;
            file.sync_all()?;
            // The name must be there after a power loss too.
            File::open(folder)?.sync_all()?;
            Ok(file)
        };
        match begin() {
            Ok(file) => Ok(Tail::new(number, path, file, FORMAT.len() as u64)),
            Err(source) => {
                if source.kind() != io::ErrorKind::AlreadyExists {
                    // Or its name would be taken the next time. If it stays, the next start removes it.
                    let _ = std::fs::remove_file(&path);
                }
                Err(LogError::Write { path, source })
            }
        }
    }

    /// How long it is.
    pub(super) fn end(&self) -> u64 {
        self.synced + self.unsynced.len() as u64
    }

    /// The file, which is not written to any more.
    pub(super) fn into_file(self) -> (u32, File) {
        (self.number, self.file)
    }

    /// Writes a record at the end. After an error, the file is as it was before.
    pub(super) fn append(&mut self, record: &[u8]) -> Result<(), LogError> {
        self.mend()?;
        if let Err(source) = disk::write(&self.file, record, self.end()) {
            self.is_torn = true;
            // What cannot be cut off now is cut off before the next record is written.
            let _ = self.mend();
            return Err(self.cannot_write(source));
        }
        self.unsynced.extend_from_slice(record);
        Ok(())
    }

    /// Waits until all is on the disk.
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

    /// Finds out whether a record of so many bytes could be written now.
    pub(super) fn probe(&mut self, bytes: usize) -> Result<(), LogError> {
        self.mend()?;
        self.is_torn = true;
        let written = disk::write(&self.file, &vec![0; bytes], self.end()).map_err(|source| self.cannot_write(source));
        self.mend().and(written)
    }

    /// Reads from a place on, as many bytes as there is room for.
    pub(super) fn read(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        if offset < self.synced {
            return self.file.read_exact_at(bytes, offset);
        }
        let from = usize::try_from(offset - self.synced).ok();
        let kept = from.and_then(|from| self.unsynced.get(from..)?.get(..bytes.len()));
        bytes.copy_from_slice(kept.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    /// Makes the file what it should be, if it is not.
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

/// What a disk does, and in tests does not do.
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

    /// Syncs a file whose bytes between these two were written since the last time.
    pub(super) fn sync(file: &File, _from: u64, _to: u64) -> io::Result<()> {
        #[cfg(test)]
        super::faults::on_sync(file, _from, _to)?;
        file.sync_data()
    }
}

/// A disk that fails, for the tests of one thread.
#[cfg(test)]
pub(crate) mod faults {
    use std::cell::Cell;
    use std::fs::File;
    use std::io;
    use std::os::unix::fs::FileExt;

    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub(crate) struct Faults {
        /// Bytes that a file may have.
        pub(crate) room: Option<u64>,
        /// Whether a file cannot be made shorter.
        pub(crate) no_cuts: bool,
        /// Whether a sync fails, and what was to be synced is lost.
        pub(crate) no_syncs: bool,
    }

    thread_local! {
        static FAULTS: Cell<Faults> = Cell::default();
    }

    /// From now on, the disk fails so.
    pub(crate) fn set(faults: Faults) {
        FAULTS.set(faults);
    }

    /// Writes as much as there is room for.
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
