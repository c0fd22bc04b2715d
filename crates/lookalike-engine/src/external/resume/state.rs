//! How far is a run?

use std::collections::BTreeMap;
use std::path::Path;

use lookalike_io::spill::RunFolder;
use serde::Serialize;

use super::manifest::Manifest;
use super::run::{FINISHED, MANIFEST, PARTS, Run, SELECTED, SetsUnit, fates_of, pairs_of};
use crate::error::Error;

/// How far a run has come.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct RunState {
    /// The parameters of the run.
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
        let run = Run { folder: RunFolder::look(path) };
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
