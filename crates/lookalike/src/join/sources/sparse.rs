//! How is the sparse index a source of pairs?

use std::cmp::Ordering;
use std::sync::Arc;

use rayon::prelude::*;

use crate::candidates::Outgoing;
use crate::join::frame::Frame;
use crate::join::keep_order::{Compared, KeepOrder, Twin};
use crate::join::pair::Emit;
use crate::join::source::{Indexed, PairSource};
use crate::join::sparse::{Index, Match};
use crate::join::{Counts, JoinError, Pair, Side};
use crate::progress::Stage;

/// Default number of documents that are settled together. A block inside a tight cluster costs its square in
/// comparisons; a small block costs synchronisation.
const BLOCK: u32 = 256;

/// The sparse index as a source of pairs.
pub(in crate::join) struct SparseSource {
    pub(in crate::join) frame: Arc<Frame>,
    pub(in crate::join) index: Index,
}

impl PairSource for SparseSource {
    fn keep_order(&self) -> &KeepOrder {
        &self.frame.keep
    }

    fn compared(&self) -> Compared {
        self.frame.compared((0..self.index.places()).map(|place| self.index.document(place)))
    }

    fn work(&self) -> usize {
        self.index.places() as usize
    }

    fn pairs(&mut self, stage: &Stage, emit: Emit) -> Result<Counts, JoinError> {
        self.index.for_each_pair(&self.frame.references, stage, emit)
    }

    /// The simple version of settling block by block: enters documents of the second side, then searches with those of
    /// the first.
    fn pairs_among(&mut self, among: &[(u32, Side)], stage: &Stage, emit: Emit) -> Result<(), JoinError> {
        let mut place = vec![u32::MAX; self.frame.sizes.len()];
        (0..self.index.places()).for_each(|at| place[self.index.document(at) as usize] = at);
        let mut side = vec![None; self.index.places() as usize];
        among.iter().for_each(|&(document, on)| side[place[document as usize] as usize] = Some(on));
        let is_on = |at: u32, wanted: Side| side[at as usize].is_some_and(|on| on == wanted || on == Side::Both);
        self.index.clear();
        self.index.enter((0..self.index.places()).filter(|&at| is_on(at, Side::Second)));
        let (index, emit) = (&self.index, |some: &[Pair]| emit(some));
        let (prober, scratches) = (index.prober(), index.scratches());
        let asking: Vec<u32> = (0..index.places()).filter(|&at| is_on(at, Side::First)).collect();
        asking.par_iter().for_each(|&at| {
            if stage.is_cancelled() {
                return;
            }
            let mut matches = Vec::new();
            prober.find(&mut scratches.own(), at, 0..at, &mut matches);
            let before = matches.len();
            prober.find(&mut scratches.own(), at, at + 1..index.places(), &mut matches);
            // Two documents that search for each other are found twice.
            let is_both = |place: u32| side[place as usize] == Some(Side::Both);
            let is_once = |(number, found): &(usize, &Match)| *number < before || !is_both(at) || !is_both(found.place);
            let mut outgoing = Outgoing::new(&emit);
            let found = matches.iter().enumerate().filter(is_once);
            outgoing.extend(found.map(|(_, found)| index.pair(at, found)));
        });
        self.index.clear();
        Ok(stage.check()?)
    }

    fn compare(&self, document: u32, one: Twin, two: Twin) -> Ordering {
        self.frame.compare(document, one, two)
    }

    fn common(&self, a: u32, b: u32) -> u32 {
        self.frame.common(a, b, |a, b| self.index.common(a, b))
    }

    fn similarity(&self, a: u32, b: u32, common: u32) -> f64 {
        self.frame.similarity(a, b, common)
    }

    fn index(&mut self) -> Option<Indexed<'_>> {
        let block = self.frame.block.unwrap_or(BLOCK);
        Some(Indexed { index: &mut self.index, forecast: None, block })
    }
}
