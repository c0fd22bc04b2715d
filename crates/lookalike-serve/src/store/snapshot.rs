//! How does the next start take less time? A file holds the window as of a position in the log.
//!
//! A snapshot is made when the service ends, and from time to time before, in case it crashes. It only saves work: the log is always read
//! from end to end, and a snapshot that is damaged, incomplete or of other settings is ignored. There is at most one, beside the log. It
//! is written under another name and then renamed.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};

use lookalike::engine::{Recipe, SetMaker, SetWindow};
use xxhash_rust::xxh3::Xxh3;

use crate::log::{Log, LogError, Position};

/// The first line.
const FORMAT: &str = "lookalike snapshot, version 1";
/// Bytes of the checksum at the end.
const SUM: u64 = 8;
/// Bytes that are written and read at a time.
const BLOCK: usize = 1 << 18;
/// The minimum number of new bytes for another snapshot; few in tests, whose logs are short.
const MUCH: u64 = if cfg!(test) { 700 } else { 32 << 20 };

/// A snapshot whose header matches.
pub(super) struct Snapshot {
    /// The window has all documents before this position of the log.
    pub(super) at: Position,
    file: File,
    /// Bytes of the header.
    head: u64,
}

/// The lines that must match: the version of the program, the recipe, and a hash of an example's set. A window checks its own settings.
fn settings(recipe: Recipe) -> String {
    let mut sum = Xxh3::new();
    SetMaker::new(recipe).set(EXAMPLE).iter().for_each(|element| sum.update(&element.to_le_bytes()));
    format!("{FORMAT}\nlookalike {}, {recipe:?}, {:016x}\n", env!("CARGO_PKG_VERSION"), sum.digest())
}

/// A text that exercises as many rules of tokenizing as possible.
const EXAMPLE: &str = "The ferry can’t leave at 9.30 — ＦＥＲＲＹ, Straße, İstanbul, ﬁnd; фарерские 渡し船は九時に出ます เรือข้ามฟาก 👩‍👩‍👧 e\u{301}t\u{e9}.";

fn path_of(folder: &Path) -> PathBuf {
    folder.join("window.snapshot")
}

/// Makes snapshots of a window.
pub(super) struct Snapshots {
    recipe: Recipe,
    /// Bytes of the log since the last snapshot.
    since: u64,
    /// The thread that syncs the last snapshot.
    finishing: Option<JoinHandle<io::Result<()>>>,
}

impl Snapshots {
    /// `since` is the number of bytes of the log that are in no snapshot.
    pub(super) fn new(recipe: Recipe, since: u64) -> Snapshots {
        Snapshots { recipe, since, finishing: None }
    }

    /// Counts bytes appended to the log.
    pub(super) fn count(&mut self, bytes: u32) {
        self.since += u64::from(bytes);
    }

    /// Whether at least half of the log is newer than the last snapshot.
    pub(super) fn are_due(&self, log: &Log) -> bool {
        let is_busy = || self.finishing.as_ref().is_some_and(|finishing| !finishing.is_finished());
        self.since >= MUCH && self.since >= log.bytes() / 2 && !is_busy()
    }

    /// Makes a snapshot of a window that has all documents of the log. The log must be committed. If this fails, the next start just
    /// takes longer.
    pub(super) fn make(&mut self, window: &SetWindow, log: &Log) {
        self.finish();
        self.since = 0;
        let folder = log.folder().to_path_buf();
        if let Ok(file) = write(&unfinished(&folder), window, self.recipe, log.end()) {
            // Syncing may take seconds, and must not hold up documents.
            let finish = move || {
                let finished = file.sync_all().and_then(|()| fs::rename(unfinished(&folder), path_of(&folder)));
                if finished.is_err() {
                    // Free the space: the disk may be full.
                    let _ = fs::remove_file(unfinished(&folder));
                }
                finished?;
                File::open(&folder)?.sync_all()
            };
            self.finishing = thread::Builder::new().spawn(finish).ok();
        }
    }

    /// Waits until the last snapshot is on disk.
    fn finish(&mut self) {
        if let Some(finishing) = self.finishing.take() {
            let _ = finishing.join();
        }
    }
}

impl Drop for Snapshots {
    fn drop(&mut self) {
        self.finish();
    }
}

fn unfinished(folder: &Path) -> PathBuf {
    folder.join("window.snapshot.unfinished")
}

/// Writes the snapshot of a window that has all documents before a position of the log. Does not sync.
fn write(path: &Path, window: &SetWindow, recipe: Recipe, at: Position) -> io::Result<File> {
    let written = File::create(path).and_then(|file| {
        let mut out = BufWriter::with_capacity(BLOCK, Summed { file, sum: Xxh3::new() });
        writeln!(out, "{}{} {}", settings(recipe), at.file, at.offset)?;
        window.save(&mut out)?;
        let Summed { mut file, sum } = out.into_inner().map_err(|error| error.into_error())?;
        file.write_all(&sum.digest().to_le_bytes())?;
        Ok(file)
    });
    if written.is_err() {
        // Free the space: the disk may be full.
        let _ = fs::remove_file(path);
    }
    written
}

/// Removes the snapshot, and an unfinished one, if there are any.
pub(super) fn discard(folder: &Path) -> Result<(), LogError> {
    for path in [path_of(folder), unfinished(folder)] {
        let removed = fs::remove_file(&path).and_then(|()| {
            // After a power loss it must not reappear, because the log may have changed since.
            File::open(folder)?.sync_all()
        });
        match removed {
            Err(source) if source.kind() != ErrorKind::NotFound => return Err(LogError::Io { path, source }),
            _ => (),
        }
    }
    Ok(())
}

impl Snapshot {
    /// The snapshot of a folder, if there is one with these settings.
    pub(super) fn find(folder: &Path, recipe: Recipe) -> Option<Snapshot> {
        let mut file = File::open(path_of(folder)).ok()?;
        let mut first = Vec::new();
        (&mut file).take(1000).read_to_end(&mut first).ok()?;
        let rest = first.strip_prefix(settings(recipe).as_bytes())?;
        let line = rest.split(|&byte| byte == b'\n').next()?;
        let head = (first.len() - rest.len() + line.len() + 1) as u64;
        let (number, offset) = std::str::from_utf8(line).ok()?.split_once(' ')?;
        Some(Snapshot { at: Position { file: number.parse().ok()?, offset: offset.parse().ok()? }, file, head })
    }

    /// Loads the snapshot into an empty window.
    pub(super) fn load(&self, window: &mut SetWindow) -> io::Result<()> {
        let mut file = &self.file;
        let length = file.metadata()?.len().checked_sub(SUM).ok_or(ErrorKind::InvalidData)?;
        // Verify the checksum before using any of it.
        file.rewind()?;
        let mut sum = Xxh3::new();
        let mut block = vec![0; BLOCK];
        let mut left = length;
        while left > 0 {
            let size = left.min(block.len() as u64) as usize;
            file.read_exact(&mut block[..size])?;
            sum.update(&block[..size]);
            left -= size as u64;
        }
        let mut expected = [0; SUM as usize];
        file.read_exact(&mut expected)?;
        if sum.digest() != u64::from_le_bytes(expected) {
            return Err(ErrorKind::InvalidData.into());
        }
        file.seek(SeekFrom::Start(self.head))?;
        let body = length.checked_sub(self.head).ok_or(ErrorKind::InvalidData)?;
        window.load(&mut BufReader::with_capacity(BLOCK, file.take(body)))
    }
}

/// A file that computes a checksum of what is written to it.
struct Summed {
    file: File,
    sum: Xxh3,
}

impl Write for Summed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.sum.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
