//! How is one of the paper's algorithms a source of pairs?

use std::cmp::Ordering;
use std::sync::Arc;

use crate::candidates::Outgoing;
use crate::join::frame::Frame;
use crate::join::keep_order::{Compared, KeepOrder, Twin};
use crate::join::pair::Emit;
use crate::join::paper::{self, PaperAlgorithm};
use crate::join::source::PairSource;
use crate::join::{Counts, JoinError, Pair, Records, Side};
use crate::progress::Stage;

/// One of the paper's algorithms as a source of pairs.
pub(in crate::join) struct PaperSource {
    pub(in crate::join) frame: Arc<Frame>,
    pub(in crate::join) records: Records,
    pub(in crate::join) algorithm: PaperAlgorithm,
}

impl PaperSource {
    fn join(&self, records: &Records, stage: &Stage, emit: Emit) -> Result<Counts, JoinError> {
        let emit = |some: &[Pair]| emit(some);
        let mut outgoing = Outgoing::new(&emit);
        let counts =
            paper::join(records, &self.frame.threshold, self.algorithm, stage, &mut |pair| outgoing.push(pair))?;
        drop(outgoing);
        Ok(counts)
    }
}

impl PairSource for PaperSource {
    fn keep_order(&self) -> &KeepOrder {
        &self.frame.keep
    }

    fn compared(&self) -> Compared {
        self.frame.compared(self.records.documents())
    }

    fn work(&self) -> usize {
        self.records.len()
    }

    fn pairs(&mut self, stage: &Stage, emit: Emit) -> Result<Counts, JoinError> {
        self.join(&self.records, stage, emit)
    }

    fn pairs_among(&mut self, among: &[(u32, Side)], stage: &Stage, emit: Emit) -> Result<(), JoinError> {
        let find = |document: u32| self.records.find(document, self.frame.size(document)).unwrap_or(0);
        let (some, side) = self.records.on(among, find);
        self.join(&self.records.some(&some, |at| side[at]), stage, emit).map(|_| ())
    }

    fn compare(&self, document: u32, one: Twin, two: Twin) -> Ordering {
        self.frame.compare(document, one, two)
    }

    fn common(&self, a: u32, b: u32) -> u32 {
        self.frame.common(a, b, |a, b| self.records.common(a, b, &self.frame.sizes))
    }

    fn similarity(&self, a: u32, b: u32, common: u32) -> f64 {
        self.frame.similarity(a, b, common)
    }
}
