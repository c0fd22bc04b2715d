//! What was acknowledged, on disk: files of records, written at their ends only.
//!
//! A record counts when [`Log::commit`] has returned: then it has been handed to the disk (`fdatasync`), and it is there after a power
//! loss. What is written together is synced together. When the log is opened, all of it is read again:
//!
//! * what was being written when the power went lies at the end of the last file, incomplete: it was never acknowledged, and is cut off;
//! * a record whose checksum is wrong, and behind which there are others, was damaged on the disk: it is left out and reported.
//!
//! A file begins with a line that names the format. When one has grown large a new one is begun, so that the oldest can be dropped as
//! time passes.

mod frame;
mod recover;
#[cfg(test)]
mod tests;

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use frame::Framed;
pub use recover::Recovered;

/// The first line of every file.
const FORMAT: &[u8] = b"lookalike log, version 1\n";
/// Bytes from which on a new file is begun.
const LARGE: u64 = 64 << 20;

/// What can be wrong with a log.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The disk.
    #[error("{path}: {source}")]
    Io {
        /// Which file or folder.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// A file that is no log, or one of a later version.
    #[error("{0} is no log that this version can read")]
    Format(PathBuf),
    /// Another process has it.
    #[error("{0} is in use by another process")]
    InUse(PathBuf),
    /// A record that is not what was written.
    #[error("{path}: the record at byte {offset} is damaged")]
    Damaged {
        /// In which file.
        path: PathBuf,
        /// Where.
        offset: u64,
    },
    /// A record that is too long.
    #[error("a record of {0} bytes is too long")]
    TooLong(usize),
}

/// Where a record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// In which file.
    pub file: u32,
    /// Where it begins.
    pub offset: u64,
    /// Bytes of the payload.
    pub length: u32,
}

/// An open log.
pub struct Log {
    folder: PathBuf,
    /// All files, in the order of their numbers; the last is written to.
    files: Vec<(u32, File)>,
    /// How long the last is.
    end: u64,
    /// What has not been written yet.
    waiting: Vec<u8>,
    /// Whether something was written and may not be on the disk yet.
    is_unsynced: bool,
    large: u64,
    /// Held as long as the log is open.
    _lock: Lock,
}

/// Who has it may read and write what lies in a folder.
#[derive(Clone)]
pub struct Lock {
    _file: Arc<File>,
}

impl Lock {
    /// Takes the lock of a folder, which is made if it is not there. Two processes must not write one log.
    pub fn take(folder: &Path) -> Result<Lock, LogError> {
        std::fs::create_dir_all(folder).map_err(|error| io_error(folder, error))?;
        let path = folder.join("lock");
        let open = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        let file = open.map_err(|error| io_error(&path, error))?;
        match file.try_lock() {
            Ok(()) => Ok(Lock { _file: Arc::new(file) }),
            Err(std::fs::TryLockError::WouldBlock) => Err(LogError::InUse(folder.to_path_buf())),
            Err(std::fs::TryLockError::Error(error)) => Err(io_error(&path, error)),
        }
    }
}

/// Where something begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// In which file.
    pub file: u32,
    /// Where in that.
    pub offset: u64,
}

impl Place {
    /// Where it begins.
    pub fn position(&self) -> Position {
        Position { file: self.file, offset: self.offset }
    }

    /// Where it ends.
    pub fn end(&self) -> Position {
        Position { offset: self.offset + (frame::HEAD + self.length as usize) as u64, ..self.position() }
    }
}

impl Log {
    /// Opens the log in a folder, which is made if it is not there, and calls `each` with every record, in the order in which they were
    /// written.
    pub fn open(folder: &Path, each: impl FnMut(Place, &[u8])) -> Result<(Log, Recovered), LogError> {
        Log::open_locked(folder, Lock::take(folder)?, each)
    }

    /// The same, by one who has the folder's lock.
    pub fn open_locked(
        folder: &Path,
        lock: Lock,
        each: impl FnMut(Place, &[u8]),
    ) -> Result<(Log, Recovered), LogError> {
        Log::open_with(folder, lock, LARGE, each)
    }

    fn open_with(
        folder: &Path,
        lock: Lock,
        large: u64,
        each: impl FnMut(Place, &[u8]),
    ) -> Result<(Log, Recovered), LogError> {
        let mut recovered = Recovered::default();
        let (files, end) = recover::recover(folder, &mut recovered, each)?;
        let mut log = Log {
            folder: folder.to_path_buf(),
            files,
            end,
            waiting: Vec::new(),
            is_unsynced: false,
            large,
            _lock: lock,
        };
        if log.files.is_empty() {
            log.begin_file(1)?;
        }
        Ok((log, recovered))
    }

