//! Which documents survive? In keep order, each is kept unless an already kept one reaches the threshold with it.
//!
//! A cluster of a hundred thousand pages has five billion pairs and one survivor, so documents are joined only with
//! kept ones.

use super::{Fate, by_blocks, by_halves};
use crate::join::{JoinError, KeepOrder, PairSource, Twin};
use crate::progress::{Progress, Stage};

/// Decides the fate of every document, in the keep order of the source. References are always kept. The stage counts
/// documents.
pub fn survivors(source: &mut dyn PairSource, stage: &Stage) -> Result<Vec<Fate>, JoinError> {
    let removed = near_twins(source, stage)?;
    Ok(fates_of(source, &removed))
}

/// Returns the documents that are removed because they resemble a kept one, with their twins. Of equal documents, it
/// returns only the one that represents them.
pub fn near_twins(source: &mut dyn PairSource, stage: &Stage) -> Result<Vec<(u32, Twin)>, JoinError> {
    if let Some(removed) = by_index(source, stage)? {
        return Ok(removed);
    }
    let (all, compared, few) = (source.keep_order().documents(), source.compared(), source.at_once());
    let again = Again { stage, before: stage.done() };
    let stage = Stage::begin(&again, "", 0);
    stage.add(all - (compared.documents.len() - compared.pinned));
    by_halves::settle_all(source, &compared, few, &stage, &|_| ())
}

/// Progress of work that starts again: what was reported before is not reported twice.
struct Again<'a> {
    stage: &'a Stage<'a>,
    before: u64,
}

impl Progress for Again<'_> {
    fn reach(&self, done: u64) {
        self.stage.reach(done.max(self.before));
    }

    fn is_cancelled(&self) -> bool {
        self.stage.is_cancelled()
    }
}

/// Returns the removed documents, by the sparse index. Returns `None` if there is no index, or if it is too slow.
fn by_index(source: &mut dyn PairSource, stage: &Stage) -> Result<Option<Vec<(u32, Twin)>>, JoinError> {
    let all = source.keep_order().documents();
    let Some(indexed) = source.index() else { return Ok(None) };
    stage.add(all - (indexed.index.places() - indexed.index.pinned_places()) as usize);
    let mut removed = Vec::new();
    let is_settled = by_blocks::settle_all(indexed, stage, |index, place, found, _| {
        removed.push((index.document(place), Twin { document: index.document(found.place), common: found.common }));
    })?;
    if is_settled {
        return Ok(Some(removed));
    }
    source.leave_index();
    Ok(None)
}

/// Returns the fates of all documents, given those that [`near_twins`] removes.
pub fn fates_of(source: &dyn PairSource, removed: &[(u32, Twin)]) -> Vec<Fate> {
    let KeepOrder { order, pinned, groups } = source.keep_order();
    let mut fates = vec![Fate::Kept; order.len()];
    for &(document, Twin { document: twin, common }) in removed {
        let similarity = source.similarity(document, twin, common);
        fates[document as usize] = Fate::Removed { twin, similarity, identical: false };
    }
    for &document in &order[*pinned..] {
        let first = groups.first(document);
        if first == document {
            continue;
        }
        let (twin, similarity) = match fates[first as usize] {
            Fate::Kept => (first, source.similarity(document, first, source.common(document, first))),
            Fate::Removed { twin, similarity, .. } => (twin, similarity),
        };
        fates[document as usize] = Fate::Removed { twin, similarity, identical: true };
    }
    fates
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::join::{Algorithm, Join, every_way};
    use crate::measure::{Measure, Threshold};
    use proptest::prelude::*;

    proptest! {
        /// For every plan, and for a change of plan on the way. Progress counts each document once.
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
            block in 1..40u32,
        ) {
            let value = if measure.is_count() { value.to_string() } else { format!("{value}/9") };
            let threshold = Threshold::new(measure, &value).unwrap();
            let sets: Vec<Vec<u64>> = sets.into_iter().map(|set| set.into_iter().collect()).collect();
            let mut order: Vec<u32> = (0..sets.len() as u32).collect();
            order.rotate_left(turn.min(sets.len()));
            let join = Join::new(threshold).keep_order(order, pinned.min(sets.len())).block(block);
            let store: Arc<crate::sets::SetStore> = Arc::new(sets.iter().collect());
            let mut sparse = join.clone().algorithm(Algorithm::Sparse).prepare(store, &Stage::silent()).unwrap();
            let expected = survivors(&mut sparse, &Stage::silent()).unwrap();
            for mut joinable in every_way(&sets, &join) {
                let stage = Stage::silent();
                let fates = survivors(&mut joinable, &stage).unwrap();
                prop_assert_eq!(&fates, &expected, "{}", joinable.plan());
                prop_assert_eq!(stage.done(), sets.len() as u64);
            }
        }
    }
}
