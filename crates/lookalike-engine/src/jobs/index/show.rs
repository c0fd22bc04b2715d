//! The jobs of `index show` and `index check`.

use std::path::PathBuf;

use lookalike::engine::Progress;
use lookalike_io::index::IndexFolder;

use crate::error::Error;
use crate::report::{IndexReport, PartReport};

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

impl ShowIndex {
    /// Runs the job.
    pub fn run(self) -> Result<IndexReport, Error> {
        Ok(report(&IndexFolder::open(&self.folder)?))
    }
}

impl CheckIndex {
    /// Runs the job. Fails if anything is damaged or missing.
    pub fn run(self, progress: &dyn Progress) -> Result<IndexReport, Error> {
        let mut index = IndexFolder::open(&self.folder)?;
        index.limit(Some(CHECKED));
        index.check(progress)?;
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
