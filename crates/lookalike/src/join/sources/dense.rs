//! How is the dense join a source of pairs?

use std::cmp::Ordering;
use std::sync::Arc;

use crate::join::dense::{Dense, DensePlan};
use crate::join::frame::Frame;
use crate::join::keep_order::{Compared, KeepOrder, Twin};
use crate::join::pair::Emit;
use crate::join::source::PairSource;
use crate::join::{Counts, JoinError, Records, Side};
use crate::progress::Stage;

/// The dense join as a source of pairs.
pub(in crate::join) struct DenseSource {
    pub(in crate::join) frame: Arc<Frame>,
    pub(in crate::join) records: Arc<Records>,
    pub(in crate::join) dense: Dense,
    pub(in crate::join) plan: DensePlan,
    /// By document, its record.
    record: Vec<u32>,
}

impl DenseSource {
    /// Prepares records for the plan that suits their lists.
    pub(in crate::join) fn new(frame: Arc<Frame>, records: Records) -> DenseSource {
        let records = Arc::new(records);
        let mut record = vec![0; frame.sizes.len()];
        (0..records.len() as u32).for_each(|of| record[records.document(of) as usize] = of);
        let dense = Dense::new(records.clone(), frame.threshold, frame.block);
        let plan = dense.plan();
        DenseSource { frame, records, dense, plan, record }
    }
}

impl PairSource for DenseSource {
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
        self.dense.run(self.plan, stage, emit)
    }

    fn pairs_among(&mut self, among: &[(u32, Side)], stage: &Stage, emit: Emit) -> Result<(), JoinError> {
        let (some, side) = self.records.on(among, |document| self.record[document as usize]);
        let records = Arc::new(self.records.some(&some, |at| side[at]));
        let dense = Dense::new(records, self.frame.threshold, self.frame.block);
        dense.run(dense.plan(), stage, emit).map(|_| ())
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
