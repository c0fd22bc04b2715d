//! How are all pairs found by comparing every set with every other?

use std::cmp::Ordering;
use std::sync::Arc;

use rayon::prelude::*;

use crate::candidates::Outgoing;
use crate::join::frame::Frame;
use crate::join::keep_order::{Compared, KeepOrder, Twin};
use crate::join::pair::Emit;
use crate::join::source::PairSource;
use crate::join::{Counts, JoinError, Pair, Side};
use crate::measure::Threshold;
use crate::progress::Stage;
use crate::sets::SetStore;
use crate::verify::common;

/// Compares every set with every other: the oracle of the tests. Empty sets resemble nothing.
pub fn brute_pairs(store: &SetStore, threshold: &Threshold) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for a in 0..store.len() as u32 {
        for b in a + 1..store.len() as u32 {
            pairs.extend(compare(store, threshold, a, b));
        }
    }
    pairs
}

/// Brute force as a source of pairs, on all cores.
pub(in crate::join) struct Brute {
    pub(in crate::join) frame: Arc<Frame>,
    pub(in crate::join) store: Arc<SetStore>,
    /// The documents that represent their groups, in input order.
    pub(in crate::join) documents: Vec<u32>,
}

impl Brute {
    /// Compares each of these documents with each later one, on the given sides.
    fn join(&self, among: &[(u32, Side)], stage: &Stage, emit: Emit) -> Result<Counts, JoinError> {
        let emit = |some: &[Pair]| emit(some);
        let results = among.par_iter().enumerate().map_init(
            || Outgoing::new(&emit),
            |outgoing, (at, &(a, side))| {
                if stage.is_cancelled() {
                    return (0, 0);
                }
                let others = among[at + 1..].iter().filter(|(_, other)| side.faces(*other));
                stage.add(1);
                let mut compared = 0;
                let pairs = others.filter_map(|&(b, _)| {
                    compared += 1;
                    compare(&self.store, &self.frame.threshold, a.min(b), a.max(b))
                });
                (outgoing.extend(pairs), compared)
            },
        );
        let (results, verified) = results.reduce(|| (0, 0), |one, two| (one.0 + two.0, one.1 + two.1));
        stage.check()?;
        Ok(Counts { verified, results, ..Counts::default() })
    }
}

impl PairSource for Brute {
    fn keep_order(&self) -> &KeepOrder {
        &self.frame.keep
    }

    fn compared(&self) -> Compared {
        self.frame.compared(self.documents.iter().copied())
    }

    fn work(&self) -> usize {
        self.documents.len()
    }

    fn pairs(&mut self, stage: &Stage, emit: Emit) -> Result<Counts, JoinError> {
        let side = |&document: &u32| (document, self.frame.references.side(document));
        self.join(&self.documents.iter().map(side).collect::<Vec<_>>(), stage, emit)
    }

    fn pairs_among(&mut self, among: &[(u32, Side)], stage: &Stage, emit: Emit) -> Result<(), JoinError> {
        self.join(among, stage, emit).map(|_| ())
    }

    fn compare(&self, document: u32, one: Twin, two: Twin) -> Ordering {
        self.frame.compare(document, one, two)
    }

    fn common(&self, a: u32, b: u32) -> u32 {
        self.frame.common(a, b, |a, b| common(self.store.set(a), self.store.set(b)))
    }

    fn similarity(&self, a: u32, b: u32, common: u32) -> f64 {
        self.frame.similarity(a, b, common)
    }
}

fn compare(store: &SetStore, threshold: &Threshold, a: u32, b: u32) -> Option<Pair> {
    let common = common(store.set(a), store.set(b));
    let empty = store.size(a).min(store.size(b)) == 0;
    (!empty && threshold.reaches(common, store.size(a), store.size(b))).then_some(Pair { a, b, common })
}
