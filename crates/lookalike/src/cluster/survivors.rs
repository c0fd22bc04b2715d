//! The survivors: documents are taken in keep order, and one is kept unless a kept one is at least threshold-similar to it.
//!
//! A cluster of a hundred thousand pages has five billion pairs and one survivor, so documents are joined with the kept ones only.

use std::cell::Cell;

use super::coded::Coded;
use super::resemblance::{Resemblance, Twin};
use super::{Fate, by_blocks, by_halves};
use crate::join::{Counted, Engine, Joinable, Work};
use crate::sets::Groups;

/// Documents looked at to foresee the number of pairs, and how many pairs a document may have within a block.
const SAMPLE: u32 = 256;
const PAIRS_IN_BLOCK: f64 = 64.0;
/// A share of all pairs.
const MANY_ALIKE: f64 = 1.0 / 32.0;

/// The fate of every document, in the keep order that the collection was made ready with; the reference collection is kept whatever it
/// resembles. `progress` is told how many more documents of the order are settled.
pub fn survivors(joinable: &mut Joinable, progress: impl Fn(usize)) -> Vec<Fate> {
    let all = joinable.order().len();
    let told = Told { progress: &progress, settled: Cell::new(0), told: Cell::new(0) };
    let removed = by_index(joinable, &told).unwrap_or_else(|| by_records(joinable, &told));
    let order = &joinable.order()[joinable.pinned()..];
    let similarity = |document, twin, common| joinable.similarity(document, twin, common);
    fates(all, order, joinable.groups(), &removed, similarity, |document| joinable.size(document))
}

/// Tells of progress once: after a change of plan, settling begins anew.
struct Told<'a, F> {
    progress: &'a F,
    settled: Cell<usize>,
    told: Cell<usize>,
}

impl<F: Fn(usize)> Told<'_, F> {
    fn add(&self, more: usize) {
        let settled = self.settled.get() + more;
        self.settled.set(settled);
        if settled > self.told.get() {
            (self.progress)(settled - self.told.replace(settled));
        }
    }

    fn begin_anew(&self) {
        self.settled.set(0);
    }
}

/// Who is removed, by the sparse index; `None` if there is none, or if it was left as too costly.
fn by_index(joinable: &mut Joinable, told: &Told<impl Fn(usize)>) -> Option<Vec<(u32, Twin)>> {
    let (all, forecast) = (joinable.order().len(), joinable.forecast());
    let Engine::Sparse(index) = joinable.engine() else { return None };
    told.add(all - (index.places() - index.pinned_places()) as usize);
    let is_costly = |work: &Work, done, left| forecast.is_some_and(|forecast| forecast.is_exceeded(work, done, left));
    let mut removed = Vec::new();
    let is_settled = by_blocks::settle_all(
        index,
        |more| told.add(more),
        is_costly,
        |index, place, found, _| {
            removed.push((index.document(place), Twin { document: index.document(found.place), common: found.common }));
        },
    );
    if is_settled {
        return Some(removed);
    }
    joinable.leave_index();
    told.begin_anew();
    // Without a forecast nothing is too costly.
    by_index(joinable, told)
}

/// Who is removed, by joins of records.
fn by_records(joinable: &mut Joinable, told: &Told<impl Fn(usize)>) -> Vec<(u32, Twin)> {
    let all = joinable.order().len();
    let few = few(joinable);
    let Engine::Dense { records, threshold, firsts, pinned } = joinable.engine() else { return Vec::new() };
    told.add(all - (firsts.len() - pinned));
    by_halves::settle_all(&Coded::new(records, *threshold), &firsts, pinned, few, |more| told.add(more))
}

/// How many documents are joined with each other: as many as can be without those that resemble many others being compared with all of
/// them.
pub(super) fn few(joinable: &mut Joinable) -> usize {
    let likeness = joinable.likeness();
    // Where many are alike, a sample of their pairs would cost more than it tells.
    let pairs = if likeness > MANY_ALIKE { None } else { joinable.estimate(SAMPLE, Counted::Sets) };
    let Engine::Dense { firsts, .. } = joinable.engine() else { return by_halves::FEW };
    let count = firsts.len().max(1) as f64;
    let pairs_each = pairs.map_or(likeness * count, |pairs| pairs as f64 / count);
    ((count * PAIRS_IN_BLOCK / pairs_each.max(1.0)) as usize).max(by_halves::FEWEST)
}

