//! Which units of a run are finished, and what came of them?

use std::collections::BTreeMap;
use std::path::PathBuf;

use lookalike::engine::{Fate, Sieve};
use lookalike_io::Source;
use lookalike_io::spill::{RunFolder, Spool};
use serde::{Deserialize, Serialize};

use super::manifest::Manifest;
use super::saved::{Reader, Writer, load_documents, load_sieve, save_documents, save_sieve};
use crate::error::Error;
use crate::on_disk::{Directory, SetFile, SetFileWriter};
use crate::read::{Collection, Documents};

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
    pub(super) folder: RunFolder,
}

/// A file of sets.
#[derive(Serialize, Deserialize, Clone)]
pub(super) struct SetsUnit {
    name: String,
    pub(super) sets: u64,
    elements: u64,
}

pub(super) const MANIFEST: &str = "run.json";
const DOCUMENTS: &str = "documents";
const SIEVE: &str = "sieve";
const SETS: &str = "sets";
pub(super) const SELECTED: &str = "selected.json";
pub(super) const PARTS: &str = "parts.json";
const WRITING: &str = "writing";
pub(super) const FINISHED: &str = "finished";

/// All files of a run that have no number.
const UNITS: [&str; 8] = [MANIFEST, DOCUMENTS, SIEVE, SETS, SELECTED, PARTS, WRITING, FINISHED];

