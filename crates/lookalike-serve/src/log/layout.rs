//! What the files of a log are called, and how they begin.

use std::path::{Path, PathBuf};

/// The first line of every file.
pub(super) const FORMAT: &[u8] = b"lookalike log, version 1\n";

pub(super) fn path_of(folder: &Path, number: u32) -> PathBuf {
    folder.join(format!("{number:08}.log"))
}
