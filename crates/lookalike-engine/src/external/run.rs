//! A run that can go on after a crash: its manifest, and which of its units are finished.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use lookalike::engine::{Fate, Sieve, hash_set, hash_token};
use lookalike_io::Source;
use lookalike_io::spill::{RunFolder, Spool};
use serde::{Deserialize, Serialize};

use super::saved::{Reader, Writer, load_documents, load_sieve, save_documents, save_sieve};
use super::set_file::{SetFile, SetFileWriter};
use crate::error::Error;
use crate::read::Collection;

/// Where a run keeps what it has done.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// The folder.
    pub folder: PathBuf,
    /// Whether to forget what is in it.
    pub restart: bool,
}

/// The folder of a run.
pub(crate) struct Run {
    folder: RunFolder,
}

/// What a run is: it goes on only with the same inputs and parameters.
#[derive(Serialize, Deserialize, PartialEq)]
struct Manifest {
    /// The version of the program.
    version: String,
    /// Hashes of known values, so that a run does not go on with other hashes.
    hashes: Vec<String>,
    parameters: BTreeMap<String, String>,
    inputs: Vec<InputFile>,
}

/// An input as it was when the run began.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct InputFile {
    path: String,
    bytes: u64,
    /// Nanoseconds since 1970.
    modified: u128,
}

/// A file of sets.
#[derive(Serialize, Deserialize, Clone)]
pub(super) struct SetsUnit {
    name: String,
    sets: u64,
    elements: u64,
}

const MANIFEST: &str = "run.json";
const DOCUMENTS: &str = "documents";
const SIEVE: &str = "sieve";
const SETS: &str = "sets";
const SELECTED: &str = "selected.json";
const PARTS: &str = "parts.json";
const WRITING: &str = "writing";
const FINISHED: &str = "finished";

