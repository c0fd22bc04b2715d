//! How does the chosen plan search a collection for pairs?

use std::cmp::Ordering;

use super::estimate::Counted;
use super::joinable::Joinable;
use crate::join::keep_order::{Compared, KeepOrder, Twin};
use crate::join::pair::Emit;
use crate::join::source::{Indexed, PairSource};
use crate::join::{Counts, JoinError, Side};
use crate::progress::Stage;

/// Documents in the sample that estimates the number of pairs, and pairs that a document may have within a block.
const SAMPLE: u32 = 256;
const PAIRS_IN_BLOCK: f64 = 64.0;
/// The share of similar pairs above which a sample is too expensive.
const MANY_ALIKE: f64 = 1.0 / 32.0;
/// The fewest documents that are worth a join.
const FEWEST: usize = 128;

impl PairSource for Joinable {
    fn keep_order(&self) -> &KeepOrder {
        &self.frame().keep
    }

    fn compared(&self) -> Compared {
        self.source().compared()
    }

    fn work(&self) -> usize {
        self.source().work()
    }

    fn pairs(&mut self, stage: &Stage, emit: Emit) -> Result<Counts, JoinError> {
        self.try_index();
        self.source_mut().pairs(stage, emit)
    }

    fn pairs_among(&mut self, among: &[(u32, Side)], stage: &Stage, emit: Emit) -> Result<(), JoinError> {
        self.source_mut().pairs_among(among, stage, emit)
    }

    fn compare(&self, document: u32, one: Twin, two: Twin) -> Ordering {
        self.frame().compare(document, one, two)
    }

    fn common(&self, a: u32, b: u32) -> u32 {
        self.source().common(a, b)
    }

    fn similarity(&self, a: u32, b: u32, common: u32) -> f64 {
        self.frame().similarity(a, b, common)
    }

    /// As many documents as possible without comparing those that resemble many others with all of them.
    fn at_once(&mut self) -> usize {
        if let Some(block) = self.frame().block {
            return block as usize;
        }
        let share = self.similar_share();
        // If most documents are similar, a sample of their pairs costs more than it helps.
        let pairs = if share > MANY_ALIKE { None } else { self.estimate(SAMPLE, Counted::Sets) };
        let count = self.work().max(1) as f64;
        let pairs_each = pairs.map_or(share * count, |pairs| pairs as f64 / count);
        ((count * PAIRS_IN_BLOCK / pairs_each.max(1.0)) as usize).max(FEWEST)
    }

    fn index(&mut self) -> Option<Indexed<'_>> {
        let forecast = self.change.as_ref().map(|change| change.forecast);
        let indexed = self.source_mut().index()?;
        Some(Indexed { forecast, ..indexed })
    }

    fn leave_index(&mut self) {
        self.change_to_dense();
    }
}
