//! Documents that do not fit in memory are cut into tiles, and any two tiles that may have a pair are joined in memory.
//!
//! Documents are cut in ascending order of a key that partners have nearly in common: the size of a set, the length of a text. So a tile
//! is joined with few others. If all keys are alike, the number of joins is quadratic in the number of tiles.

use std::cmp::Ordering;
use std::sync::Arc;

use lookalike::StorageError;
use lookalike::engine::{
    Compared, Counts, Emit, JoinError, KeepOrder, PairSource, SetPair, SetsError, Side, Stage, Twin,
};

use crate::error::Error;

/// Documents in a file, which can be joined in parts. They are numbered by their index.
pub(crate) trait Tiled: Send + Sync {
    /// The key that documents are cut by. It is 0 for a document that has nothing to compare.
    fn key(&self, index: u32) -> u32;

    /// Where a document is in the file: documents of a tile are loaded in this order.
    fn place(&self, index: u32) -> u64;

    /// Bytes of memory to compare a document.
    fn bytes(&self, index: u32) -> u64;

    /// Whether documents with keys from a range may be pairs with documents with keys from another. A range is its least and its
    /// greatest key.
    fn fit(&self, one: (u32, u32), two: (u32, u32)) -> bool;

    /// Loads documents and finds every pair of them, or with `two` every pair between the two tiles. The documents of each tile are in the
    /// order of their places. In the pairs, they are numbered by their position in `one` and, after these, in `two`.
    fn join(&self, one: &[u32], two: Option<&[u32]>, stage: &Stage, emit: Emit) -> Result<(), Error>;

    /// Loads documents, in the order of their places, and returns the numbers of some pairs of them, which are named by their positions.
    fn common_of(&self, documents: &[u32], pairs: &[(usize, usize)]) -> Result<Vec<u32>, Error>;
}

/// How much two documents have in common.
pub(crate) trait Alike: Tiled {
    /// Compares two documents by how much another resembles them.
    fn compare(&self, index: u32, one: Twin, two: Twin) -> Ordering;

    /// The number of a pair of equal documents.
    fn of_equal(&self, index: u32) -> u32;

    /// The similarity or the distance that the number of a pair means.
    fn similarity(&self, a: u32, b: u32, common: u32) -> f64;
}

/// A tile: documents of one side, in the order of their places, and their least and greatest key.
struct Tile {
    documents: Vec<u32>,
    side: Side,
    keys: (u32, u32),
}

/// Cuts documents into tiles of at most this many bytes.
fn cut(tiled: &impl Tiled, among: &[(u32, Side)], most: u64) -> Vec<Tile> {
    let mut tiles = Vec::new();
    for side in [Side::First, Side::Second, Side::Both] {
        let mut own: Vec<u32> = among.iter().filter(|(_, its)| *its == side).map(|&(index, _)| index).collect();
        own.sort_unstable_by_key(|&index| (tiled.key(index), index));
        let mut left = &own[..];
        while let Some(&first) = left.first() {
            let mut filled = tiled.bytes(first);
            let more = left[1..].iter().take_while(|&&index| {
                filled += tiled.bytes(index);
                filled <= most
            });
            let (tile, behind) = left.split_at(1 + more.count());
            let keys = (tiled.key(first), tiled.key(tile[tile.len() - 1]));
            let mut documents = tile.to_vec();
            documents.sort_unstable_by_key(|&index| tiled.place(index));
            tiles.push(Tile { documents, side, keys });
            left = behind;
        }
    }
    tiles
}

/// Finds every pair of documents, with one on each side. Two tiles of this many bytes are in memory at a time.
pub(crate) fn join_tiles(
    tiled: &impl Tiled,
    among: &[(u32, Side)],
    bytes: u64,
    stage: &Stage,
    emit: Emit,
) -> Result<(), Error> {
    let tiles = cut(tiled, among, bytes);
    for (at, one) in tiles.iter().enumerate() {
        stage.check().map_err(JoinError::from)?;
        if one.side == Side::Both {
            tiled.join(&one.documents, None, stage, &|pairs| emit(&renumber(pairs, &one.documents, &[])))?;
        }
        for two in tiles[at + 1..].iter().filter(|two| one.side.faces(two.side) && tiled.fit(one.keys, two.keys)) {
            stage.check().map_err(JoinError::from)?;
            let (one, two) = (&one.documents, &two.documents);
            tiled.join(one, Some(two), stage, &|pairs| emit(&renumber(pairs, one, two)))?;
        }
    }
    Ok(())
}

/// Pairs of two tiles, by their index.
fn renumber(pairs: &[SetPair], one: &[u32], two: &[u32]) -> Vec<SetPair> {
    let number = |position: u32| match one.get(position as usize) {
        Some(&index) => index,
        None => two[position as usize - one.len()],
    };
    let renumbered = |pair: &SetPair| {
        let (a, b) = (number(pair.a), number(pair.b));
        SetPair { a: a.min(b), b: a.max(b), common: pair.common }
    };
    pairs.iter().map(renumbered).collect()
}

