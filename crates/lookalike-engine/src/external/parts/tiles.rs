//! A part that does not fit in memory: tiles of it are joined with each other.
//!
//! It is needed where very many documents belong together, or where all sets consist of a few frequent elements.

use std::cmp::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use lookalike::engine::{
    Emit, Groups, Join, KeepOrder, PairSource, SetArena, SetBatch, SetStore, Stage, Twin, common, hash_set,
};
use rayon::prelude::*;

use super::part::Part;
use crate::error::Error;
use crate::external::whole::Whole;
use crate::on_disk::{Alike, Directory, SetsOfBlock, Tiled, Tiles, set_bytes};

/// The sets of a large part. Documents are numbered by their index.
pub(in crate::external) struct SetTiles<'a> {
    whole: &'a Whole,
    /// The documents, ascending.
    documents: Vec<u32>,
    /// Where they are in the file, by their index.
    directory: Directory,
    part: Mutex<&'a mut Part>,
}

impl<'a> SetTiles<'a> {
    /// The source of a part's pairs. Compares sets of this many bytes at a time.
    pub(in crate::external) fn source(
        whole: &'a Whole,
        part: &'a mut Part,
        bytes: u64,
    ) -> Result<Tiles<SetTiles<'a>>, Error> {
        let (mut documents, mut hashes, mut directory) = (Vec::new(), Vec::new(), Directory::default());
        let (mut block, mut from) = (SetsOfBlock::default(), part.file.spooled.blocks()?);
        while let position = from.position()
            && block.read(&mut from)?
        {
            directory.add(documents.len() as u32, Some(position));
            for (document, set) in block.sets() {
                documents.push(document);
                hashes.push(hash_set(set));
            }
        }
        let (order, pinned) = whole.order_of(&documents);
        let groups = match whole.threshold.groups_equal_sets() {
            true => Groups::of_equal_keys(&hashes, order.iter().copied()),
            false => Groups::single(documents.len()),
        };
        let keep = Arc::new(KeepOrder { order, pinned, groups });
        let sets = SetTiles { whole, documents, directory, part: Mutex::new(part) };
        Ok(Tiles::new(sets, keep, whole.split.is_some(), bytes))
    }

    pub(in crate::external) fn documents(&self) -> &[u32] {
        &self.documents
    }

    fn size(&self, index: u32) -> u32 {
        self.whole.sizes[self.documents[index as usize] as usize]
    }

    /// Loads the sets of some documents, named by their index in ascending order.
    fn load(&self, wanted: &[u32]) -> Result<SetStore, Error> {
        let mut part = self.part.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut arena, mut blocks, mut batch) = (SetArena::new(0), Vec::new(), SetBatch::default());
        let mut block = SetsOfBlock::default();
        // Only the blocks with such a document are read.
        for (position, first, own) in self.directory.blocks_of(wanted) {
            block.read(&mut part.file.spooled.blocks_from(position)?)?;
            own.iter().try_for_each(|&index| batch.push(block.at((index - first) as usize)))?;
            blocks.push(arena.put(&batch)?);
            batch.clear();
        }
        Ok(SetStore::new(vec![arena], blocks)?)
    }
}

impl Tiled for SetTiles<'_> {
    fn key(&self, index: u32) -> u32 {
        self.size(index)
    }

    fn place(&self, index: u32) -> u64 {
        index.into()
    }

    fn bytes(&self, index: u32) -> u64 {
        set_bytes(self.size(index))
    }

    fn fit(&self, one: (u32, u32), two: (u32, u32)) -> bool {
        let threshold = &self.whole.threshold;
        threshold.partners(one.0).0 <= two.1 && threshold.partners(one.1).1 >= two.0
    }

    fn join(&self, one: &[u32], two: Option<&[u32]>, stage: &Stage, emit: Emit) -> Result<(), Error> {
        let join = Join::new(self.whole.threshold).algorithm(self.whole.algorithm);
        let (store, join) = match two {
            Some(two) => (SetStore::joined(&self.load(one)?, &self.load(two)?)?, join.across(one.len() as u32)),
            None => (self.load(one)?, join),
        };
        join.prepare(Arc::new(store), &Stage::silent())?.pairs(&stage.quiet(), emit)?;
        Ok(())
    }

    fn common_of(&self, documents: &[u32], pairs: &[(usize, usize)]) -> Result<Vec<u32>, Error> {
        let store = self.load(documents)?;
        let common = |&(a, b): &(usize, usize)| common(store.set(a as u32), store.set(b as u32));
        Ok(pairs.par_iter().map(common).collect())
    }
}

impl Alike for SetTiles<'_> {
    fn compare(&self, index: u32, one: Twin, two: Twin) -> Ordering {
        let of = |twin: Twin| (twin.common, self.size(twin.document));
        self.whole.threshold.compare(self.size(index), of(one), of(two))
    }

    fn of_equal(&self, index: u32) -> u32 {
        self.size(index)
    }

    fn similarity(&self, a: u32, b: u32, common: u32) -> f64 {
        self.whole.threshold.similarity(common, self.size(a), self.size(b))
    }
}
