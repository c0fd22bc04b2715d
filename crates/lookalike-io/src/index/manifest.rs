//! Which files is an index made of?

use std::collections::HashSet;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::error::IndexError;
use super::files;
use super::settings::Settings;

/// The name of the manifest.
pub(super) const NAME: &str = "manifest";
/// The first words of the manifest. The checksum of everything after the first line follows.
const FORMAT: &str = "lookalike index, version ";
const VERSION: &str = "1";

/// A part.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct PartEntry {
    pub(super) file: String,
    pub(super) bytes: u64,
    pub(super) documents: u64,
}

/// A batch that was added, and the file with its answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct BatchEntry {
    /// A hash of its documents and options.
    pub(super) key: String,
    pub(super) file: String,
    pub(super) bytes: u64,
    pub(super) documents: u64,
    pub(super) kept: u64,
    /// The serial number of its first survivor.
    pub(super) first: u64,
}

/// What is in an index.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Manifest {
    pub(super) settings: Settings,
    /// The next serial number.
    pub(super) next_serial: u64,
    /// The next number of a file.
    pub(super) next_file: u64,
    /// The oldest first.
    pub(super) parts: Vec<PartEntry>,
    pub(super) batches: Vec<BatchEntry>,
    /// The file of documents that were taken out and are still in a part, if there are any.
    pub(super) removed: Option<String>,
}

impl Manifest {
    pub(super) fn new(settings: Settings) -> Manifest {
        let (parts, batches) = (Vec::new(), Vec::new());
        Manifest { settings, next_serial: 0, next_file: 1, parts, batches, removed: None }
    }

    /// Reads the manifest of a folder. `None` if there is none.
    pub(super) fn read(folder: &Path) -> Result<Option<Manifest>, IndexError> {
        let path = folder.join(NAME);
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            Err(error) => return Err(IndexError::read(&path, error)),
        };
        Manifest::of_bytes(&bytes).map(Some).map_err(|reason| IndexError::damaged(&path, reason))
    }

    fn of_bytes(bytes: &[u8]) -> Result<Manifest, String> {
        let broken = || "it is not a manifest, or it is damaged".to_string();
        let end = bytes.iter().position(|&byte| byte == b'\n').ok_or_else(broken)?;
        let (first, rest) = (std::str::from_utf8(&bytes[..end]).map_err(|_| broken())?, &bytes[end + 1..]);
        let (version, sum) =
            first.strip_prefix(FORMAT).and_then(|rest| rest.split_once(", checksum ")).ok_or_else(broken)?;
        if version != VERSION {
            return Err(format!("it has format version {version}, and this program reads version {VERSION}"));
        }
        if sum != format!("{:016x}", xxh3_64(rest)) {
            return Err("its checksum is wrong: it is damaged".to_string());
        }
        serde_json::from_slice(rest).map_err(|error| error.to_string())
    }

    /// Puts this manifest in place of the one before.
    pub(super) fn put(&self, folder: &Path) -> Result<(), IndexError> {
        let json = serde_json::to_string_pretty(self).expect("a manifest is plain data") + "\n";
        let first = format!("{FORMAT}{VERSION}, checksum {:016x}\n", xxh3_64(json.as_bytes()));
        files::replace(folder, NAME, (first + &json).as_bytes())
    }

    /// A name for a new file.
    pub(super) fn next_name(&mut self, kind: &str) -> String {
        let number = self.next_file;
        self.next_file += 1;
        format!("{kind}-{number:08}")
    }

    /// The files that it names.
    pub(super) fn files(&self) -> HashSet<&str> {
        let parts = self.parts.iter().map(|part| part.file.as_str());
        parts.chain(self.batches.iter().map(|batch| batch.file.as_str())).chain(self.removed.as_deref()).collect()
    }
}

/// Whether a file name is one that an index gives.
pub(super) fn is_own(name: &str) -> bool {
    let numbered = |name: &str| {
        name.split_once('-').is_some_and(|(kind, number)| {
            ["part", "batch", "removed"].contains(&kind)
                && number.len() >= 8
                && number.bytes().all(|byte| byte.is_ascii_digit())
        })
    };
    name == NAME || name == format!("{NAME}.new") || name == super::lock::NAME || numbered(name)
}
