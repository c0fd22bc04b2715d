//! The window as it was at some place of the log, in a file, so that the next start need not make it again.
//!
//! One is made when the service ends, and now and then before, for services do not always end as they wish. It only saves work. What is
//! true stands in the log, which is read from end to end all the same; a snapshot that is damaged, incomplete, or of other settings is as
//! good as none. It lies beside the log, is written whole and renamed, and there is never more than one.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};

use lookalike::engine::SetWindow;
use lookalike::engine::{Recipe, SetMaker};
use xxhash_rust::xxh3::Xxh3;

use crate::log::{Log, LogError, Position};

/// The first line.
const FORMAT: &str = "lookalike snapshot, version 1";
/// Bytes of the checksum, at the end.
const SUM: u64 = 8;
/// Bytes that are written and read at a time.
const BLOCK: usize = 1 << 18;
/// Bytes that must have come since the last snapshot, at least; few in tests, whose logs are short.
const MUCH: u64 = if cfg!(test) { 700 } else { 32 << 20 };

/// A snapshot whose first lines are right.
pub(crate) struct Snapshot {
    /// What stands in the log before this place is in the window.
    pub(crate) at: Position,
    file: File,
    /// Bytes of the first lines.
    head: u64,
}

/// What must be the same: the program, for it knows what it wrote, and how texts become sets, of which one is an example. A window knows
/// its own settings.
fn settings(recipe: Recipe) -> String {
    let mut sum = Xxh3::new();
    SetMaker::new(recipe).set(EXAMPLE).iter().for_each(|element| sum.update(&element.to_le_bytes()));
    format!("{FORMAT}\nlookalike {}, {recipe:?}, {:016x}\n", env!("CARGO_PKG_VERSION"), sum.digest())
}

/// A text that has something of everything.
const EXAMPLE: &str = "The ferry can’t leave at 9.30 — ＦＥＲＲＹ, Straße, İstanbul, ﬁnd; фарерские 渡し船は九時に出ます เรือข้ามฟาก 👩‍👩‍👧 e\u{301}t\u{e9}.";

fn path_of(folder: &Path) -> PathBuf {
    folder.join("window.snapshot")
}

/// Makes snapshots of a window.
pub(crate) struct Snapshots {
    recipe: Recipe,
    /// Bytes of the log that came since the last.
    since: u64,
    /// Waits for the disk.
    finishing: Option<JoinHandle<io::Result<()>>>,
}

impl Snapshots {
    /// When so many bytes of the log are in no snapshot.
    pub(crate) fn new(recipe: Recipe, since: u64) -> Snapshots {
        Snapshots { recipe, since, finishing: None }
    }

    /// So many bytes came.
    pub(crate) fn count(&mut self, bytes: u32) {
        self.since += u64::from(bytes);
    }

    /// Whether half of what the log remembers came since the last.
    pub(crate) fn are_due(&self, log: &Log) -> bool {
        let is_busy = || self.finishing.as_ref().is_some_and(|finishing| !finishing.is_finished());
        self.since >= MUCH && self.since >= log.bytes() / 2 && !is_busy()
    }

    /// Makes one of a window that has what the log has, all of which must be on the disk. If that fails the next start takes longer, and
    /// nothing else.
    pub(crate) fn make(&mut self, window: &SetWindow, log: &Log) {
        self.finish();
        self.since = 0;
        let folder = log.folder().to_path_buf();
        if let Ok(file) = write(&unfinished(&folder), window, self.recipe, log.end()) {
            // A disk may take seconds for it, in which documents come.
            let finish = move || {
                let finished = file.sync_all().and_then(|()| fs::rename(unfinished(&folder), path_of(&folder)));
                if finished.is_err() {
                    // Disks that are full should not stay so.
                    let _ = fs::remove_file(unfinished(&folder));
                }
                finished?;
                File::open(&folder)?.sync_all()
            };
            self.finishing = thread::Builder::new().spawn(finish).ok();
        }
    }

    /// Waits until the last one is on the disk.
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

/// Writes the snapshot of a window that has all of the log before a place, without waiting for the disk.
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
        // Disks that are full should not stay so.
        let _ = fs::remove_file(path);
    }
    written
}

/// Removes a snapshot that is not to be read again, and one that never was finished, if there are any.
pub(crate) fn discard(folder: &Path) -> Result<(), LogError> {
    for path in [path_of(folder), unfinished(folder)] {
        let removed = fs::remove_file(&path).and_then(|()| {
            // It must not be there again after a power loss: the log may have gone another way by then.
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
    /// The snapshot of a folder, if there is one that was made by these settings.
    pub(crate) fn find(folder: &Path, recipe: Recipe) -> Option<Snapshot> {
        let mut file = File::open(path_of(folder)).ok()?;
        let mut first = Vec::new();
        (&mut file).take(1000).read_to_end(&mut first).ok()?;
        let rest = first.strip_prefix(settings(recipe).as_bytes())?;
        let line = rest.split(|&byte| byte == b'\n').next()?;
        let head = (first.len() - rest.len() + line.len() + 1) as u64;
        let (number, offset) = std::str::from_utf8(line).ok()?.split_once(' ')?;
        Some(Snapshot { at: Position { file: number.parse().ok()?, offset: offset.parse().ok()? }, file, head })
    }

    /// Fills an empty window with it.
    pub(crate) fn load(&self, window: &mut SetWindow) -> io::Result<()> {
        let mut file = &self.file;
        let length = file.metadata()?.len().checked_sub(SUM).ok_or(ErrorKind::InvalidData)?;
        // All of it is looked at before any of it is believed.
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

/// Counts what is written into a checksum.
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