fn json<T: Serialize>(value: &T) -> Result<String, Error> {
    serde_json::to_string_pretty(value).map_err(Error::usage)
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
        // Whatever else is in the folder is not ours to remove.
        let names = RunFolder::names(&options.folder)?;
        if !names.iter().any(|name| name == MANIFEST) && !names.is_empty() {
            return Err(Error::Usage(format!(
                "{shown} is not empty, and not the folder of a run. Name another with --run"
            )));
        }
        let folder = RunFolder::open(&options.folder)?;
        if options.restart {
            remove(&folder, |name| name != MANIFEST)?;
            // The manifest goes last: until then this is the folder of a run.
            folder.remove(MANIFEST)?;
        }
        match folder.read(MANIFEST)? {
            Some(text) => {
                let before: Manifest = serde_json::from_str(&text).map_err(|error| {
                    Error::Usage(format!("{shown}/{MANIFEST} is corrupt ({error}). Use --restart to start again"))
                })?;
                if let Some(difference) = before.difference(&now) {
                    return Err(Error::Usage(format!(
                        "the run in {shown} is another one: {difference}. Use --restart to start again"
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

    /// Call it when the outputs are in place. Frees the space of what is no longer needed.
    pub(crate) fn finish(&self) -> Result<(), Error> {
        self.folder.write(FINISHED, "")?;
        remove(&self.folder, |name| ![MANIFEST, FINISHED].contains(&name))
    }

    /// The documents, if they were read. They are loaded into `empty`.
    pub(in crate::external) fn documents(&self, empty: Documents) -> Result<Option<Collection>, Error> {
        self.folder.has(DOCUMENTS).then(|| load_documents(&self.folder, DOCUMENTS, empty)).transpose()
    }

    /// Saves that the documents were read.
    pub(in crate::external) fn save_documents(&self, collection: &Collection, sieve: &mut Sieve) -> Result<(), Error> {
        save_sieve(&self.folder, SIEVE, sieve)?;
        save_documents(&self.folder, DOCUMENTS, collection)
    }

    /// Whether the documents were read.
    pub(in crate::external) fn has_documents(&self) -> bool {
        self.folder.has(DOCUMENTS)
    }

    pub(in crate::external) fn sieve(&self) -> Result<Sieve, Error> {
        load_sieve(&self.folder, SIEVE)
    }

    /// The sets that may have a partner, if they were selected.
    pub(in crate::external) fn selected(&self) -> Result<Option<SetFile>, Error> {
        // If the sets are divided already, their file is gone.
        let unit: Option<SetsUnit> = self.unit(SELECTED)?;
        unit.filter(|unit| self.folder.has(&unit.name)).map(|unit| self.open_sets(&unit)).transpose()
    }

    pub(in crate::external) fn sets_writer(&self) -> Result<SetFileWriter, Error> {
        Ok(SetFileWriter::of(self.folder.spool(SETS)?))
    }

    /// Saves that the sets were selected.
    pub(in crate::external) fn save_selected(&self, file: &SetFile) -> Result<(), Error> {
        self.folder
            .write(SELECTED, &json(&SetsUnit { name: SETS.to_string(), sets: file.sets, elements: file.elements })?)?;
        Ok(self.folder.remove(SIEVE)?)
    }

    /// The parts, if the sets were divided.
    pub(in crate::external) fn parts(&self) -> Result<Option<Vec<SetFile>>, Error> {
        let units: Option<Vec<SetsUnit>> = self.unit(PARTS)?;
        units.map(|units| units.iter().map(|unit| self.open_sets(unit)).collect()).transpose()
    }

    pub(in crate::external) fn part_writer(&self, number: usize) -> Result<SetFileWriter, Error> {
        Ok(SetFileWriter::of(self.folder.spool(&format!("part-{number:04}"))?))
    }

    /// Saves that the sets were divided.
    pub(in crate::external) fn save_parts(&self, parts: &[SetFile]) -> Result<(), Error> {
        let unit = |file: &SetFile| SetsUnit {
            name: file.spooled.name().unwrap_or(SETS).to_string(),
            sets: file.sets,
            elements: file.elements,
        };
        let units: Vec<SetsUnit> = parts.iter().map(unit).collect();
        self.folder.write(PARTS, &json(&units)?)?;
        if units.iter().any(|unit| unit.name == SETS) { Ok(()) } else { Ok(self.folder.remove(SETS)?) }
    }

    pub(super) fn unit<T: serde::de::DeserializeOwned>(&self, name: &str) -> Result<Option<T>, Error> {
        let parse = |text: String| {
            serde_json::from_str(&text).map_err(|error| {
                Error::Usage(format!(
                    "{}/{name} is corrupt ({error}). Use --restart to start again",
                    self.folder.path().display()
                ))
            })
        };
        self.folder.read(name)?.map(parse).transpose()
    }

    fn open_sets(&self, unit: &SetsUnit) -> Result<SetFile, Error> {
        let spooled = self.folder.spooled(&unit.name)?;
        Ok(SetFile { spooled, directory: Directory::default(), sets: unit.sets, elements: unit.elements })
    }

    /// The fates of a part's documents, if they were decided.
    pub(in crate::external) fn fates(&self, part: usize) -> Result<Option<Vec<(u32, Fate)>>, Error> {
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
    pub(in crate::external) fn save_fates(&self, part: usize, fates: &[(u32, Fate)]) -> Result<(), Error> {
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
    pub(in crate::external) fn has_pairs(&self, part: usize) -> bool {
        self.folder.has(&pairs_of(part))
    }

    pub(in crate::external) fn pairs_writer(&self, part: usize) -> Result<Spool, Error> {
        Ok(self.folder.spool(&pairs_of(part))?)
    }

    /// Calls `each` with the bytes of a part's pairs.
    pub(in crate::external) fn for_each_pairs(&self, part: usize, mut each: impl FnMut(&[u8])) -> Result<(), Error> {
        let mut spooled = self.folder.spooled(&pairs_of(part))?;
        let (mut blocks, mut content) = (spooled.blocks()?, Vec::new());
        while blocks.next_block(&mut content)? {
            each(&content);
        }
        Ok(())
    }
}

pub(super) fn fates_of(part: usize) -> String {
    format!("fates-{part:04}")
}

pub(super) fn pairs_of(part: usize) -> String {
    format!("pairs-{part:04}")
}

/// Removes the files of a run that are accepted, and nothing else.
fn remove(folder: &RunFolder, is_wanted: impl Fn(&str) -> bool) -> Result<(), Error> {
    let is_numbered =
        |name: &str| name.split_once('-').is_some_and(|(kind, _)| ["part", "fates", "pairs"].contains(&kind));
    let is_ours = |name: &str| UNITS.contains(&name) || is_numbered(name);
    let names = RunFolder::names(folder.path())?;
    names.iter().filter(|name| is_ours(name) && is_wanted(name)).try_for_each(|name| Ok(folder.remove(name)?))
}
