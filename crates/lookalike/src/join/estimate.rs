use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::dense::Dense;
use super::front::Ready;
use super::{Joinable, Method, Pair, Records, Side};
use crate::measure::Threshold;

impl Joinable {
    /// Whether there may be so many pairs of documents, as far as that can be told without looking for them.
    pub fn may_reach(&self, pairs: u64) -> bool {
        let documents = self.sizes.len() as u64;
        if documents * documents.saturating_sub(1) / 2 < pairs {
            return false;
        }
        let Ready::Coded(records) = &self.ready else { return true };
        if self.threshold.is_distance() {
            return true;
        }
        let copies = self.copies();
        let copies_of = |record: u32| copies[records.document(record) as usize] as f64;
        most_pairs(records, &self.threshold, copies_of) + equal_pairs(&copies) as f64 >= pairs as f64
    }

    /// By document that stands for its group: how many there are.
    fn copies(&self) -> Vec<u64> {
        let mut copies = vec![0_u64; self.sizes.len()];
        for document in (0..self.sizes.len() as u32).filter(|&document| self.size(document) > 0) {
            copies[self.groups.first(document) as usize] += 1;
        }
        copies
    }

    /// About how many pairs of documents there are, equal ones included, from a sample of so many documents; `None` if that would cost as
    /// much as to find them.
    pub fn estimate(&mut self, sample: u32) -> Option<u64> {
        let copies = self.copies();
        match &mut self.ready {
            Ready::Sparse(index) => Some(equal_pairs(&copies) + index.estimate_pairs(sample, &copies)),
            Ready::Coded(records) if !matches!(self.plan.method, Method::Paper(_)) => {
                let equal = equal_pairs(&copies);
                let step = (records.len() as u32).div_ceil(sample.max(1)).max(1);
                let all: Vec<u32> = (0..records.len() as u32).collect();
                let side = |at: usize| if (at as u32).is_multiple_of(step) { Side::First } else { Side::Second };
                let sampled = records.some(&all, side);
                let found = AtomicU64::new(0);
                let dense = Dense::new(Arc::new(sampled), self.threshold);
                dense.run(
                    dense.plan(),
                    |_| {},
                    |pairs| {
                        let weight = |pair: &Pair| copies[pair.a as usize] * copies[pair.b as usize];
                        found.fetch_add(pairs.iter().map(weight).sum(), Relaxed);
                    },
                );
                Some(equal + found.into_inner() * u64::from(step) / 2)
            }
            Ready::Coded(_) | Ready::Brute(..) => None,
        }
    }
}

fn equal_pairs(copies: &[u64]) -> u64 {
    copies.iter().map(|&copies| copies * copies.saturating_sub(1) / 2).sum()
}

/// No more pairs than this share something, if each record counts as often as it is said: each meets at an element of both prefixes.
fn most_pairs(records: &Records, threshold: &Threshold, copies: impl Fn(u32) -> f64) -> f64 {
    let mut looked_up = vec![0.0; records.universe()];
    let mut entered = vec![0.0; records.universe()];
    records.for_each_prefix(threshold, |record, prefix, short| {
        let copies = copies(record);
        prefix.iter().for_each(|&element| looked_up[element as usize] += copies);
        prefix[..short].iter().for_each(|&element| entered[element as usize] += copies);
    });
    looked_up.iter().zip(&entered).map(|(looked_up, entered)| looked_up * entered).sum()
}