/// The numbers of some pairs of different documents. Documents of this many bytes are in memory at a time.
pub(crate) fn load_common(tiled: &impl Tiled, pairs: &[(u32, u32)], bytes: u64) -> Result<Vec<u32>, Error> {
    let mut order: Vec<usize> = (0..pairs.len()).collect();
    order.sort_unstable_by_key(|&at| (pairs[at].1, pairs[at].0));
    let mut numbers = vec![0; pairs.len()];
    let mut left = &order[..];
    while !left.is_empty() {
        let mut filled = 0;
        let few = left.iter().take_while(|&&at| {
            let is_first = filled == 0;
            filled += tiled.bytes(pairs[at].0) + tiled.bytes(pairs[at].1);
            is_first || filled <= bytes
        });
        let (some, behind) = left.split_at(few.count());
        let mut documents: Vec<u32> = some.iter().flat_map(|&at| [pairs[at].0, pairs[at].1]).collect();
        documents.sort_unstable_by_key(|&index| tiled.place(index));
        documents.dedup();
        let position = |index: u32| documents.partition_point(|&other| tiled.place(other) < tiled.place(index));
        let positions: Vec<(usize, usize)> =
            some.iter().map(|&at| (position(pairs[at].0), position(pairs[at].1))).collect();
        for (&at, number) in some.iter().zip(tiled.common_of(&documents, &positions)?) {
            numbers[at] = number;
        }
        left = behind;
    }
    Ok(numbers)
}

/// Documents in a file as a source of pairs.
pub(crate) struct Tiles<T> {
    pub(crate) tiled: T,
    keep: Arc<KeepOrder>,
    /// Whether only pairs with references are wanted.
    across: bool,
    /// Bytes of a tile.
    bytes: u64,
}

impl<T: Tiled> Tiles<T> {
    /// Compares this many bytes at a time.
    pub(crate) fn new(tiled: T, keep: Arc<KeepOrder>, across: bool, bytes: u64) -> Tiles<T> {
        Tiles { tiled, keep, across, bytes: bytes / 2 }
    }
}

impl<T: Alike> PairSource for Tiles<T> {
    fn keep_order(&self) -> &KeepOrder {
        &self.keep
    }

    fn compared(&self) -> Compared {
        let is_first = |index: &&u32| self.keep.groups.is_first(**index) && self.tiled.key(**index) > 0;
        let (references, others) = self.keep.order.split_at(self.keep.pinned);
        let mut documents: Vec<u32> = references.iter().filter(is_first).copied().collect();
        let pinned = documents.len();
        documents.extend(others.iter().filter(is_first));
        Compared { documents, pinned }
    }

    fn work(&self) -> usize {
        self.keep.documents()
    }

    fn pairs(&mut self, stage: &Stage, emit: Emit) -> Result<Counts, JoinError> {
        // A reference is compared with others only if it represents a document that is not one.
        let mut mixed = vec![false; self.keep.documents()];
        for &index in &self.keep.order[self.keep.pinned..] {
            mixed[self.keep.groups.first(index) as usize] = true;
        }
        let Compared { documents, pinned } = self.compared();
        let others = if self.across { Side::First } else { Side::Both };
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
        join_tiles(&self.tiled, among, self.bytes, stage, emit).map_err(in_join)
    }

    fn compare(&self, document: u32, one: Twin, two: Twin) -> Ordering {
        self.tiled.compare(document, one, two)
    }

    fn common(&self, a: u32, b: u32) -> u32 {
        // A file that cannot be read has failed before: all pairs come from it.
        self.common_of(&[(a, b)]).map_or(0, |numbers| numbers[0])
    }

    fn common_of(&self, pairs: &[(u32, u32)]) -> Result<Vec<u32>, JoinError> {
        let groups = &self.keep.groups;
        let mut numbers: Vec<u32> = pairs.iter().map(|&(a, _)| self.tiled.of_equal(groups.first(a))).collect();
        let firsts = pairs.iter().map(|&(a, b)| (groups.first(a), groups.first(b)));
        let (places, different): (Vec<usize>, Vec<(u32, u32)>) =
            firsts.enumerate().filter(|(_, (a, b))| a != b).unzip();
        for (place, number) in
            places.into_iter().zip(load_common(&self.tiled, &different, self.bytes).map_err(in_join)?)
        {
            numbers[place] = number;
        }
        Ok(numbers)
    }

    fn similarity(&self, a: u32, b: u32, common: u32) -> f64 {
        self.tiled.similarity(a, b, common)
    }
}

/// The error of a file, where a join fails.
pub(crate) fn in_join(error: Error) -> JoinError {
    match error {
        Error::Join(error) => error,
        error => {
            let (purpose, reason) = ("temporary files", error.to_string());
            JoinError::Sets(SetsError::Storage(StorageError::File { purpose, reason }))
        }
    }
}
