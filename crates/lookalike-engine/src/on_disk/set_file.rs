//! Sets in a temporary file, in ascending order of their documents.

use std::sync::{Mutex, PoisonError};

use lookalike::engine::{SetArena, SetBatch, SetStore};
use lookalike_io::spill::{Space, Spool, SpoolBlocks, Spooled};

use super::directory::Directory;
use crate::error::Error;

/// Bytes of a record, not counting the elements: the document and the number of elements.
const HEAD: usize = 8;

/// Bytes of a set of `len` elements in a file.
pub(crate) fn set_bytes(len: u32) -> u64 {
    HEAD as u64 + 8 * u64::from(len)
}

/// Appends the record of a set.
pub(crate) fn put_set(document: u32, set: &[u64], records: &mut Vec<u8>) {
    records.extend_from_slice(&document.to_le_bytes());
    records.extend_from_slice(&(set.len() as u32).to_le_bytes());
    set.iter().for_each(|element| records.extend_from_slice(&element.to_le_bytes()));
}

/// Sets, one block in memory at a time.
#[derive(Default)]
pub(crate) struct SetsOfBlock {
    content: Vec<u8>,
    elements: Vec<u64>,
    /// The documents, and where the elements of each end.
    ends: Vec<(u32, usize)>,
}

impl SetsOfBlock {
    /// Reads the next block. Returns false after the last.
    pub(crate) fn read(&mut self, blocks: &mut SpoolBlocks) -> Result<bool, Error> {
        self.elements.clear();
        self.ends.clear();
        if !blocks.next_block(&mut self.content)? {
            return Ok(false);
        }
        let mut rest = &self.content[..];
        while let Some((head, behind)) = rest.split_first_chunk::<HEAD>() {
            let [document, len] =
                [0, 4].map(|at| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]));
            let (elements, behind) = behind.split_at(8 * len as usize);
            self.elements.extend(elements.as_chunks::<8>().0.iter().map(|bytes| u64::from_le_bytes(*bytes)));
            self.ends.push((document, self.elements.len()));
            rest = behind;
        }
        Ok(true)
    }

    /// The number of sets.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The set of a document, if it is in the block.
    pub(crate) fn set(&self, document: u32) -> Option<&[u64]> {
        let index = self.ends.binary_search_by_key(&document, |(document, _)| *document).ok()?;
        Some(self.at(index))
    }

    /// A set by its index in the block.
    pub(crate) fn at(&self, index: usize) -> &[u64] {
        let start = if index == 0 { 0 } else { self.ends[index - 1].1 };
        &self.elements[start..self.ends[index].1]
    }

    /// The sets, each with its document.
    pub(crate) fn sets(&self) -> impl Iterator<Item = (u32, &[u64])> {
        let mut start = 0;
        self.ends
            .iter()
            .map(move |&(document, end)| (document, &self.elements[std::mem::replace(&mut start, end)..end]))
    }
}

/// A file of sets.
pub(crate) struct SetFile {
    pub(crate) spooled: Spooled,
    /// Where documents lie, unless the file was opened again.
    pub(crate) directory: Directory,
    /// The number of sets.
    pub(crate) sets: u64,
    /// The elements of all sets.
    pub(crate) elements: u64,
}

/// A file of sets that is being written.
pub(crate) struct SetFileWriter {
    spool: Spool,
    directory: Directory,
    records: Vec<u8>,
    sets: u64,
    elements: u64,
}

impl SetFileWriter {
    pub(crate) fn new(space: &Space) -> SetFileWriter {
        SetFileWriter::of(Spool::new(space))
    }

    /// Writes into this spool.
    pub(crate) fn of(spool: Spool) -> SetFileWriter {
        SetFileWriter { spool, directory: Directory::default(), records: Vec::new(), sets: 0, elements: 0 }
    }

    /// Sets the bytes of a block.
    pub(crate) fn block(self, bytes: usize) -> SetFileWriter {
        SetFileWriter { spool: self.spool.block(bytes), ..self }
    }

    /// Appends a set. Documents must come in ascending order.
    pub(crate) fn put(&mut self, document: u32, set: &[u64]) -> Result<(), Error> {
        self.directory.add(document, self.spool.next_position());
        self.records.clear();
        put_set(document, set, &mut self.records);
        self.sets += 1;
        self.elements += set.len() as u64;
        Ok(self.spool.append(&self.records)?)
    }

    /// Appends records of [`put_set`].
    pub(crate) fn put_records(&mut self, records: &[u8], sets: u64, elements: u64) -> Result<(), Error> {
        let document = records.first_chunk::<4>().map_or(0, |document| u32::from_le_bytes(*document));
        self.directory.add(document, self.spool.next_position().filter(|_| sets > 0));
        self.sets += sets;
        self.elements += elements;
        Ok(self.spool.append(records)?)
    }

    pub(crate) fn finish(self) -> Result<SetFile, Error> {
        let SetFileWriter { spool, directory, sets, elements, .. } = self;
        Ok(SetFile { spooled: spool.finish()?, directory, sets, elements })
    }
}

impl SetFile {
    /// Calls `each` with every block of sets.
    pub(crate) fn for_each_block(
        &mut self,
        mut each: impl FnMut(&SetsOfBlock) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (mut block, mut blocks) = (SetsOfBlock::default(), self.spooled.blocks()?);
        while block.read(&mut blocks)? {
            each(&block)?;
        }
        Ok(())
    }
}

/// A file of sets that are found by their documents.
pub(crate) struct SetsInFile(Mutex<SetFile>);

impl SetsInFile {
    /// The sets of a file that was just written.
    pub(crate) fn new(file: SetFile) -> SetsInFile {
        SetsInFile(Mutex::new(file))
    }

    /// Loads the sets of some lists of documents, one after another. Each list is ascending, and all documents are in the file.
    pub(crate) fn load(&self, lists: &[&[u32]]) -> Result<SetStore, Error> {
        let SetFile { spooled, directory, .. } = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut arena, mut blocks, mut batch) = (SetArena::new(0), Vec::new(), SetBatch::default());
        let mut block = SetsOfBlock::default();
        for list in lists {
            for (position, _, own) in directory.blocks_of(list) {
                block.read(&mut spooled.blocks_from(position)?)?;
                own.iter().try_for_each(|&document| batch.push(block.set(document).unwrap_or_default()))?;
                blocks.push(arena.put(&batch)?);
                batch.clear();
            }
        }
        Ok(SetStore::new(vec![arena], blocks)?)
    }
}
