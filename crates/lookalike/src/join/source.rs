//! What is a source of pairs?
//!
//! Every algorithm that finds pairs is a [`PairSource`]: the sparse index, the dense join, brute force, the paper's joins,
//! edit distance, and each family of signatures. Code that decides which documents to keep, writes pairs, ranks them or
//! checks a result works with any of them.

use std::cmp::Ordering;

use rayon::prelude::*;

use super::forecast::Forecast;
use super::keep_order::{Compared, KeepOrder, Twin};
use super::pair::Emit;
use super::sparse::Index;
use super::{Counts, JoinError, Side};
use crate::progress::Stage;

/// A collection that can be searched for pairs by one algorithm.
pub trait PairSource: Send + Sync {
    /// Returns all documents in keep order, and which of them are equal.
    fn keep_order(&self) -> &KeepOrder;

    /// Returns the documents that may have a partner.
    fn compared(&self) -> Compared;

    /// Returns how many units the stage of [`PairSource::pairs`] counts.
    fn work(&self) -> usize;

    /// Finds every pair of documents that represent their groups, in no particular order; `a` is less than `b`. Two
    /// references are never a pair.
    fn pairs(&mut self, stage: &Stage, emit: Emit) -> Result<Counts, JoinError>;

    /// Finds every pair, with one document on each side, among some documents that represent their groups. Each pair is
    /// found once.
    fn pairs_among(&mut self, among: &[(u32, Side)], stage: &Stage, emit: Emit) -> Result<(), JoinError>;

    /// Compares two documents by how much another resembles them.
    fn compare(&self, document: u32, one: Twin, two: Twin) -> Ordering;

    /// Returns how many elements two documents share. They must be equal, or each have a partner.
    fn common(&self, a: u32, b: u32) -> u32;

    /// Returns [`PairSource::common`] of many pairs of documents.
    fn common_of(&self, pairs: &[(u32, u32)]) -> Result<Vec<u32>, JoinError> {
        Ok(pairs.par_iter().map(|&(a, b)| self.common(a, b)).collect())
    }

    /// Returns the similarity of two documents with this many common elements, or their distance.
    fn similarity(&self, a: u32, b: u32, common: u32) -> f64;

    /// Returns how many documents to join with each other at a time when deciding which to keep. In the worst case all
    /// of them are pairs.
    fn at_once(&mut self) -> usize {
        2048
    }

    /// Returns the sparse index, if this source has one. It settles documents block by block, each against those
    /// already kept.
    #[doc(hidden)]
    fn index(&mut self) -> Option<Indexed<'_>> {
        None
    }

    /// Changes to another plan, because the index is too slow.
    #[doc(hidden)]
    fn leave_index(&mut self) {}
}

/// A sparse index that finds the partners of one document.
pub struct Indexed<'a> {
    pub(crate) index: &'a mut Index,
    /// The forecast, if the plan may still change.
    pub(crate) forecast: Option<Forecast>,
    /// How many documents are settled together.
    pub(crate) block: u32,
}
