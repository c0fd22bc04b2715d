//! Where pairs come from.
//!
//! Every way to find pairs is a [`PairSource`]: the sparse index, the dense join, brute force, the paper's joins, edit distance, and each
//! family of signatures. Whoever decides which documents stay, writes pairs, ranks them or checks a result takes any of them.

use std::cmp::Ordering;

use super::keep_order::{Compared, KeepOrder, Twin};
use super::pair::Emit;
use super::plan::forecast::Forecast;
use super::sparse::Index;
use super::{Counts, JoinError, Side};
use crate::progress::Stage;

/// A collection that is ready to be searched for pairs in one way.
pub trait PairSource: Send + Sync {
    /// All documents in keep order, and which of them are equal.
    fn keep_order(&self) -> &KeepOrder;

    /// The documents that may have a partner.
    fn compared(&self) -> Compared;

    /// How many units of work the stage of [`PairSource::pairs`] counts.
    fn work(&self) -> usize;

    /// Finds every pair of documents that stand for their groups, in no particular order; `a` is less than `b`. Two references are no
    /// pair.
    fn pairs(&mut self, stage: &Stage, emit: Emit) -> Result<Counts, JoinError>;

    /// The same among some documents that stand for their groups, each named once: pairs with one document on each side.
    fn pairs_among(&mut self, among: &[(u32, Side)], stage: &Stage, emit: Emit) -> Result<(), JoinError>;

    /// Which of two documents another resembles more.
    fn compare(&self, document: u32, one: Twin, two: Twin) -> Ordering;

    /// How much two documents share that are equal or each have a partner.
    fn common(&self, a: u32, b: u32) -> u32;

    /// The similarity of two documents that share so much, or their distance.
    fn similarity(&self, a: u32, b: u32, common: u32) -> f64;

    /// How many documents to join with each other at a time when it is decided which stay. All of them may turn out to be pairs.
    fn at_once(&mut self) -> usize {
        2048
    }

    /// The sparse index, if this is one: it settles documents block by block, each against those that are kept.
    #[doc(hidden)]
    fn index(&mut self) -> Option<Indexed<'_>> {
        None
    }

    /// Changes to another plan, since the index proved costly.
    #[doc(hidden)]
    fn leave_index(&mut self) {}
}

/// A sparse index that can be asked for the partners of one document.
pub struct Indexed<'a> {
    pub(crate) index: &'a mut Index,
    /// What was foreseen, if the plan may still change.
    pub(crate) forecast: Option<Forecast>,
    /// How many documents are settled together.
    pub(crate) block: u32,
}
