//! Records as the dense join knows them.

use std::cmp::Ordering;
use std::sync::Arc;

use super::resemblance::{Resemblance, Twin};
use crate::candidates::Side;
use crate::join::{Dense, Pair, Records};
use crate::measure::Threshold;

pub(super) struct Coded<'a> {
    records: &'a Records,
    threshold: Threshold,
    /// By document: its record.
    record: Vec<u32>,
}

impl<'a> Coded<'a> {
    pub(super) fn new(records: &'a Records, threshold: Threshold) -> Coded<'a> {
        let all = 0..records.len() as u32;
        let mut record = vec![0; all.clone().map(|of| records.document(of) as usize + 1).max().unwrap_or(0)];
        for of in all {
            record[records.document(of) as usize] = of;
        }
        Coded { records, threshold, record }
    }

    fn size(&self, document: u32) -> u32 {
        self.records.size(self.record[document as usize])
    }
}

impl Resemblance for Coded<'_> {
    fn pairs(&self, documents: &[(u32, Side)], emit: &(dyn Fn(&[Pair]) + Sync)) {
        let mut joined: Vec<(u32, Side)> =
            documents.iter().map(|&(document, side)| (self.record[document as usize], side)).collect();
        joined.sort_unstable_by_key(|&(record, _)| record);
        let records: Vec<u32> = joined.iter().map(|&(record, _)| record).collect();
        let some = self.records.some(&records, |at: usize| joined[at].1);
        let dense = Dense::new(Arc::new(some), self.threshold);
        dense.run(dense.plan(), |_| {}, emit);
    }

    fn compare(&self, document: u32, one: Twin, two: Twin) -> Ordering {
        let of = |twin: Twin| (twin.common, self.size(twin.document));
        self.threshold.compare(self.size(document), of(one), of(two))
    }
}
