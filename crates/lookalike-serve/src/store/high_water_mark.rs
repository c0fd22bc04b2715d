//! Did the log lose its end? A file of its own records how far the log was synced.
//!
//! The mark is written after every sync, but not synced itself. So it may lag behind the log, but never runs ahead of it.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::Path;

use crate::log::Position;

/// The contents of the mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reached {
    /// The end of the log.
    pub(super) end: Position,
    /// The number of the next document.
    pub(super) next: u64,
}

/// The file of the mark, if it can be written.
pub(super) struct HighWaterMark {
    file: Option<File>,
    now: Reached,
}

impl HighWaterMark {
    /// Opens the mark of a folder, and returns what it records. The file does not change until the log does, so every start until then
    /// reports the same loss.
    pub(super) fn open(folder: &Path, now: Reached) -> (HighWaterMark, Option<Reached>) {
        let path = folder.join("reached");
        let reached = std::fs::read_to_string(&path).ok().and_then(|text| parse(&text));
        // Without the file, a start cannot notice a lost end; nothing else depends on it.
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(path).ok();
        (HighWaterMark { file, now }, reached)
    }

    /// Records that the log is on disk up to here.
    pub(super) fn set(&mut self, reached: Reached) {
        if self.now == reached {
            return;
        }
        self.now = reached;
        if let Some(file) = &self.file {
            // Of constant length, so that it fits on a full disk.
            let Reached { end: Position { file: number, offset }, next } = reached;
            let _ = file.write_all_at(format!("{number:010} {offset:020} {next:020}\n").as_bytes(), 0);
        }
    }
}

fn parse(text: &str) -> Option<Reached> {
    let mut words = text.strip_suffix('\n')?.split(' ');
    let mut word = || words.next()?.parse().ok();
    let (file, offset, next) = (word()?, word()?, word()?);
    Some(Reached { end: Position { file: u32::try_from(file).ok()?, offset }, next })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let reached = Reached { end: Position { file: 3, offset: 12_345 }, next: 77 };
        let beginning = Reached { end: Position::default(), next: 0 };
        let (mut mark, before) = HighWaterMark::open(folder.path(), beginning);
        mark.set(beginning);
        assert_eq!((before, HighWaterMark::open(folder.path(), beginning).1), (None, None));
        mark.set(Reached { next: u64::MAX, ..reached });
        mark.set(reached);
        assert_eq!(HighWaterMark::open(folder.path(), beginning).1, Some(reached));
        for damaged in ["", "1 2", "1 2 3", "x y z\n"] {
            std::fs::write(folder.path().join("reached"), damaged).unwrap();
            assert_eq!(HighWaterMark::open(folder.path(), beginning).1, None, "{damaged}");
        }
    }
}
