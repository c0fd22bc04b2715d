//! A part that does not fit in memory: tiles of it are joined with each other.
//!
//! This is quadratic in the number of tiles. It is needed where very many documents belong together, or where all sets consist of a few
//! frequent elements.

use std::cmp::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use lookalike::engine::{
    Compared, Counts, Emit, Groups, JoinError, KeepOrder, PairSource, SetArena, SetBatch, SetPair, SetStore, Side,
    Stage, Twin, common, hash_set,
};

use super::part::Part;
use super::set_file::{SetsOfBlock, in_join, set_bytes};
use super::whole::Whole;
use crate::error::Error;

/// A large part as a source of pairs. Documents are numbered by their index.
pub(super) struct Tiles<'a> {
    whole: &'a Whole,
    /// The documents, ascending.
    documents: Vec<u32>,
    /// The index of the first document of each block of the file, and where the block begins.
    blocks: Vec<(u32, u64)>,
    keep: KeepOrder,
    part: Mutex<&'a mut Part>,
    /// Bytes of the sets of a tile.
    bytes: u64,
}

impl<'a> Tiles<'a> {
    /// Joins tiles whose sets have at most this many bytes, two at a time.
    pub(super) fn new(whole: &'a Whole, part: &'a mut Part, bytes: u64) -> Result<Tiles<'a>, Error> {
        let (mut documents, mut hashes, mut blocks) = (Vec::new(), Vec::new(), Vec::new());
        let (mut block, mut from) = (SetsOfBlock::default(), part.file.spooled.blocks()?);
        while let position = from.position()
            && block.read(&mut from)?
        {
            blocks.push((documents.len() as u32, position));
            for (document, set) in block.sets() {
                documents.push(document);
                hashes.push(hash_set(set));
            }
        }
        let (order, pinned) = whole.order_of(&documents);
        let groups = match super::whole::groups_equal_sets(&whole.threshold) {
            true => Groups::of_equal_keys(&hashes, order.iter().copied()),
            false => Groups::single(documents.len()),
        };
        let keep = KeepOrder { order, pinned, groups };
        Ok(Tiles { whole, documents, blocks, keep, part: Mutex::new(part), bytes: bytes / 2 })
    }

    pub(super) fn documents(&self) -> &[u32] {
        &self.documents
    }

    fn size(&self, index: u32) -> u32 {
        self.whole.sizes[self.documents[index as usize] as usize]
    }

    /// Loads the sets of some documents, named by their index in ascending order.
    fn load(&self, wanted: &[u32]) -> Result<SetStore, Error> {
        let mut part = self.part.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut arena, mut blocks, mut batch) = (SetArena::new(0), Vec::new(), SetBatch::default());
        let (mut left, mut block) = (wanted, SetsOfBlock::default());
        while let Some(&next) = left.first() {
            // Only the blocks with such a document are read.
            let number = self.blocks.partition_point(|(first, _)| *first <= next) - 1;
            let (first, position) = self.blocks[number];
            let end = self.blocks.get(number + 1).map_or(u32::MAX, |(end, _)| *end);
            let (own, behind) = left.split_at(left.partition_point(|&index| index < end));
            block.read(&mut part.file.spooled.blocks_from(position)?)?;
            own.iter().try_for_each(|&index| batch.push(block.at((index - first) as usize)))?;
            blocks.push(arena.put(&batch)?);
            batch.clear();
            left = behind;
        }
        Ok(SetStore::new(vec![arena], blocks)?)
    }

    /// Cuts documents into tiles, which have one side each.
    fn cut(&self, among: &[(u32, Side)]) -> Vec<(Vec<u32>, Side)> {
        let mut tiles = Vec::new();
        for side in [Side::First, Side::Second, Side::Both] {
            let mut own: Vec<u32> = among.iter().filter(|(_, its)| *its == side).map(|&(index, _)| index).collect();
            own.sort_unstable();
            let (mut tile, mut filled) = (Vec::new(), 0);
            for index in own {
                let bytes = set_bytes(self.size(index));
                if filled + bytes > self.bytes && !tile.is_empty() {
                    tiles.push((std::mem::take(&mut tile), side));
                    filled = 0;
                }
                filled += bytes;
                tile.push(index);
            }
            if !tile.is_empty() {
                tiles.push((tile, side));
            }
        }
        tiles
    }

    /// Whether a set of one tile may be a pair with one of another, by size.
    fn fit(&self, one: &[u32], two: &[u32]) -> bool {
        let sizes = |tile: &[u32]| {
            let sizes = || tile.iter().map(|&index| self.size(index));
            (sizes().min().unwrap_or(0), sizes().max().unwrap_or(0))
        };
        let ((least, most), (least_other, most_other)) = (sizes(one), sizes(two));
        let threshold = &self.whole.threshold;
        threshold.partners(least).0 <= most_other && threshold.partners(most).1 >= least_other
    }

    fn join(&self, among: &[(u32, Side)], stage: &Stage, emit: Emit) -> Result<(), Error> {
        let tiles = self.cut(among);
        for (at, (one, side)) in tiles.iter().enumerate() {
            stage.check().map_err(JoinError::from)?;
            if *side == Side::Both {
                let store = self.load(one)?;
                join(self.whole, store, None, &|pairs| emit(&renumber(pairs, one, &[])))?;
            }
            for (two, other) in &tiles[at + 1..] {
                if side.faces(*other) && self.fit(one, two) {
                    // A join may free the sets, so the first tile is not held for the next one.
                    let store = SetStore::joined(&self.load(one)?, &self.load(two)?)?;
                    join(self.whole, store, Some(one.len() as u32), &|pairs| emit(&renumber(pairs, one, two)))?;
                }
            }
        }
        Ok(())
    }
}

