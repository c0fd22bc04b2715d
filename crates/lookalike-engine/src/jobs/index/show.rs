//! The jobs of `index show` and `index check`.

use std::path::PathBuf;

use lookalike_io::index::{IndexFolder, Settings};
use serde::Serialize;

use crate::error::Error;

/// Bytes of memory for the pages of the index while all of it is read.
const CHECKED: u64 = 16 << 20;

/// A job that describes an index.
pub struct ShowIndex {
    /// The folder of the index.
    pub folder: PathBuf,
}

/// A job that reads all of an index and verifies every checksum.
pub struct CheckIndex {
    /// The folder of the index.
    pub folder: PathBuf,
}

/// What is in an index.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct IndexReport {
    /// Documents.
    pub documents: u64,
    /// Documents that were taken out, and that the next merge drops.
    pub removed: u64,
    /// Elements of all sets.
    pub elements: u64,
    /// Removed near-duplicates that are remembered, so that copies of them get the same twin.
    pub remembered: u64,
    /// Batches that were added.
    pub batches: u64,
    /// Bytes of all parts.
    pub bytes: u64,
    /// The parts, the oldest first.
    pub parts: Vec<PartReport>,
    /// What the index compares, and how.
    pub settings: Settings,
}

/// A part of an index.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct PartReport {
    /// Its file.
    pub file: String,
    /// The size of the file.
    pub bytes: u64,
    /// Its documents, those that were taken out included.
    pub documents: u64,
}

impl ShowIndex {
    /// Runs the job.
    pub fn run(self) -> Result<IndexReport, Error> {
        Ok(report(&IndexFolder::open(&self.folder)?))
    }
}

impl CheckIndex {
    /// Runs the job. Fails if anything is damaged or missing.
    pub fn run(self) -> Result<IndexReport, Error> {
        let mut index = IndexFolder::open(&self.folder)?;
        index.limit(Some(CHECKED));
        index.check()?;
        Ok(report(&index))
    }
}

fn report(index: &IndexFolder) -> IndexReport {
    let parts = index.parts().parts();
    let summaries = index.part_summaries();
    IndexReport {
        documents: index.parts().len(),
        removed: index.parts().gone().len() as u64,
        elements: parts.iter().map(|part| part.elements()).sum(),
        remembered: parts.iter().map(|part| part.remembered()).sum(),
        batches: index.batch_summaries().len() as u64,
        bytes: summaries.iter().map(|part| part.bytes).sum(),
        parts: summaries
            .into_iter()
            .map(|part| PartReport { file: part.file, bytes: part.bytes, documents: part.documents })
            .collect(),
        settings: index.settings().clone(),
    }
}
