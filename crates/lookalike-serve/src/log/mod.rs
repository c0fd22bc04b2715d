//! What was acknowledged, on disk: files of records, written at their ends only.
//!
//! A record counts when [`Log::commit`] has returned: then it has been handed to the disk (`fdatasync`), and it is there after a power
//! loss. What is added in between is synced together. A record that cannot be written is not added, and what was can be read
//! all the same (`tail.rs`). When the log is opened, all of it is read again:
//!
//! * what was being written when the power went lies at the end of the last file, incomplete: it was never acknowledged, and is cut off;
//! * a record whose checksum is wrong, and behind which there are others, was damaged on the disk: it is left out and reported.
//!
//! A file begins with a line that names the format. When one has grown large a new one is begun, so that the oldest can be dropped as
//! time passes.

mod frame;
mod recover;
mod tail;
#[cfg(test)]
mod tests;

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use frame::Framed;
pub use recover::Recovered;
use tail::Tail;
#[cfg(test)]
pub(crate) use tail::faults::{self, Faults};

/// The first line of every file.
const FORMAT: &[u8] = b"lookalike log, version 1\n";
/// Bytes from which on a new file is begun.
const LARGE: u64 = 64 << 20;
/// Bytes of memory for a record that are kept for the next.
const KEPT: usize = 1 << 20;

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
    /// Something was not added: the disk is full, most likely.
    #[error("cannot write {path}: {source}")]
    Write {
        /// Which file.
        path: PathBuf,
        /// What the disk said.
        source: io::Error,
    },
    /// Something was added, and may not be on the disk.
    #[error("cannot sync {path}: {source}")]
    Sync {
        /// Which file.
        path: PathBuf,
        /// What the disk said.
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

impl LogError {
    /// Whether the disk has no room, or the user's or the file's share of it is used up.
    pub fn is_full(&self) -> bool {
        let (LogError::Write { source, .. } | LogError::Sync { source, .. }) = self else { return false };
        matches!(source.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge)
    }
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
    /// All files but the last, in the order of their numbers.
    files: Vec<(u32, File)>,
    /// The last, which is written to.
    tail: Tail,
    /// Room for a record.
    frame: Vec<u8>,
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
        let (mut files, end) = recover::recover(folder, &mut recovered, each)?;
        let tail = match files.pop() {
            Some((number, file)) => Tail::new(number, path_of(folder, number), file, end),
            None => Tail::begin(folder, 1, path_of(folder, 1))?,
        };
        let log = Log { folder: folder.to_path_buf(), files, tail, frame: Vec::new(), large, _lock: lock };
        Ok((log, recovered))
    }

    /// Adds a record, which is not there for good before the next commit. After an error it was not added.
    pub fn append(&mut self, payload: &[u8]) -> Result<Place, LogError> {
        if payload.len() > frame::MOST {
            return Err(LogError::TooLong(payload.len()));
        }
        let place = Place { file: self.tail.number, offset: self.tail.end(), length: payload.len() as u32 };
        self.frame.clear();
        frame::push(payload, &mut self.frame);
        self.tail.append(&self.frame)?;
        self.frame.shrink_to(KEPT);
        Ok(place)
    }

    /// When this returns, what was added is on the disk.
    ///
    /// After an error it may be or not. It can be read all the same, and the next commit writes it again.
    pub fn commit(&mut self) -> Result<(), LogError> {
        self.tail.sync()
    }

    /// Finds out whether a record of so many bytes could be added now.
    pub fn probe(&mut self, bytes: usize) -> Result<(), LogError> {
        self.tail.probe(bytes)
    }

    /// The payload of a record, committed or not.
    pub fn read(&self, place: Place) -> Result<Vec<u8>, LogError> {
        let path = path_of(&self.folder, place.file);
        let mut bytes = vec![0; frame::HEAD + place.length as usize];
        let read = if place.file == self.tail.number {
            self.tail.read(&mut bytes, place.offset)
        } else {
            let found = self.files.iter().find(|(number, _)| *number == place.file);
            let found = found.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound));
            found.and_then(|(_, file)| file.read_exact_at(&mut bytes, place.offset))
        };
        read.map_err(|error| io_error(&path, error))?;
        match frame::read(&bytes) {
            Framed::Whole(payload) => Ok(payload.to_vec()),
            Framed::Short | Framed::Damaged => Err(LogError::Damaged { path, offset: place.offset }),
        }
    }

    /// Begins a new file if the last has grown large.
    pub fn begin_next_if_large(&mut self) -> Result<(), LogError> {
        if self.tail.end() >= self.large { self.next_file().map(drop) } else { Ok(()) }
    }

    /// Begins a new file after all that was added, and tells its number.
    pub fn next_file(&mut self) -> Result<u32, LogError> {
        // Nothing syncs a file that is not the last.
        self.commit()?;
        let number = self.tail.number + 1;
        let next = Tail::begin(&self.folder, number, path_of(&self.folder, number))?;
        self.files.push(std::mem::replace(&mut self.tail, next).into_file());
        Ok(number)
    }

    /// Whether there are files before this one.
    pub fn has_before(&self, file: u32) -> bool {
        self.files.first().is_some_and(|(number, _)| *number < file)
    }

    /// Drops all files before this one.
    pub fn forget_before(&mut self, file: u32) -> Result<(), LogError> {
        while let Some(&(number, _)) = self.files.first().filter(|(number, _)| *number < file) {
            let path = path_of(&self.folder, number);
            std::fs::remove_file(&path).map_err(|error| io_error(&path, error))?;
            self.files.remove(0);
        }
        Ok(())
    }

    /// Where what was added ends.
    pub fn end(&self) -> Position {
        Position { file: self.tail.number, offset: self.tail.end() }
    }

    /// The folder that it is in.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Bytes of all files.
    pub fn bytes(&self) -> u64 {
        let before = self.files.iter().filter_map(|(_, file)| file.metadata().ok());
        self.tail.end() + before.map(|data| data.len()).sum::<u64>()
    }
}

fn path_of(folder: &Path, number: u32) -> PathBuf {
    folder.join(format!("{number:08}.log"))
}

fn io_error(path: &Path, source: io::Error) -> LogError {
    LogError::Io { path: path.to_path_buf(), source }
}