/// Pairs of two tiles, by their index in the part.
fn renumber(pairs: &[SetPair], one: &[u32], two: &[u32]) -> Vec<SetPair> {
    let number = |index: u32| match one.get(index as usize) {
        Some(&number) => number,
        None => two[index as usize - one.len()],
    };
    let renumbered = |pair: &SetPair| {
        let (a, b) = (number(pair.a), number(pair.b));
        SetPair { a: a.min(b), b: a.max(b), common: pair.common }
    };
    pairs.iter().map(renumbered).collect()
}

/// Every pair of a store of different sets, or every pair between the documents before `split` and the others.
fn join(whole: &Whole, store: SetStore, split: Option<u32>, emit: Emit) -> Result<(), Error> {
    let join = lookalike::engine::Join::new(whole.threshold).algorithm(whole.algorithm);
    let join = split.map_or(join.clone(), |split| join.across(split));
    join.prepare(Arc::new(store), &Stage::silent())?.pairs(&Stage::silent(), emit)?;
    Ok(())
}

impl PairSource for Tiles<'_> {
    fn keep_order(&self) -> &KeepOrder {
        &self.keep
    }

    fn compared(&self) -> Compared {
        let is_first = |index: &&u32| self.keep.groups.is_first(**index);
        let (references, others) = self.keep.order.split_at(self.keep.pinned);
        let mut documents: Vec<u32> = references.iter().filter(is_first).copied().collect();
        let pinned = documents.len();
        documents.extend(others.iter().filter(is_first));
        Compared { documents, pinned }
    }

    fn work(&self) -> usize {
        self.documents.len()
    }

    fn pairs(&mut self, stage: &Stage, emit: Emit) -> Result<Counts, JoinError> {
        // A reference is compared with others only if it represents a document that is not one.
        let mut mixed = vec![false; self.documents.len()];
        for &index in &self.keep.order[self.keep.pinned..] {
            mixed[self.keep.groups.first(index) as usize] = true;
        }
        let Compared { documents, pinned } = self.compared();
        let others = if self.whole.split.is_some() { Side::First } else { Side::Both };
        let side = |(at, &index): (usize, &u32)| match (at < pinned, mixed[index as usize]) {
            (true, true) => (index, Side::Both),
            (true, false) => (index, Side::Second),
            (false, _) => (index, others),
        };
        let among: Vec<(u32, Side)> = documents.iter().enumerate().map(side).collect();
        self.pairs_among(&among, stage, emit)?;
        Ok(Counts::default())
    }

    fn pairs_among(&mut self, among: &[(u32, Side)], stage: &Stage, emit: Emit) -> Result<(), JoinError> {
        self.join(among, stage, emit).map_err(in_join)
    }

    fn compare(&self, document: u32, one: Twin, two: Twin) -> Ordering {
        let of = |twin: Twin| (twin.common, self.size(twin.document));
        self.whole.threshold.compare(self.size(document), of(one), of(two))
    }

    fn common(&self, a: u32, b: u32) -> u32 {
        let (a, b) = (self.keep.groups.first(a), self.keep.groups.first(b));
        if a == b {
            return self.size(a);
        }
        let (a, b) = (a.min(b), a.max(b));
        self.load(&[a, b]).map_or(0, |store| common(store.set(0), store.set(1)))
    }

    fn similarity(&self, a: u32, b: u32, common: u32) -> f64 {
        self.whole.threshold.similarity(common, self.size(a), self.size(b))
    }
}
