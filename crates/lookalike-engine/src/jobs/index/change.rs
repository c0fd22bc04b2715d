//! The jobs of `index remove` and `index merge`.

use std::path::PathBuf;

use lookalike::engine::Progress;
use lookalike_io::index::IndexWriter;

use crate::error::{Error, pool};
use crate::external::index_room;
use crate::report::{ChangeReport, peak_memory};

/// A job that takes documents out of an index.
pub struct RemoveFromIndex {
    /// The folder of the index.
    pub folder: PathBuf,
    /// The ids of the documents.
    pub ids: Vec<String>,
}

/// A job that merges the parts of an index into one.
pub struct MergeIndex {
    /// The folder of the index.
    pub folder: PathBuf,
    /// The number of threads.
    pub threads: usize,
    /// The bytes of memory that the job may use, if they are limited.
    pub memory: Option<u64>,
}

impl RemoveFromIndex {
    /// Runs the job. Searches no longer find the documents. The next merge takes them out of the files.
    pub fn run(self) -> Result<ChangeReport, Error> {
        let mut writer = IndexWriter::open(&self.folder)?;
        let (mut serials, mut unknown) = (Vec::new(), Vec::new());
        for id in self.ids {
            let before = serials.len();
            writer.parts().find_id(&id, &mut serials).map_err(|error| writer.error(error))?;
            if serials.len() == before {
                unknown.push(id);
            }
        }
        serials.sort_unstable();
        serials.dedup();
        if !serials.is_empty() {
            writer.take_out(&serials)?;
            writer.commit(None)?;
        }
        let parts = writer.parts().parts().len() as u64;
        let removed = serials.len() as u64;
        Ok(ChangeReport {
            removed,
            unknown,
            documents: writer.parts().len(),
            parts_before: parts,
            parts,
            peak_memory_bytes: peak_memory(),
        })
    }
}

impl MergeIndex {
    /// Runs the job. Fails at the start if there is too little memory. If it is cancelled, the index is as it was.
    pub fn run(self, progress: &dyn Progress) -> Result<ChangeReport, Error> {
        let mut writer = IndexWriter::open(&self.folder)?;
        let needs = writer.merge_needs();
        let room = index_room(self.memory, self.threads, (writer.bytes(), needs), "to merge this index")?;
        writer.limit(room.map(|room| room + needs));
        let before = writer.parts().parts().len() as u64;
        pool(self.threads)?.install(|| writer.merge_all(progress))?;
        let parts = writer.parts().parts().len() as u64;
        let documents = writer.parts().len();
        let peak_memory_bytes = peak_memory();
        Ok(ChangeReport { removed: 0, unknown: Vec::new(), documents, parts_before: before, parts, peak_memory_bytes })
    }
}
