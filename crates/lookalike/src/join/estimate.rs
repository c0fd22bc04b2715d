use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::dense::Dense;
use super::front::Ready;
use super::{Joinable, Method, Pair, Side};

impl Joinable {
    /// About how many pairs of documents there are, equal ones included, from a sample of so many documents; `None` if that would cost as
    /// much as to find them.
    pub fn estimate(&mut self, sample: u32) -> Option<u64> {
        match &mut self.ready {
            Ready::Sparse(index) => Some(index.estimate_pairs(sample)),
            Ready::Coded(records) if !matches!(self.plan.method, Method::Paper(_)) => {
                let mut copies = vec![0_u64; self.sizes.len()];
                for document in (0..self.sizes.len() as u32).filter(|&document| self.sizes[document as usize] > 0) {
                    copies[self.groups.first(document) as usize] += 1;
                }
                let equal: u64 = copies.iter().map(|&copies| copies * copies.saturating_sub(1) / 2).sum();
                let step = (records.len() as u32).div_ceil(sample.max(1)).max(1);
                let all: Vec<u32> = (0..records.len() as u32).collect();
                let side = |at: usize| if (at as u32).is_multiple_of(step) { Side::First } else { Side::Second };
                let sampled = records.some(&all, side);
                let found = AtomicU64::new(0);
                let dense = Dense::new(&sampled, self.threshold);
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
