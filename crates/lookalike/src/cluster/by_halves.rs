//! The survivors of a dense collection, whose join is worth more the more records it is given.
//!
//! ```text
//! settle(documents):                            in keep order, each with its best match among those kept before them all
//!     if they are few:
//!         join all of them with those that have no match yet
//!         in keep order: one without a match is kept, and a match with it counts for those behind it
//!     else:
//!         settle(the first half)
//!         join the second half with those kept of the first
//!         settle(the second half)
//! ```
//!
//! Any two documents are joined at most once, and of a cluster that is larger than a few only the kept ones are.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use super::survivors::Twin;
use crate::join::{Dense, Pair, Records, Side};
use crate::measure::Threshold;

/// Documents joined with each other. All of them may be pairs.
pub(super) const FEW: usize = 2048;

/// Calls `removed` with every document that is removed, and its twin. `order` is the keep order of the records' documents, of which the
/// first `pinned` are kept whatever they resemble.
pub(super) fn settle_all(
    records: &Records,
    threshold: &Threshold,
    order: &[u32],
    pinned: usize,
    few: usize,
    progress: impl Fn(usize),
    mut removed: impl FnMut(u32, Twin),
) {
    let mut halves = Halves::new(records, threshold, order, few);
    let all = 0..order.len();
    halves.kept[..pinned].fill(true);
    halves.match_with_kept(pinned..all.end, 0..pinned);
    halves.settle(pinned..all.end, &progress);
    for place in pinned..all.end {
        if let Some(found) = halves.best[place] {
            removed(order[place], Twin { document: order[found.place as usize], common: found.common });
        }
    }
}

/// A kept document that another resembles.
#[derive(Clone, Copy)]
struct Found {
    place: u32,
    common: u32,
}

struct Halves<'a> {
    records: &'a Records,
    threshold: &'a Threshold,
    /// Documents that are joined with each other.
    few: usize,
    /// By place in the keep order: the record.
    record: Vec<u32>,
    /// By document: its place.
    place: Vec<u32>,
    /// By place.
    kept: Vec<bool>,
    best: Vec<Option<Found>>,
}