/// Who stays among documents that are compared in a way of the caller's own.
pub struct KeepOrder<'a> {
    /// How many documents there are.
    pub documents: usize,
    /// Those that may be removed, in keep order.
    pub order: &'a [u32],
    /// Which are the same, and whose fate so is that of the first of them.
    pub groups: &'a Groups,
    /// Of those that stand for their equals, the ones that may resemble another: first the pinned ones, which are kept whatever they
    /// resemble, then in keep order.
    pub compared: &'a [u32],
    /// How many of these are pinned.
    pub pinned: usize,
}

impl KeepOrder<'_> {
    /// The fate of every document. `similarity` is that of two documents that share so much, and `own` what a document shares with its
    /// equals.
    pub fn survivors(
        &self,
        resemblance: &impl Resemblance,
        similarity: impl Fn(u32, u32, u32) -> f64,
        own: impl Fn(u32) -> u32,
        progress: impl Fn(usize),
    ) -> Vec<Fate> {
        let removed = by_halves::settle_all(resemblance, self.compared, self.pinned, by_halves::FEW, progress);
        fates(self.documents, self.order, self.groups, &removed, similarity, own)
    }
}

/// The fates by what was found of the documents that stand for their equals.
fn fates(
    documents: usize,
    order: &[u32],
    groups: &Groups,
    removed: &[(u32, Twin)],
    similarity: impl Fn(u32, u32, u32) -> f64,
    own: impl Fn(u32) -> u32,
) -> Vec<Fate> {
    let mut fates = vec![Fate::Kept; documents];
    for &(document, Twin { document: twin, common }) in removed {
        let similarity = similarity(document, twin, common);
        fates[document as usize] = Fate::Removed { twin, similarity, identical: false };
    }
    for &document in order {
        let first = groups.first(document);
        if first == document {
            continue;
        }
        let (twin, similarity) = match fates[first as usize] {
            Fate::Kept => (first, similarity(document, first, own(first))),
            Fate::Removed { twin, similarity, .. } => (twin, similarity),
        };
        fates[document as usize] = Fate::Removed { twin, similarity, identical: true };
    }
    fates
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::join::{Join, Method, every_way};
    use crate::measure::{Measure, Threshold};
    use proptest::prelude::*;

    proptest! {
        /// Whichever way was chosen, and if it changes in the middle. What progress is told of are all documents, once.
        #[test]
        fn every_way_settles_the_same(
            sets in proptest::collection::vec(
                prop_oneof![
                    proptest::collection::btree_set(0..20u64, 0..9),
                    proptest::collection::btree_set(0..100_000u64, 1..30),
                ],
                0..60,
            ),
            measure in prop::sample::select(&Measure::ALL[..]),
            value in 1..10u32,
            pinned in 0..10usize,
            turn in 0..60usize,
        ) {
            let is_count = matches!(measure, Measure::Overlap | Measure::Hamming);
            let value = if is_count { value.to_string() } else { format!("{value}/9") };
            let threshold = Threshold::new(measure, &value).unwrap();
            let sets: Vec<Vec<u64>> = sets.into_iter().map(|set| set.into_iter().collect()).collect();
            let mut order: Vec<u32> = (0..sets.len() as u32).collect();
            order.rotate_left(turn.min(sets.len()));
            let join = Join::new(threshold).keep_order(order, pinned.min(sets.len()));
            let store: crate::sets::SetStore = sets.iter().collect();
            let fingerprints = Groups::fingerprints(&store);
            let mut sparse = join.clone().method(Method::Sparse).prepare(store, fingerprints).unwrap();
            let expected = survivors(&mut sparse, |_| {});
            for mut joinable in every_way(&sets, &join) {
                let told = Cell::new(0);
                let fates = survivors(&mut joinable, |more| told.set(told.get() + more));
                prop_assert_eq!(&fates, &expected, "{}", joinable.plan());
                prop_assert_eq!(told.get(), sets.len());
            }
        }
    }
}
