//! The files of a log: opening, appending, reading, deleting.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use super::error::{LogError, io_error};
use super::frame::{self, Framed};
use super::layout::path_of;
use super::lock::Lock;
use super::place::{Place, Position};
use super::recover::{self, Recovered};
use super::tail::Tail;

/// File size, in bytes, at which a new file is started.
const LARGE: u64 = 64 << 20;
/// Bytes of buffer that are kept from record to record.
const KEPT: usize = 1 << 20;

/// An open log.
pub struct Log {
    folder: PathBuf,
    /// All files but the last, by number.
    files: Vec<(u32, File)>,
    /// The last file, to which records are appended.
    tail: Tail,
    /// A buffer for one record.
    frame: Vec<u8>,
    large: u64,
    _lock: Lock,
}

impl Log {
    /// Opens the log in a folder, and creates the folder if necessary. Calls `each` with every record, in the order of writing.
    pub fn open(folder: &Path, each: impl FnMut(Place, &[u8])) -> Result<(Log, Recovered), LogError> {
        Log::open_locked(folder, Lock::take(folder)?, each)
    }

    /// The same as [`open`](Log::open), for a caller that already holds the folder's lock.
    pub fn open_locked(
        folder: &Path,
        lock: Lock,
        each: impl FnMut(Place, &[u8]),
    ) -> Result<(Log, Recovered), LogError> {
        Log::open_with(folder, lock, LARGE, each)
    }

    pub(super) fn open_with(
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

    /// Appends a record, which becomes durable with the next commit. After an error it is not in the log.
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

    /// Syncs all appended records to disk.
    ///
    /// After an error they may or may not be on disk. They stay readable, and the next commit writes them again.
    pub fn commit(&mut self) -> Result<(), LogError> {
        self.tail.sync()
    }

    /// Checks whether a record of this many bytes could be appended now.
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

    /// Starts a new file if the last has grown large.
    pub fn begin_next_if_large(&mut self) -> Result<(), LogError> {
        if self.tail.end() >= self.large { self.next_file().map(drop) } else { Ok(()) }
    }

    /// Commits, starts a new file, and returns its number.
    pub fn next_file(&mut self) -> Result<u32, LogError> {
        // Only the last file is ever synced.
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

    /// Deletes all files before this one.
    pub fn forget_before(&mut self, file: u32) -> Result<(), LogError> {
        while let Some(&(number, _)) = self.files.first().filter(|(number, _)| *number < file) {
            let path = path_of(&self.folder, number);
            std::fs::remove_file(&path).map_err(|error| io_error(&path, error))?;
            self.files.remove(0);
        }
        Ok(())
    }

    /// The end of the last record.
    pub fn end(&self) -> Position {
        Position { file: self.tail.number, offset: self.tail.end() }
    }

    /// The folder of the log.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The size of all files, in bytes.
    pub fn bytes(&self) -> u64 {
        let before = self.files.iter().filter_map(|(_, file)| file.metadata().ok());
        self.tail.end() + before.map(|data| data.len()).sum::<u64>()
    }
}
