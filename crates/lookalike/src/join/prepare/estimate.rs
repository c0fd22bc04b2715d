//! About how many pairs are there? An estimate before the search.
//!
//! The sample consists of *documents*, not of sets: a set of ten thousand documents is drawn as often as its documents,
//! and counts each time for one of them. (If it were drawn once and counted for all of them, one such set in a small
//! sample would stand for hundreds.)

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::joinable::{Joinable, Prepared};
use crate::join::dense::Dense;
use crate::join::{Pair, Records, Side};
use crate::measure::Threshold;
use crate::progress::Stage;
use crate::verify::common_numbers;

/// Which pairs an estimate counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Counted {
    /// Pairs of documents, including those with equal sets.
    Documents,
    /// Pairs of different sets.
    Sets,
}

/// Sets that are compared with others to see whether most are similar, and roughly how many elements that reads.
const PROBES: usize = 16;
const COMPARED: usize = 1 << 20;

/// How many documents have a set: in the collection, and in the references or the second collection.
type Copies = [u64; 2];

impl Joinable {
    /// Returns whether there may be this many pairs. It is a bound that needs no search.
    pub fn may_reach(&self, pairs: u64, counted: Counted) -> bool {
        let copies = self.copies(counted);
        let units = copies.iter().flatten().sum::<u64>();
        if units * units.saturating_sub(1) / 2 < pairs {
            return false;
        }
        let records: &Records = match &self.prepared {
            Prepared::Dense(source) => &source.records,
            Prepared::Paper(source) => &source.records,
            Prepared::Sparse(_) | Prepared::Brute(_) => return true,
        };
        let threshold = self.threshold();
        if threshold.is_distance() {
            return true;
        }
        let copies_of = |record: u32| copies[records.document(record) as usize].iter().sum::<u64>() as f64;
        most_pairs(records, threshold, copies_of) + self.equal_pairs(&copies, counted) as f64 >= pairs as f64
    }

    /// Estimates the number of pairs from a sample of documents. Returns `None` if that would cost as much as finding
    /// them.
    pub fn estimate(&mut self, sample: u32, counted: Counted) -> Option<u64> {
        let copies = self.copies(counted);
        let equal = self.equal_pairs(&copies, counted);
        let (drawn, step) = draw(&copies, sample);
        let across = self.frame().references.across;
        // The number of partners that the drawn documents of one set have among those of another.
        let partners = |one: u32, other: u32| {
            let ([plain, second], [others, references]) = (drawn[one as usize], copies[other as usize]);
            plain * if across { references } else { others + references } + second * others
        };
        let weight = |pair: &Pair| partners(pair.a, pair.b) + partners(pair.b, pair.a);
        let is_drawn = |document: u32| drawn[document as usize] != [0, 0];
        let found = match &mut self.prepared {
            Prepared::Sparse(source) => source.index.sum_pairs(is_drawn, weight),
            Prepared::Dense(source) => {
                let records = &source.records;
                let all: Vec<u32> = (0..records.len() as u32).collect();
                let side = |at: usize| if is_drawn(records.document(at as u32)) { Side::Both } else { Side::Second };
                let dense = Dense::new(Arc::new(records.some(&all, side)), source.frame.threshold, None);
                let found = AtomicU64::new(0);
                let add = |pairs: &[Pair]| _ = found.fetch_add(pairs.iter().map(weight).sum(), Relaxed);
                dense.run(dense.plan(), &Stage::silent(), &add).ok()?;
                found.into_inner()
            }
            Prepared::Paper(_) | Prepared::Brute(_) => return None,
        };
        // A pair can be drawn at either of its two documents.
        Some(equal + found * step / 2)
    }

    /// Estimates the share of all pairs of different sets that reach the threshold, from a few comparisons. It is
    /// accurate where the share is large.
    pub(crate) fn similar_share(&self) -> f64 {
        let Prepared::Dense(source) = &self.prepared else { return 0.0 };
        let records = &*source.records;
        let (sets, mean) = (records.len(), records.elements() / records.len().max(1));
        let some = |count: usize| {
            let step = (sets / count).max(1);
            (step / 2..sets).step_by(step).map(|record| record as u32)
        };
        let others = (COMPARED / (2 * mean.max(1) * PROBES)).clamp(PROBES, 16 * PROBES);
        let (mut pairs, mut compared) = (0, 0);
        for x in some(PROBES) {
            for y in some(others).filter(|&y| y != x) {
                let common = common_numbers(records.set(x), records.set(y), 0).unwrap_or(0);
                pairs += u64::from(source.frame.threshold.reaches(common, records.size(x), records.size(y)));
                compared += 1;
            }
        }
        pairs as f64 / f64::from(compared).max(1.0)
    }

    /// By representative, the number of documents with its set.
    fn copies(&self, counted: Counted) -> Vec<Copies> {
        let frame = self.frame();
        let mut copies = vec![[0, 0]; frame.sizes.len()];
        for document in (0..frame.sizes.len() as u32).filter(|&document| frame.size(document) > 0) {
            let of_first = &mut copies[frame.keep.groups.first(document) as usize];
            let slot = &mut of_first[usize::from(frame.references.is_one(document))];
            *slot = if counted == Counted::Sets { 1 } else { *slot + 1 };
        }
        copies
    }

    /// Pairs of documents with the same set.
    fn equal_pairs(&self, copies: &[Copies], counted: Counted) -> u64 {
        if counted == Counted::Sets || !self.threshold().groups_equal_sets() {
            return 0;
        }
        let among = |&[plain, second]: &Copies| {
            let own = if self.frame().references.across { 0 } else { plain * plain.saturating_sub(1) / 2 };
            own + plain * second
        };
        copies.iter().map(among).sum()
    }
}

/// Draws about `sample` documents evenly. Returns how many were drawn of each set, and how many documents each one
/// stands for.
fn draw(copies: &[Copies], sample: u32) -> (Vec<Copies>, u64) {
    let all: u64 = copies.iter().flatten().sum();
    let step = all.div_ceil(u64::from(sample.max(1))).max(1);
    let mut before = step / 2;
    let drawn = copies.iter().map(|copies| {
        copies.map(|count| {
            let drawn = (before + count) / step - before / step;
            before += count;
            drawn
        })
    });
    (drawn.collect(), step)
}

/// An upper bound of the number of pairs that share an element, if each record counts `copies` times. Each such pair
/// meets at an element of both prefixes.
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
