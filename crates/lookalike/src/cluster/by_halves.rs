//! Which documents survive, for a join that is more efficient on more documents?
//!
//! ```text
//! settle(documents):            in keep order, each with its best match among those kept before all of them
//!     if they are few:
//!         join all of them with those that have no match yet
//!         in keep order: keep each one without a match, which then counts as a match for later ones
//!     else:
//!         settle(the first half)
//!         join the second half with those kept of the first
//!         settle(the second half)
//! ```
//!
//! Any two documents are joined at most once. Of a large cluster, only the kept documents are joined with others.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use crate::candidates::Side;
use crate::join::{Compared, Emit, JoinError, Pair, PairSource, Twin};
use crate::progress::Stage;

/// Returns every removed document with its twin. At most `few` documents are joined with each other at a time. `seen`
/// receives all pairs found on the way.
pub(super) fn settle_all(
    source: &mut dyn PairSource,
    compared: &Compared,
    few: usize,
    stage: &Stage,
    seen: Emit,
) -> Result<Vec<(u32, Twin)>, JoinError> {
    let Compared { documents: order, pinned } = compared;
    let mut place = vec![0; order.iter().max().map_or(0, |&last| last as usize + 1)];
    for (at, &document) in order.iter().enumerate() {
        place[document as usize] = at as u32;
    }
    let (mut kept, best) = (vec![false; order.len()], vec![None; order.len()]);
    kept[..*pinned].fill(true);
    let mut halves = Halves { source, order, few, place, kept, best, stage, seen };
    halves.match_with_kept(*pinned..order.len(), 0..*pinned)?;
    halves.settle(*pinned..order.len())?;
    Ok(order.iter().zip(halves.best).filter_map(|(&document, twin)| Some((document, twin?))).collect())
}

struct Halves<'a> {
    source: &'a mut dyn PairSource,
    order: &'a [u32],
    /// Documents to join with each other.
    few: usize,
    /// By document, its place in the keep order.
    place: Vec<u32>,
    /// By place.
    kept: Vec<bool>,
    best: Vec<Option<Twin>>,
    stage: &'a Stage<'a>,
    seen: Emit<'a>,
}

impl Halves<'_> {
    fn settle(&mut self, places: Range<usize>) -> Result<(), JoinError> {
        self.stage.check()?;
        if places.len() <= self.few {
            self.settle_few(places.clone())?;
            self.stage.add(places.len());
            return Ok(());
        }
        let middle = places.start + places.len() / 2;
        self.settle(places.start..middle)?;
        self.match_with_kept(middle..places.end, places.start..middle)?;
        self.settle(middle..places.end)
    }

    fn settle_few(&mut self, places: Range<usize>) -> Result<(), JoinError> {
        let side = |place: usize| if self.best[place].is_none() { Side::Both } else { Side::First };
        let sides: Vec<(usize, Side)> = places.clone().map(|place| (place, side(place))).collect();
        let mut pairs = self.join(&sides)?;
        // Sorted by the later document, so that its matches are already settled.
        pairs.sort_unstable_by_key(|&(earlier, later, _)| (later, earlier));
        let mut pairs = pairs.into_iter().peekable();
        for place in places {
            while let Some((earlier, _, common)) = pairs.next_if(|&(_, later, _)| later as usize == place) {
                if self.kept[earlier as usize] {
                    self.resembles(place, earlier, common);
                }
            }
            self.kept[place] = self.best[place].is_none();
        }
        Ok(())
    }

    /// Joins documents with those kept before them.
    fn match_with_kept(&mut self, places: Range<usize>, before: Range<usize>) -> Result<(), JoinError> {
        let kept = before.filter(|&place| self.kept[place]).map(|place| (place, Side::Second));
        let sides: Vec<(usize, Side)> = kept.chain(places.map(|place| (place, Side::First))).collect();
        for (earlier, later, common) in self.join(&sides)? {
            self.resembles(later as usize, earlier, common);
        }
        Ok(())
    }

    /// Records that a document resembles a kept one. The most similar counts; ties go to the earliest.
    fn resembles(&mut self, place: usize, earlier: u32, common: u32) {
        let found = Twin { document: self.order[earlier as usize], common };
        let is_better = self.best[place].is_none_or(|best| {
            let by_similarity = self.source.compare(self.order[place], found, best);
            by_similarity.then(self.place[best.document as usize].cmp(&earlier)).is_gt()
        });
        if is_better {
            self.best[place] = Some(found);
        }
    }

    /// Returns the pairs of these documents, the earlier place first, with their common elements.
    fn join(&mut self, sides: &[(usize, Side)]) -> Result<Vec<(u32, u32, u32)>, JoinError> {
        let documents: Vec<(u32, Side)> = sides.iter().map(|&(place, side)| (self.order[place], side)).collect();
        let all_on = |wanted: Side| documents.iter().all(|&(_, side)| side == wanted);
        if all_on(Side::First) || all_on(Side::Second) {
            return Ok(Vec::new());
        }
        let (place, seen) = (&self.place, self.seen);
        let in_order = |pair: &Pair| {
            let (a, b) = (place[pair.a as usize], place[pair.b as usize]);
            (a.min(b), a.max(b), pair.common)
        };
        let found = Mutex::new(Vec::new());
        self.source.pairs_among(&documents, &self.stage.quiet(), &|some| {
            seen(some);
            found.lock().unwrap_or_else(PoisonError::into_inner).extend(some.iter().map(in_order));
        })?;
        Ok(found.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::by_blocks;
    use super::*;
    use crate::join::{Algorithm, Join};
    use crate::measure::{Measure, Threshold};
    use crate::sets::SetStore;
    use proptest::prelude::*;

    proptest! {
        /// For any sizes of parts and blocks, and for any source, the survivors are those of the sparse index by
        /// blocks.
        #[test]
        fn as_by_blocks(
            sets in proptest::collection::btree_set(proptest::collection::btree_set(0..14u64, 1..9), 0..40),
            measure in prop::sample::select(&Measure::ALL[..]),
            value in 1..10u32,
            few in 1..6usize,
            block in 1..9u32,
            pinned in 0..6usize,
            turn in 0..40usize,
        ) {
            let value = if measure.is_count() { value.to_string() } else { format!("{value}/9") };
            let threshold = Threshold::new(measure, &value).unwrap();
            let store: Arc<SetStore> = Arc::new(sets.iter().map(|set| set.iter().copied().collect::<Vec<_>>()).collect());
            let mut order: Vec<u32> = (0..sets.len() as u32).collect();
            order.rotate_left(turn.min(sets.len()));
            let join = Join::new(threshold).keep_order(order, pinned.min(sets.len())).block(block);
            let ready = |algorithm| join.clone().algorithm(algorithm).prepare(store.clone(), &Stage::silent()).unwrap();
            let mut blocks = Vec::new();
            let mut sparse = ready(Algorithm::Sparse);
            let indexed = sparse.index().unwrap();
            by_blocks::settle_all(indexed, &Stage::silent(), |index, place, found, _| {
                let twin = Twin { document: index.document(found.place), common: found.common };
                blocks.push((index.document(place), twin));
            }).unwrap();
            blocks.sort_unstable_by_key(|&(document, _)| document);
            for algorithm in Algorithm::ALL {
                let mut source = ready(algorithm);
                let compared = source.compared();
                let mut halves = settle_all(&mut source, &compared, few, &Stage::silent(), &|_| ()).unwrap();
                halves.sort_unstable_by_key(|&(document, _)| document);
                prop_assert_eq!(&halves, &blocks, "{}", algorithm);
            }
        }
    }
}
