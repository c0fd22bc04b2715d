//! What is a run, and in what does it differ from another?

use std::collections::BTreeMap;
use std::time::UNIX_EPOCH;

use lookalike::engine::{hash_set, hash_token};
use lookalike_io::Source;
use serde::{Deserialize, Serialize};

use crate::error::Error;

/// The identity of a run: it continues only with the same inputs and parameters.
#[derive(Serialize, Deserialize, PartialEq)]
pub(super) struct Manifest {
    /// The version of the program.
    version: String,
    /// Hashes of known values, so that a run does not continue with other hashes.
    hashes: Vec<String>,
    pub(super) parameters: BTreeMap<String, String>,
    pub(super) inputs: Vec<InputFile>,
}

/// An input as it was when the run began.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
pub(super) struct InputFile {
    pub(super) path: String,
    pub(super) bytes: u64,
    /// Nanoseconds since 1970.
    modified: u128,
}

impl InputFile {
    fn of(source: &Source) -> Result<InputFile, Error> {
        let path = source.path().display().to_string();
        let Some(file) = source.file() else {
            return Err(Error::Usage(format!("--run cannot be used with {path}, which cannot be read again later")));
        };
        let modified = std::fs::metadata(file).and_then(|metadata| metadata.modified());
        let modified = modified.map_err(|source| lookalike_io::Error::Read { path: file.to_path_buf(), source })?;
        let modified = modified.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
        Ok(InputFile { path, bytes: source.size(), modified })
    }
}

impl Manifest {
    pub(super) fn new(sources: &[Source], parameters: BTreeMap<String, String>) -> Result<Manifest, Error> {
        let hashes = vec![format!("{:016x}", hash_token(b"lookalike")), format!("{:032x}", hash_set(&[1, 2, 3]))];
        let inputs = sources.iter().map(InputFile::of).collect::<Result<_, Error>>()?;
        Ok(Manifest { version: env!("CARGO_PKG_VERSION").to_string(), hashes, parameters, inputs })
    }

    /// In what this manifest differs from another, in words.
    pub(super) fn difference(&self, now: &Manifest) -> Option<String> {
        if self.version != now.version || self.hashes != now.hashes {
            return Some(format!("it was started by version {}, and this is {}", self.version, now.version));
        }
        for (name, value) in &now.parameters {
            match self.parameters.get(name) {
                Some(before) if before == value => {}
                before => {
                    return Some(format!("{name} was {}, and is {value}", before.map_or("not set", |before| before)));
                }
            }
        }
        if self.inputs.len() != now.inputs.len() {
            return Some(format!("it has {} input files, and now there are {}", self.inputs.len(), now.inputs.len()));
        }
        let (before, after) = self.inputs.iter().zip(&now.inputs).find(|(before, after)| before != after)?;
        Some(match before.path == after.path {
            true => format!("{} has changed since", after.path),
            false => format!("it reads {} where this command has {}", before.path, after.path),
        })
    }
}
