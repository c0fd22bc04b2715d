//! Compares texts that do not fit in memory: tiles of nearly the same length are joined with each other.

use std::cmp::Ordering;
use std::num::NonZeroU32;
use std::sync::Arc;

use lookalike::engine::{EditJoin, Emit, Groups, KeepOrder, PairSource, PaperAlgorithm, Stage, Twin};
use rayon::prelude::*;

use super::text_file::TextFile;
use super::tiles::{Alike, Tiled, Tiles};
use crate::error::Error;

/// Bytes for each text and thread.
const SCRATCH: u64 = 4;

/// Texts in a file, as a source of the pairs within a distance.
pub(crate) type TextTiles = Tiles<TextJoin>;

/// Texts in a file, in keep order.
pub(crate) struct TextsOnDisk {
    file: Arc<TextFile>,
    keep: Arc<KeepOrder>,
    /// Whether only pairs with references are wanted.
    across: bool,
    /// By document, a key that must be equal in a pair. Empty if there are no keys.
    within: Arc<Vec<u64>>,
    /// Bytes of memory for texts that are compared.
    bytes: u64,
}

impl TextsOnDisk {
    /// Compares texts in this many bytes of memory. The documents are in `order`, the first `pinned` of them references.
    pub(crate) fn new(
        mut file: TextFile,
        (order, pinned): (Vec<u32>, usize),
        across: bool,
        within: Vec<u64>,
        bytes: u64,
    ) -> TextsOnDisk {
        let nonempty = order.iter().copied().filter(|&document| file.length(document) > 0);
        let groups = Groups::of_equal_keys(&file.hashes, nonempty);
        file.hashes = Vec::new();
        let keep = Arc::new(KeepOrder { order, pinned, groups });
        TextsOnDisk { file: Arc::new(file), keep, across, within: Arc::new(within), bytes }
    }

    /// The greatest number of characters of a text.
    pub(crate) fn longest(&self) -> u32 {
        self.file.longest()
    }

    /// The texts as a source of the pairs within a distance.
    pub(crate) fn source(&self, distance: u32, grams: Option<NonZeroU32>, paper: Option<PaperAlgorithm>) -> TextTiles {
        let join = TextJoin { file: self.file.clone(), within: self.within.clone(), distance, grams, paper };
        Tiles::new(join, self.keep.clone(), self.across, self.bytes)
    }
}

/// Joins texts of a file.
pub(crate) struct TextJoin {
    file: Arc<TextFile>,
    within: Arc<Vec<u64>>,
    distance: u32,
    grams: Option<NonZeroU32>,
    paper: Option<PaperAlgorithm>,
}

impl TextJoin {
    /// The name of the algorithm.
    pub(crate) fn algorithm(&self) -> &'static str {
        self.paper.map_or("edit", PaperAlgorithm::name)
    }

    /// The maximum distance of a pair.
    pub(crate) fn distance(&self) -> u32 {
        self.distance
    }
}

impl Tiled for TextJoin {
    fn key(&self, document: u32) -> u32 {
        self.file.length(document)
    }

    fn place(&self, document: u32) -> u64 {
        self.file.place(document)
    }

    fn bytes(&self, document: u32) -> u64 {
        self.file.bytes(document, self.distance) + SCRATCH * rayon::current_num_threads() as u64
    }

    fn fit(&self, one: (u32, u32), two: (u32, u32)) -> bool {
        one.0 <= two.1.saturating_add(self.distance) && two.0 <= one.1.saturating_add(self.distance)
    }

    fn join(&self, one: &[u32], two: Option<&[u32]>, stage: &Stage, emit: Emit) -> Result<(), Error> {
        let texts = self.file.load(&[one, two.unwrap_or_default()])?;
        let key = |&document: &u32| self.within.get(document as usize).copied();
        let within = one.iter().chain(two.unwrap_or_default()).filter_map(key).collect();
        let join = EditJoin::new(self.distance).grams(self.grams).paper(self.paper).within(within);
        let join = if two.is_some() { join.across(one.len() as u32) } else { join };
        join.prepare(Arc::new(texts)).pairs(&stage.quiet(), emit)?;
        Ok(())
    }

    fn common_of(&self, documents: &[u32], pairs: &[(usize, usize)]) -> Result<Vec<u32>, Error> {
        let texts = self.file.load(&[documents])?;
        let distance = |&(a, b): &(usize, usize)| texts.distance(a as u32, b as u32, u32::MAX).unwrap_or(u32::MAX);
        Ok(pairs.par_iter().map(distance).collect())
    }
}

impl Alike for TextJoin {
    /// The nearer one is more similar.
    fn compare(&self, _: u32, one: Twin, two: Twin) -> Ordering {
        two.common.cmp(&one.common)
    }

    fn of_equal(&self, _: u32) -> u32 {
        0
    }

    fn similarity(&self, _: u32, _: u32, common: u32) -> f64 {
        common.into()
    }
}
