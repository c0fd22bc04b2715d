//! Puts a collection together from the blocks that were read.

use lookalike::engine::{SetArena, SetBlock, SetStore, SetsError};
use lookalike_io::Seen;

use super::collection::Collection;
use super::documents::Documents;
use crate::error::Error;
use crate::read::block::{ReadBlock, Take};

/// A collection that is put together block by block, in order.
pub(in crate::read) struct Assembly<'a> {
    collection: Collection,
    sets: Vec<SetBlock>,
    inputs: usize,
    /// The fields seen in sources that are not inputs.
    others: Seen,
    /// Takes from each block what does not stay in memory.
    take: Option<&'a Take<'a>>,
    /// The most documents.
    most: usize,
}

/// Documents have numbers of 32 bits.
const MOST: usize = u32::MAX as usize;

impl<'a> Assembly<'a> {
    pub(in crate::read) fn new(documents: Documents, inputs: usize, take: Option<&'a Take<'a>>) -> Assembly<'a> {
        let collection = Collection::new(documents);
        Assembly { collection, sets: Vec::new(), inputs, others: Seen::default(), take, most: MOST }
    }

    /// Appends a block.
    pub(in crate::read) fn add(&mut self, mut block: ReadBlock) -> Result<(), Error> {
        self.take.map_or(Ok(()), |take| take(&mut block))?;
        let all = &mut self.collection;
        if all.documents.len() + block.rows.len() > self.most {
            return Err(SetsError::ManyDocuments.into());
        }
        all.starts.push((block.number, all.documents.len() as u32));
        all.hashes.extend(block.hash);
        all.positions.extend_from_slice(&block.positions);
        all.traces.push(block.traces);
        all.documents.push(block.source, &block.rows, &block.ids, &block.id_ends)?;
        all.set_hashes.extend_from_slice(&block.set_hashes);
        all.signatures.extend_from_slice(&block.signatures);
        all.sizes.extend_from_slice(&block.sizes);
        all.sites.extend_from_slice(&block.sites);
        all.keys.extend(block.keys);
        all.within.extend(block.within);
        all.texts.append(&block.texts);
        all.text_hashes.extend(block.text_hashes);
        all.unreadable.extend(block.unreadable.iter().map(|&row| (block.source, row)));
        let mut tally = block.tally;
        if block.source >= self.inputs {
            // Empty documents of a reference collection are not reported.
            tally.empty = 0;
            self.others.add(std::mem::take(&mut tally.seen));
        }
        all.tally.add(tally);
        self.sets.push(block.sets);
        Ok(())
    }

    /// The collection, and the fields seen in sources that are not inputs.
    pub(in crate::read) fn finish(
        self,
        arenas: Vec<SetArena>,
        digests: Vec<SetArena<u32>>,
    ) -> Result<(Collection, Seen), Error> {
        let Assembly { mut collection, sets, inputs, others, .. } = self;
        match digests.is_empty() {
            true => collection.store = SetStore::new(arenas, sets)?,
            false => collection.digests = SetStore::new(digests, sets)?,
        }
        collection.documents.set_inputs(inputs);
        Ok((collection, others))
    }
}

#[cfg(test)]
mod tests {
    use lookalike::engine::JoinError;
    use lookalike_io::spill::Space;

    use super::*;

    /// A block of so many documents that have no ids.
    fn block(number: usize, documents: u64) -> ReadBlock {
        let rows: Vec<u64> = (1..=documents).collect();
        ReadBlock { number, id_ends: vec![0; rows.len()], rows, ..ReadBlock::default() }
    }

    /// More documents than numbers of 32 bits count, with a limit that a test can reach.
    #[test]
    fn too_many_documents_are_an_error() {
        let assembly = |most| Assembly { most, ..Assembly::new(Documents::new(&[], &Space::default(), 100), 0, None) };
        let mut all = assembly(7);
        [block(0, 3), block(1, 0), block(2, 4)].into_iter().for_each(|block| all.add(block).unwrap());
        let error = all.add(block(3, 1)).unwrap_err();
        assert!(matches!(error, Error::Join(JoinError::Sets(SetsError::ManyDocuments))), "{error}");
        all.add(block(4, 0)).unwrap();
        assert!(assembly(2).add(block(0, 3)).is_err());
    }
}
