//! How far the log is known to be on the disk, in a file of its own: by that the next start can tell a log that lost its end from one
//! that ends where it always did.
//!
//! It is written after every sync, and not synced itself. So it may lag behind the log, and never runs ahead of it.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::Path;

use crate::log::Position;

/// What a mark says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reached {
    /// Where the log ended.
    pub(crate) end: Position,
    /// The number of the document that was to come next.
    pub(crate) next: u64,
}

/// The file, if it can be written.
pub(crate) struct Mark {
    file: Option<File>,
    now: Reached,
}

impl Mark {
    /// The mark of a folder whose log ends here, and what it says. It stays as it is until something is written: what is lost, every
    /// start tells until then.
    pub(crate) fn open(folder: &Path, now: Reached) -> (Mark, Option<Reached>) {
        let path = folder.join("reached");
        let reached = std::fs::read_to_string(&path).ok().and_then(|text| parse(&text));
        // Without it the next start knows less, and that is all.
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(path).ok();
        (Mark { file, now }, reached)
    }

    /// The log is on the disk up to here.
    pub(crate) fn set(&mut self, reached: Reached) {
        if self.now == reached {
            return;
        }
        self.now = reached;
        if let Some(file) = &self.file {
            // Always as long, so that a full disk has room for it.
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
    fn what_is_written_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let reached = Reached { end: Position { file: 3, offset: 12_345 }, next: 77 };
        let beginning = Reached { end: Position::default(), next: 0 };
        let (mut mark, before) = Mark::open(folder.path(), beginning);
        mark.set(beginning);
        assert_eq!((before, Mark::open(folder.path(), beginning).1), (None, None));
        mark.set(Reached { next: u64::MAX, ..reached });
        mark.set(reached);
        assert_eq!(Mark::open(folder.path(), beginning).1, Some(reached));
        for damaged in ["", "1 2", "1 2 3", "x y z\n"] {
            std::fs::write(folder.path().join("reached"), damaged).unwrap();
            assert_eq!(Mark::open(folder.path(), beginning).1, None, "{damaged}");
        }
    }
}
