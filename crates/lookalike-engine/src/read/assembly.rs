//! A collection, and how it is put together from the blocks that were read.

use lookalike::engine::{SetArena, SetBlock, SetStore, SetsError, Texts};
use lookalike_io::Seen;

use super::block::{Digests, ReadBlock, Take};
use super::documents::Documents;
use super::keep::Key;
use super::sample::Sample;
use super::tally::Tally;
use crate::error::Error;

/// All documents of the sources.
pub(crate) struct Collection {
    pub(crate) store: SetStore,
    /// The first 32 bits of every element of the sets, if they are kept instead.
    pub(crate) short: SetStore<u32>,
    /// Fingerprints of all sets, the documents' signatures, the sizes and a sample of the sets, if they are kept instead of the sets.
    pub(crate) fingerprints: Vec<u128>,
    pub(crate) signatures: Vec<u64>,
    pub(crate) sizes: Vec<u32>,
    /// Hashes of the sites, if the method compares them; 0 for a document without a site.
    pub(crate) sites: Vec<u64>,
    pub(crate) sample: Sample,
    /// The numbers of the blocks and their first documents.
    pub(crate) starts: Vec<(usize, u32)>,
    /// The hashes of the blocks, if their sets are not kept.
    pub(crate) hashes: Vec<u64>,
    /// By document, where its row begins in its file, if rows may be read again one by one.
    pub(crate) positions: Vec<u64>,
    /// The digests of the sets, by block, if they are kept instead of the sets.
    pub(crate) digests: Vec<Digests>,
    pub(crate) documents: Documents,
    pub(crate) keys: Vec<Key>,
    /// Hashes of the values that must be equal for documents to be compared, if there are any.
    pub(crate) within: Vec<u64>,
    /// The texts, if they are kept instead of their sets.
    pub(crate) texts: Texts,
    /// A hash of every text, if requested; 0 for a document without a text.
    pub(crate) text_hashes: Vec<u64>,
    pub(crate) tally: Tally,
    pub(crate) unreadable: Vec<(usize, u64)>,
}

impl Collection {
    /// These documents, and nothing else of them.
    pub(crate) fn new(documents: Documents) -> Collection {
        Collection {
            store: SetStore::default(),
            short: SetStore::default(),
            fingerprints: Vec::new(),
            signatures: Vec::new(),
            sizes: Vec::new(),
            sites: Vec::new(),
            sample: Sample::default(),
            starts: Vec::new(),
            hashes: Vec::new(),
            positions: Vec::new(),
            digests: Vec::new(),
            documents,
            keys: Vec::new(),
            within: Vec::new(),
            texts: Texts::new(),
            text_hashes: Vec::new(),
            tally: Tally::default(),
            unreadable: Vec::new(),
        }
    }
}

/// A collection that is put together block by block, in order.
pub(super) struct Assembly<'a> {
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
    pub(super) fn new(documents: Documents, inputs: usize, take: Option<&'a Take<'a>>) -> Assembly<'a> {
        let collection = Collection::new(documents);
        Assembly { collection, sets: Vec::new(), inputs, others: Seen::default(), take, most: MOST }
    }

    /// Appends a block.
    pub(super) fn add(&mut self, mut block: ReadBlock) -> Result<(), Error> {
        self.take.map_or(Ok(()), |take| take(&mut block))?;
        let all = &mut self.collection;
        if all.documents.len() + block.rows.len() > self.most {
            return Err(SetsError::ManyDocuments.into());
        }
        all.starts.push((block.number, all.documents.len() as u32));
        all.hashes.extend(block.hash);
        all.positions.extend_from_slice(&block.positions);
        all.digests.push(block.digests);
        all.documents.push(block.source, &block.rows, &block.ids, &block.id_ends)?;
        all.fingerprints.extend_from_slice(&block.fingerprints);
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
    pub(super) fn finish(self, arenas: Vec<SetArena>, short: Vec<SetArena<u32>>) -> Result<(Collection, Seen), Error> {
        let Assembly { mut collection, sets, inputs, others, .. } = self;
        match short.is_empty() {
            true => collection.store = SetStore::new(arenas, sets)?,
            false => collection.short = SetStore::new(short, sets)?,
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