    /// Adds a record, which is not there for good before the next commit.
    pub fn append(&mut self, payload: &[u8]) -> Result<Place, LogError> {
        if payload.len() > frame::MOST {
            return Err(LogError::TooLong(payload.len()));
        }
        let place = Place {
            file: self.last_number(),
            offset: self.end + self.waiting.len() as u64,
            length: payload.len() as u32,
        };
        frame::push(payload, &mut self.waiting);
        Ok(place)
    }

    /// Writes what was added. When this returns it is on the disk, if `sync` is wanted.
    ///
    /// After an error nothing can be said of what was added, nor added any more: the log must be opened again.
    pub fn commit(&mut self, sync: bool) -> Result<(), LogError> {
        let Log { folder, files, end, waiting, is_unsynced, .. } = self;
        if let Some((number, file)) = files.last_mut() {
            let failed = |error| io_error(&path_of(folder, *number), error);
            if !waiting.is_empty() {
                file.write_all(waiting).map_err(failed)?;
                *end += waiting.len() as u64;
                waiting.clear();
                *is_unsynced = true;
            }
            if sync && *is_unsynced {
                file.sync_data().map_err(failed)?;
                *is_unsynced = false;
            }
        }
        if self.end >= self.large {
            // Nothing syncs a file that is not the last.
            if self.is_unsynced {
                return self.commit(true);
            }
            self.begin_file(self.last_number() + 1)?;
        }
        Ok(())
    }

    /// The payload of a record, committed or not.
    pub fn read(&self, place: Place) -> Result<Vec<u8>, LogError> {
        let path = path_of(&self.folder, place.file);
        if place.file == self.last_number() && place.offset >= self.end {
            let waiting = usize::try_from(place.offset - self.end).ok().and_then(|from| self.waiting.get(from..));
            return match frame::read(waiting.unwrap_or_default()) {
                Framed::Whole(payload) => Ok(payload.to_vec()),
                Framed::Short | Framed::Damaged => Err(LogError::Damaged { path, offset: place.offset }),
            };
        }
        let missing = || io_error(&path, io::Error::from(io::ErrorKind::NotFound));
        let (_, file) = self.files.iter().find(|(number, _)| *number == place.file).ok_or_else(missing)?;
        let mut bytes = vec![0; frame::HEAD + place.length as usize];
        file.read_exact_at(&mut bytes, place.offset).map_err(|error| io_error(&path, error))?;
        match frame::read(&bytes) {
            Framed::Whole(payload) => Ok(payload.to_vec()),
            Framed::Short | Framed::Damaged => Err(LogError::Damaged { path, offset: place.offset }),
        }
    }

    /// Begins a new file after all that was committed, and tells its number.
    pub fn next_file(&mut self) -> Result<u32, LogError> {
        self.commit(true)?;
        self.begin_file(self.last_number() + 1)?;
        Ok(self.last_number())
    }

    /// Drops all files before this one.
    pub fn forget_before(&mut self, file: u32) -> Result<(), LogError> {
        let file = file.min(self.last_number());
        while let Some(&(number, _)) = self.files.first().filter(|(number, _)| *number < file) {
            let path = path_of(&self.folder, number);
            std::fs::remove_file(&path).map_err(|error| io_error(&path, error))?;
            self.files.remove(0);
        }
        Ok(())
    }

    /// Where what is committed ends.
    pub fn end(&self) -> Position {
        Position { file: self.last_number(), offset: self.end }
    }

    /// The folder that it is in.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Bytes of all files.
    pub fn bytes(&self) -> u64 {
        let before = self.files.iter().rev().skip(1);
        self.end + before.filter_map(|(_, file)| file.metadata().ok()).map(|data| data.len()).sum::<u64>()
    }

    fn last_number(&self) -> u32 {
        self.files.last().map_or(0, |(number, _)| *number)
    }

    fn begin_file(&mut self, number: u32) -> Result<(), LogError> {
        let path = path_of(&self.folder, number);
        let begin = || {
            let mut file = OpenOptions::new().read(true).append(true).create_new(true).open(&path)?;
            file.write_all(FORMAT)?;
            file.sync_all()?;
            // The name must be there after a power loss too.
            File::open(&self.folder)?.sync_all()?;
            Ok(file)
        };
        let file = begin().map_err(|error| io_error(&path, error))?;
        self.files.push((number, file));
        self.end = FORMAT.len() as u64;
        Ok(())
    }
}

fn path_of(folder: &Path, number: u32) -> PathBuf {
    folder.join(format!("{number:08}.log"))
}

fn io_error(path: &Path, source: io::Error) -> LogError {
    LogError::Io { path: path.to_path_buf(), source }
}
