//! Which documents share enough features?

use rayon::prelude::*;

use super::keys::{choices, key_at};
use super::table::FeatureTable;
use crate::candidates::{Outgoing, Side};
use crate::progress::Stage;
use crate::sketch::shared_features;

/// Two documents that share enough features. `a` is less than `b`.
///
/// It has no exact similarity, so it does not convert to a [`Pair`](crate::Pair) until the two sets are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FeaturePair {
    /// The document that comes first in the input.
    pub a: u32,
    /// The other document.
    pub b: u32,
    /// How many features they share.
    pub shared: u32,
}

impl FeatureTable {
    /// Finds every pair among `members`, each named once, that passes the filter and has one document on each side. It
    /// emits batches, in no particular order, from any thread. The stage counts documents, whatever the number of
    /// passes.
    pub fn pairs_among(
        &self,
        members: &[u32],
        side: impl Fn(u32) -> Side + Sync,
        stage: &Stage,
        emit: impl Fn(&[FeaturePair]) + Sync,
    ) {
        self.find(members, &side, stage, &emit);
    }

    /// The same. It is compiled once, and not again for every callback.
    fn find(
        &self,
        members: &[u32],
        side: &(dyn Fn(u32) -> Side + Sync),
        stage: &Stage,
        emit: &(dyn Fn(&[FeaturePair]) + Sync),
    ) {
        let emit = |some: &[FeaturePair]| emit(some);
        let choices = choices(self.filter);
        let done = |number: usize| members.len() * number / choices.len();
        let mut keyed = Vec::new();
        for (number, places) in choices.iter().enumerate().take_while(|_| !stage.is_cancelled()) {
            // All threads share a large run: each of its documents is compared with the later ones that it faces.
            self.runs(places, members, side, &mut keyed)
                .into_par_iter()
                .flat_map(|run| {
                    let second = run.partition_point(|entry| entry.side != SECOND);
                    (0..second).into_par_iter().map(move |at| {
                        let from = if run[at].side == FIRST { second } else { at + 1 };
                        (run[at].document, &run[from..])
                    })
                })
                .for_each_init(
                    || Outgoing::new(&emit),
                    |outgoing, (a, facing)| self.compare(places, a, facing, outgoing),
                );
            stage.add(done(number + 1) - done(number));
        }
    }

    /// By document, whether it meets another member that it faces. Only such documents can be candidates.
    pub fn meeting(&self, members: &[u32], side: impl Fn(u32) -> Side + Sync) -> Vec<bool> {
        let mut met = vec![false; self.len()];
        let mut keyed = Vec::new();
        for places in choices(self.filter) {
            for run in self.runs(&places, members, &side, &mut keyed) {
                let of = |side: u8| run.iter().any(|entry| entry.side == side);
                let (has_both, has_first, has_second) = (of(BOTH), of(FIRST), of(SECOND));
                for entry in run {
                    met[entry.document as usize] |= match entry.side {
                        BOTH => true,
                        FIRST => has_both || has_second,
                        _ => has_both || has_first,
                    };
                }
            }
        }
        met
    }

    /// Returns all runs of two or more documents that agree at these places: those on both sides first, then the first
    /// side, then the second. `keyed` is scratch memory.
    fn runs<'a>(
        &self,
        places: &[usize],
        members: &[u32],
        side: &(dyn Fn(u32) -> Side + Sync),
        keyed: &'a mut Vec<Entry>,
    ) -> Vec<&'a [Entry]> {
        let entry = |&document: &u32| {
            let own = self.of(document);
            let side = match side(document) {
                Side::Both => BOTH,
                Side::First => FIRST,
                Side::Second => SECOND,
            };
            Entry { key: key_at(places, own), side, document }
        };
        members.par_iter().map(entry).collect_into_vec(keyed);
        keyed.par_sort_unstable();
        keyed.chunk_by(|one, two| one.key == two.key).filter(|run| run.len() > 1).collect()
    }

    /// Compares a document with those that it faces in a run.
    fn compare(
        &self,
        places: &[usize],
        a: u32,
        facing: &[Entry],
        outgoing: &mut Outgoing<FeaturePair, impl Fn(&[FeaturePair])>,
    ) {
        let own = self.of(a);
        for &Entry { document: b, .. } in facing {
            let other = self.of(b);
            if !are_first(own, other, places) {
                continue;
            }
            let shared = shared_features(own, other);
            if shared >= self.filter.r() {
                outgoing.push(FeaturePair { a: a.min(b), b: a.max(b), shared: shared as u32 });
            }
        }
    }
}

/// A document and the key that groups it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    key: u64,
    side: u8,
    document: u32,
}

/// The order of the sides in a run.
const BOTH: u8 = 0;
const FIRST: u8 = 1;
const SECOND: u8 = 2;

/// Whether these are the first places at which two documents agree, so that the pair is reported here and nowhere else.
fn are_first(a: &[u64], b: &[u64], places: &[usize]) -> bool {
    let agreeing = (0..a.len()).filter(|&place| a[place] == b[place]);
    agreeing.take(places.len()).eq(places.iter().copied())
}
