//! By what a file is known again.

use std::fs::Metadata;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// Which file it is and when it was last written to. Moving and linking change nothing of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stamp {
    /// Seconds of Unix, and nanoseconds.
    modified: (i64, i64),
    bytes: u64,
    inode: u64,
}

impl Stamp {
    pub(super) fn of(data: &Metadata) -> Stamp {
        Stamp { modified: (data.mtime(), data.mtime_nsec()), bytes: data.len(), inode: data.ino() }
    }

    pub(super) fn modified(&self) -> &(i64, i64) {
        &self.modified
    }

    /// The time of a document, in milliseconds of Unix.
    pub(super) fn time(&self) -> i64 {
        let (seconds, nanoseconds) = self.modified;
        seconds.saturating_mul(1_000).saturating_add(nanoseconds / 1_000_000)
    }
}

/// A file that was judged: what it was called, and by what it is known again. The log has it as the source of the document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Origin {
    pub(super) name: String,
    #[serde(flatten)]
    pub(super) stamp: Stamp,
}

impl Origin {
    /// Whether the file at this place is the one that was judged, as it was then.
    pub(super) fn is_at(&self, path: &Path) -> io::Result<bool> {
        Ok(look(path)?.is_some_and(|data| Stamp::of(&data) == self.stamp))
    }
}

/// A file as it was seen: whatever is done to it changes something of this.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) stamp: Stamp,
    /// When anything of it changed, its permissions too.
    changed: (i64, i64),
}

impl Seen {
    pub(super) fn of(data: &Metadata) -> Seen {
        Seen { stamp: Stamp::of(data), changed: (data.ctime(), data.ctime_nsec()) }
    }
}

/// What lies at a place, if anything does. Links are not followed.
pub(super) fn look(path: &Path) -> io::Result<Option<Metadata>> {
    match path.symlink_metadata() {
        Ok(data) => Ok(Some(data)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