fn json<T: Serialize>(value: &T) -> Result<String, Error> {
    serde_json::to_string_pretty(value).map_err(Error::usage)
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
    fn new(sources: &[Source], parameters: BTreeMap<String, String>) -> Result<Manifest, Error> {
        let hashes = vec![format!("{:016x}", hash_token(b"lookalike")), format!("{:032x}", hash_set(&[1, 2, 3]))];
        let inputs = sources.iter().map(InputFile::of).collect::<Result<_, Error>>()?;
        Ok(Manifest { version: env!("CARGO_PKG_VERSION").to_string(), hashes, parameters, inputs })
    }

    /// In what this manifest differs from another, in words.
    fn difference(&self, now: &Manifest) -> Option<String> {
        if self.version != now.version || self.hashes != now.hashes {
            return Some(format!("it was begun by version {}, and this is {}", self.version, now.version));
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

impl Run {
    /// Opens the folder of a run, and refuses one of other inputs or parameters.
    pub(crate) fn open(
        options: &RunOptions,
        sources: &[Source],
        parameters: BTreeMap<String, String>,
    ) -> Result<Run, Error> {
        let now = Manifest::new(sources, parameters)?;
        let shown = options.folder.display();
        let folder = RunFolder::open(&options.folder)?;
        if options.restart {
            // The manifest goes last: until then this is the folder of a run.
            folder.remove_where(|name| name != MANIFEST)?;
            folder.remove(MANIFEST)?;
        }
        match folder.read(MANIFEST)? {
            Some(text) => {
                let before: Manifest = serde_json::from_str(&text).map_err(|error| {
                    Error::Usage(format!("{shown}/{MANIFEST} is corrupt ({error}). Use --restart to begin anew"))
                })?;
                if let Some(difference) = before.difference(&now) {
                    return Err(Error::Usage(format!(
                        "the run in {shown} is another one: {difference}. Use --restart to begin anew"
                    )));
                }
            }
            None => folder.write(MANIFEST, &json(&now)?)?,
        }
        if folder.has(FINISHED) {
            return Err(Error::Usage(format!("the run in {shown} is finished. Use --restart to run it again")));
        }
        Ok(Run { folder })
    }

    /// Whether the run was stopped while its outputs got their names: some may be there.
    pub(crate) fn was_writing(&self) -> bool {
        self.folder.has(WRITING)
    }

    /// Call it before outputs get their names.
    pub(crate) fn begin_writing(&self) -> Result<(), Error> {
        Ok(self.folder.write(WRITING, "")?)
    }

    /// Call it when the outputs are in place. Frees the space of what is not needed any more.
    pub(crate) fn finish(&self) -> Result<(), Error> {
        self.folder.write(FINISHED, "")?;
        Ok(self.folder.remove_where(|name| ![MANIFEST, FINISHED].contains(&name))?)
    }

    /// The documents, if they were read.
    pub(super) fn documents(&self, sources: &[Source]) -> Result<Option<Collection>, Error> {
        self.folder.has(DOCUMENTS).then(|| load_documents(&self.folder, DOCUMENTS, sources)).transpose()
    }

    /// Saves that the documents were read.
    pub(super) fn save_documents(&self, collection: &Collection, sieve: &mut Sieve) -> Result<(), Error> {
        save_sieve(&self.folder, SIEVE, sieve)?;
        save_documents(&self.folder, DOCUMENTS, collection)
    }

    /// Whether the documents were read.
    pub(super) fn has_documents(&self) -> bool {
        self.folder.has(DOCUMENTS)
    }

    pub(super) fn sieve(&self) -> Result<Sieve, Error> {
        load_sieve(&self.folder, SIEVE)
    }

    /// The sets that may have a partner, if they were selected.
    pub(super) fn selected(&self) -> Result<Option<SetFile>, Error> {
        // If the sets are divided already, their file is gone.
        let unit: Option<SetsUnit> = self.unit(SELECTED)?;
        unit.filter(|unit| self.folder.has(&unit.name)).map(|unit| self.open_sets(&unit)).transpose()
    }

    pub(super) fn sets_writer(&self) -> Result<SetFileWriter, Error> {
        Ok(SetFileWriter::of(self.folder.spool(SETS)?))
    }

    /// Saves that the sets were selected.
    pub(super) fn save_selected(&self, file: &SetFile) -> Result<(), Error> {
        self.folder
            .write(SELECTED, &json(&SetsUnit { name: SETS.to_string(), sets: file.sets, elements: file.elements })?)?;
        Ok(self.folder.remove(SIEVE)?)
    }

    /// The parts, if the sets were divided.
    pub(super) fn parts(&self) -> Result<Option<Vec<SetFile>>, Error> {
        let units: Option<Vec<SetsUnit>> = self.unit(PARTS)?;
        units.map(|units| units.iter().map(|unit| self.open_sets(unit)).collect()).transpose()
    }

    pub(super) fn part_writer(&self, number: usize) -> Result<SetFileWriter, Error> {
        Ok(SetFileWriter::of(self.folder.spool(&format!("part-{number:04}"))?))
    }

    /// Saves that the sets were divided.
    pub(super) fn save_parts(&self, parts: &[SetFile]) -> Result<(), Error> {
        let is_whole = parts.len() == 1 && !self.folder.has("part-0000");
        let unit = |(number, file): (usize, &SetFile)| SetsUnit {
            name: if is_whole { SETS.to_string() } else { format!("part-{number:04}") },
            sets: file.sets,
            elements: file.elements,
        };
        let units: Vec<SetsUnit> = parts.iter().enumerate().map(unit).collect();
        self.folder.write(PARTS, &json(&units)?)?;
        if is_whole { Ok(()) } else { Ok(self.folder.remove(SETS)?) }
    }

    fn unit<T: serde::de::DeserializeOwned>(&self, name: &str) -> Result<Option<T>, Error> {
        let parse = |text: String| {
            serde_json::from_str(&text).map_err(|error| {
                Error::Usage(format!(
                    "{}/{name} is corrupt ({error}). Use --restart to begin anew",
                    self.folder.path().display()
                ))
            })
        };
        self.folder.read(name)?.map(parse).transpose()
    }

    fn open_sets(&self, unit: &SetsUnit) -> Result<SetFile, Error> {
        Ok(SetFile { spooled: self.folder.spooled(&unit.name)?, sets: unit.sets, elements: unit.elements })
    }

    /// The fates of a part's documents, if they were decided.
    pub(super) fn fates(&self, part: usize) -> Result<Option<Vec<(u32, Fate)>>, Error> {
        let name = fates_of(part);
        if !self.folder.has(&name) {
            return Ok(None);
        }
        let mut spooled = self.folder.spooled(&name)?;
        let fates = Reader(spooled.stream()?).list(|bytes: [u8; 17]| {
            let number = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
            let similarity = f64::from_bits(u64::from(number(8)) | u64::from(number(12)) << 32);
            (number(0), Fate::Removed { twin: number(4), similarity, identical: bytes[16] == 1 })
        });
        fates
            .map(Some)
            .map_err(|source| lookalike_io::Error::Spool { path: self.folder.path().join(&name), source }.into())
    }

    /// Saves the fates of a part's removed documents.
    pub(super) fn save_fates(&self, part: usize, fates: &[(u32, Fate)]) -> Result<(), Error> {
        let mut writer = Writer::new(self.folder.spool(&fates_of(part))?);
        writer.list(fates, |(document, fate)| {
            let mut bytes = [0; 17];
            bytes[..4].copy_from_slice(&document.to_le_bytes());
            if let Fate::Removed { twin, similarity, identical } = fate {
                bytes[4..8].copy_from_slice(&twin.to_le_bytes());
                bytes[8..16].copy_from_slice(&similarity.to_le_bytes());
                bytes[16] = u8::from(*identical);
            }
            bytes
        })?;
        writer.finish()
    }

    /// The name of the file of a part's pairs, and whether it is there.
    pub(super) fn has_pairs(&self, part: usize) -> bool {
        self.folder.has(&pairs_of(part))
    }

    pub(super) fn pairs_writer(&self, part: usize) -> Result<Spool, Error> {
        Ok(self.folder.spool(&pairs_of(part))?)
    }

    /// Calls `each` with the bytes of a part's pairs.
    pub(super) fn for_each_pairs(&self, part: usize, mut each: impl FnMut(&[u8])) -> Result<(), Error> {
        let mut spooled = self.folder.spooled(&pairs_of(part))?;
        let (mut blocks, mut content) = (spooled.blocks()?, Vec::new());
        while blocks.next_block(&mut content)? {
            each(&content);
        }
        Ok(())
    }
}

fn fates_of(part: usize) -> String {
    format!("fates-{part:04}")
}

fn pairs_of(part: usize) -> String {
    format!("pairs-{part:04}")
}

/// How far a run has come.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct RunState {
    /// What the run does, by parameter.
    pub parameters: BTreeMap<String, String>,
    /// Its input files, and their bytes.
    pub inputs: Vec<(String, u64)>,
    /// Whether the documents were read.
    pub is_read: bool,
    /// Whether the sets that may have a partner were selected, and how many they are.
    pub selected: Option<u64>,
    /// Parts to compare, if the sets were divided.
    pub parts: Option<usize>,
    /// Parts that were compared.
    pub compared: usize,
    /// Whether the run is finished.
    pub is_finished: bool,
}

impl RunState {
    /// Reads the state of the run in a folder.
    pub fn of(path: &Path) -> Result<RunState, Error> {
        if !path.join(MANIFEST).is_file() {
            return Err(Error::Usage(format!("{} is not the folder of a run", path.display())));
        }
        let run = Run { folder: RunFolder::open(path)? };
        let manifest: Option<Manifest> = run.unit(MANIFEST)?;
        let Some(Manifest { parameters, inputs, .. }) = manifest else {
            return Err(Error::Usage(format!("{} is not the folder of a run", path.display())));
        };
        let selected: Option<SetsUnit> = run.unit(SELECTED)?;
        let units: Option<Vec<SetsUnit>> = run.unit(PARTS)?;
        let parts = units.as_ref().map(Vec::len);
        let is_compared = |part: &usize| run.folder.has(&fates_of(*part)) || run.folder.has(&pairs_of(*part));
        Ok(RunState {
            parameters,
            inputs: inputs.into_iter().map(|input| (input.path, input.bytes)).collect(),
            is_read: run.has_documents(),
            selected: selected.map(|unit| unit.sets),
            parts,
            compared: (0..parts.unwrap_or(0)).filter(is_compared).count(),
            is_finished: run.folder.has(FINISHED),
        })
    }
}