impl<'a> Halves<'a> {
    fn new(records: &'a Records, threshold: &'a Threshold, order: &[u32], few: usize) -> Halves<'a> {
        let mut place = vec![0; order.iter().max().map_or(0, |&last| last as usize + 1)];
        for (at, &document) in order.iter().enumerate() {
            place[document as usize] = at as u32;
        }
        let mut record = vec![0; order.len()];
        for of in 0..records.len() as u32 {
            record[place[records.document(of) as usize] as usize] = of;
        }
        Halves { records, threshold, few, record, place, kept: vec![false; order.len()], best: vec![None; order.len()] }
    }

    fn settle(&mut self, places: Range<usize>, progress: &impl Fn(usize)) {
        if places.len() <= self.few {
            self.settle_few(places.clone());
            return progress(places.len());
        }
        let middle = places.start + places.len() / 2;
        self.settle(places.start..middle, progress);
        self.match_with_kept(middle..places.end, places.start..middle);
        self.settle(middle..places.end, progress);
    }

    fn settle_few(&mut self, places: Range<usize>) {
        let hopeful = |halves: &Halves, place: usize| halves.best[place].is_none();
        let mut pairs =
            self.join(places.clone().map(|place| (place, if hopeful(self, place) { Side::Both } else { Side::First })));
        // By the later of the two, so that what it resembles is settled.
        pairs.sort_unstable_by_key(|&(earlier, later, _)| (later, earlier));
        let mut pairs = pairs.into_iter().peekable();
        for place in places {
            while let Some((earlier, _, common)) = pairs.next_if(|&(_, later, _)| later as usize == place) {
                if self.kept[earlier as usize] {
                    self.resembles(place, Found { place: earlier, common });
                }
            }
            self.kept[place] = self.best[place].is_none();
        }
    }

    /// Joins documents with those kept before them.
    fn match_with_kept(&mut self, places: Range<usize>, before: Range<usize>) {
        let kept = before.filter(|&place| self.kept[place]).map(|place| (place, Side::Second));
        let pairs = self.join(kept.chain(places.map(|place| (place, Side::First))));
        for (earlier, later, common) in pairs {
            self.resembles(later as usize, Found { place: earlier, common });
        }
    }

    /// A document resembles a kept one: the most similar counts, the earliest of equals.
    fn resembles(&mut self, place: usize, found: Found) {
        let size = |place: u32| self.records.size(self.record[place as usize]);
        let better = self.best[place].is_none_or(|best| {
            let by_similarity = self.threshold.compare(
                size(place as u32),
                (found.common, size(found.place)),
                (best.common, size(best.place)),
            );
            by_similarity.then(best.place.cmp(&found.place)).is_gt()
        });
        if better {
            self.best[place] = Some(found);
        }
    }

    /// The pairs of these documents, the earlier place first, with what they share.
    fn join(&self, sides: impl Iterator<Item = (usize, Side)>) -> Vec<(u32, u32, u32)> {
        let mut joined: Vec<(u32, Side)> = sides.map(|(place, side)| (self.record[place], side)).collect();
        joined.sort_unstable_by_key(|&(record, _)| record);
        let side = |at: usize| joined[at].1;
        if joined.iter().all(|&(_, side)| side == Side::First) || joined.iter().all(|&(_, side)| side == Side::Second) {
            return Vec::new();
        }
        let records: Vec<u32> = joined.iter().map(|&(record, _)| record).collect();
        let some = self.records.some(&records, side);
        let dense = Dense::new(Arc::new(some), *self.threshold);
        let found = Mutex::new(Vec::new());
        dense.run(
            dense.plan(),
            |_| {},
            |pairs: &[Pair]| {
                let places = pairs.iter().map(|pair| {
                    let (a, b) = (self.place[pair.a as usize], self.place[pair.b as usize]);
                    (a.min(b), a.max(b), pair.common)
                });
                found.lock().unwrap_or_else(PoisonError::into_inner).extend(places);
            },
        );
        found.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{by_blocks, survivors};
    use super::*;
    use crate::join::Index;
    use crate::measure::Measure;
    use crate::sets::{Groups, SetStore};
    use proptest::prelude::*;

    proptest! {
        /// However small the parts, the survivors are those of the sparse engine.
        #[test]
        fn as_by_blocks(
            sets in proptest::collection::btree_set(proptest::collection::btree_set(0..14u64, 1..9), 0..40),
            measure in prop::sample::select(&Measure::ALL[..]),
            value in 1..10u32,
            few in 1..6usize,
            pinned in 0..6usize,
            turn in 0..40usize,
        ) {
            let is_count = matches!(measure, Measure::Overlap | Measure::Hamming);
            let value = if is_count { value.to_string() } else { format!("{value}/9") };
            let threshold = Threshold::new(measure, &value).unwrap();
            let store: SetStore = sets.iter().map(|set| set.iter().copied().collect::<Vec<_>>()).collect();
            let mut order: Vec<u32> = (0..sets.len() as u32).collect();
            order.rotate_left(turn.min(sets.len()));
            let pinned = pinned.min(sets.len());
            let mut halves = Vec::new();
            let records = Records::code(&store, &order);
            settle_all(&records, &threshold, &order, pinned, few, |_| {}, |document, twin: survivors::Twin| {
                halves.push((document, twin.document, twin.common));
            });
            let groups = Groups::single(store.len());
            let mut index = Index::new(store, &groups, &order, pinned, threshold, 1 << 20);
            let mut blocks = Vec::new();
            by_blocks::settle_all(&mut index, |_| {}, |document, twin| blocks.push((document, twin.document, twin.common)));
            halves.sort_unstable();
            blocks.sort_unstable();
            prop_assert_eq!(halves, blocks);
        }
    }
}
