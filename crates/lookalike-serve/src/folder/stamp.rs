//! How is a file recognized?

use std::fs::Metadata;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// The identity of a file and the time of its last change. Moving and linking do not change it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stamp {
    /// Unix seconds, and nanoseconds.
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

    /// The time of the document, in Unix milliseconds.
    pub(super) fn time(&self) -> i64 {
        let (seconds, nanoseconds) = self.modified;
        seconds.saturating_mul(1_000).saturating_add(nanoseconds / 1_000_000)
    }
}

/// The name and the stamp of a judged file. The log stores it as the source of the document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Origin {
    pub(super) name: String,
    #[serde(flatten)]
    pub(super) stamp: Stamp,
}

impl Origin {
    /// Whether the file at this path is the one that was judged, unchanged.
    pub(super) fn is_at(&self, path: &Path) -> io::Result<bool> {
        Ok(look(path)?.is_some_and(|data| Stamp::of(&data) == self.stamp))
    }
}

/// The state of a file, which any change of the file changes too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) stamp: Stamp,
    /// The time of the last change, including that of permissions.
    changed: (i64, i64),
}

impl Seen {
    pub(super) fn of(data: &Metadata) -> Seen {
        Seen { stamp: Stamp::of(data), changed: (data.ctime(), data.ctime_nsec()) }
    }
}

/// The metadata of a path, if it exists. Symbolic links are not followed.
pub(super) fn look(path: &Path) -> io::Result<Option<Metadata>> {
    match path.symlink_metadata() {
        Ok(data) => Ok(Some(data)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
