//! Where an output goes, and whether it may be written there.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::codec::Codec;
use crate::error::Error;
use crate::source::Source;

/// The most links to follow, as in Linux.
const MOST_LINKS: usize = 40;

/// The files that a run reads, which no output may replace.
pub struct Inputs<'a> {
    sources: &'a [Source],
    /// Their canonical paths. Computed once, when the first existing output is checked, because there may be as many outputs as inputs.
    places: OnceCell<HashSet<PathBuf>>,
}

impl<'a> Inputs<'a> {
    /// The files of these sources.
    pub fn new(sources: &'a [Source]) -> Inputs<'a> {
        Inputs { sources, places: OnceCell::new() }
    }

    fn contains(&self, path: &Path) -> bool {
        let places = || self.sources.iter().filter_map(|source| fs::canonicalize(source.file()?).ok()).collect();
        fs::canonicalize(path).is_ok_and(|place| self.places.get_or_init(places).contains(&place))
    }
}

/// Checks before any work is done that an output may be written to `path`.
pub fn check(path: &Path, force: bool, inputs: &Inputs) -> Result<(), Error> {
    if path == Path::new("-") {
        return Ok(());
    }
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            let place = follow_links(path);
            let folder = parent(&place);
            return if folder.is_dir() {
                Ok(())
            } else {
                Err(Error::output(path, format!("the folder {} does not exist", folder.display())))
            };
        }
        // For example a loop of links, or a folder without permission.
        Err(error) => return Err(Error::write(path, error)),
    };
    if metadata.is_dir() {
        return Err(Error::output(path, "it is a folder"));
    }
    if inputs.contains(path) {
        return Err(Error::output(path, "it is one of the inputs"));
    }
    if metadata.is_file() && !force {
        return Err(Error::output(path, "it already exists. Use --force to replace it"));
    }
    Ok(())
}

/// Fails if the name of a Parquet file says that it is compressed as a whole: Parquet is read from its end, so nothing could read it.
pub fn check_uncompressed(path: &Path) -> Result<(), Error> {
    match Codec::of_name(path) {
        (Codec::Plain, _) => Ok(()),
        _ => Err(Error::output(path, "a Parquet file cannot be compressed as a whole. Use a name without .gz or .zst")),
    }
}

/// The target of a path after following links, whether or not it exists.
pub fn follow_links(path: &Path) -> PathBuf {
    if let Ok(place) = fs::canonicalize(path) {
        return place;
    }
    // In /proc, the link of an open pipe has no target path.
    if path.exists() {
        return path.to_path_buf();
    }
    let mut place = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&place) {
            Ok(target) => place = place.with_file_name(target),
            Err(_) => break,
        }
    }
    place
}

/// The folder of a file.
pub(super) fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
