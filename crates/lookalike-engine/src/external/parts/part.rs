//! A part of the sets, compared in memory.

use std::sync::Arc;

use lookalike::engine::{JoinError, Joinable, SetArena, SetBatch, SetStore, Stage};

use crate::error::Error;
use crate::external::whole::Whole;
use crate::on_disk::SetFile;

/// Sets that can have partners only among each other.
pub(in crate::external) struct Part {
    pub(in crate::external) file: SetFile,
}

/// Elements of a batch.
const BATCH: usize = 1 << 16;

impl Part {
    /// Loads the sets. Returns the documents, ascending, and the sets, which are numbered by their index.
    pub(super) fn load(&mut self) -> Result<(Vec<u32>, SetStore), Error> {
        let mut documents = Vec::with_capacity(self.file.sets as usize);
        let (mut arena, mut blocks) = (SetArena::new(0), Vec::new());
        let (mut batch, mut elements) = (SetBatch::default(), 0);
        self.file.for_each_block(|block| {
            for (document, set) in block.sets() {
                documents.push(document);
                batch.push(set)?;
                elements += set.len();
                if elements >= BATCH {
                    blocks.push(arena.put(&batch)?);
                    batch.clear();
                    elements = 0;
                }
            }
            Ok(())
        })?;
        blocks.push(arena.put(&batch)?);
        Ok((documents, SetStore::new(vec![arena], blocks)?))
    }

    /// Loads and prepares the sets for a join.
    pub(in crate::external) fn prepare(&mut self, whole: &Whole) -> Result<(Vec<u32>, Joinable), Error> {
        let (documents, store) = self.load()?;
        let joinable = prepare(whole, &documents, store)?;
        Ok((documents, joinable))
    }
}

/// Prepares the sets of these documents for a join.
pub(super) fn prepare(whole: &Whole, documents: &[u32], store: SetStore) -> Result<Joinable, JoinError> {
    whole.join_of(documents).prepare(Arc::new(store), &Stage::silent())
}
