//! The survivors of a collection whose join is worth more the more documents it is given.
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
use std::sync::{Mutex, PoisonError};

use super::resemblance::{Resemblance, Twin};
use crate::candidates::Side;
use crate::join::Pair;

/// Documents joined with each other, where nothing is known of them. All of them may be pairs.
pub(super) const FEW: usize = 2048;
/// The least that are worth a join.
pub(super) const FEWEST: usize = 128;

/// Every document that is removed, and its twin. `order` has the documents in keep order, of which the first `pinned` are kept whatever
/// they resemble.
pub(super) fn settle_all(
    resemblance: &impl Resemblance,
    order: &[u32],
    pinned: usize,
    few: usize,
    progress: impl Fn(usize),
) -> Vec<(u32, Twin)> {
    let mut place = vec![0; order.iter().max().map_or(0, |&last| last as usize + 1)];
    for (at, &document) in order.iter().enumerate() {
        place[document as usize] = at as u32;
    }
    let (mut kept, best) = (vec![false; order.len()], vec![None; order.len()]);
    kept[..pinned].fill(true);
    let mut halves = Halves { resemblance, order, few, place, kept, best };
    halves.match_with_kept(pinned..order.len(), 0..pinned);
    halves.settle(pinned..order.len(), &progress);
    order.iter().zip(halves.best).filter_map(|(&document, twin)| Some((document, twin?))).collect()
}

struct Halves<'a, R> {
    resemblance: &'a R,
    order: &'a [u32],
    /// Documents that are joined with each other.
    few: usize,
    /// By document: its place in the keep order.
    place: Vec<u32>,
    /// By place.
    kept: Vec<bool>,
    best: Vec<Option<Twin>>,
}

impl<R: Resemblance> Halves<'_, R> {
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
        let is_hopeful = |place: usize| self.best[place].is_none();
        let mut pairs =
            self.join(places.clone().map(|place| (place, if is_hopeful(place) { Side::Both } else { Side::First })));
        // By the later of the two, so that what it resembles is settled.
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
    }

    /// Joins documents with those kept before them.
    fn match_with_kept(&mut self, places: Range<usize>, before: Range<usize>) {
        let kept = before.filter(|&place| self.kept[place]).map(|place| (place, Side::Second));
        for (earlier, later, common) in self.join(kept.chain(places.map(|place| (place, Side::First)))) {
            self.resembles(later as usize, earlier, common);
        }
    }

    /// A document resembles a kept one: the most similar counts, the earliest of equals.
    fn resembles(&mut self, place: usize, earlier: u32, common: u32) {
        let found = Twin { document: self.order[earlier as usize], common };
        let is_better = self.best[place].is_none_or(|best| {
            let by_likeness = self.resemblance.compare(self.order[place], found, best);
            by_likeness.then(self.place[best.document as usize].cmp(&earlier)).is_gt()
        });
        if is_better {
            self.best[place] = Some(found);
        }
    }

    /// The pairs of these documents, the earlier place first, with what they share.
    fn join(&self, sides: impl Iterator<Item = (usize, Side)>) -> Vec<(u32, u32, u32)> {
        let documents: Vec<(u32, Side)> = sides.map(|(place, side)| (self.order[place], side)).collect();
        let all_on = |wanted: Side| documents.iter().all(|&(_, side)| side == wanted);
        if all_on(Side::First) || all_on(Side::Second) {
            return Vec::new();
        }
        let place = &self.place;
        let in_order = |pair: &Pair| {
            let (a, b) = (place[pair.a as usize], place[pair.b as usize]);
            (a.min(b), a.max(b), pair.common)
        };
        let found = Mutex::new(Vec::new());
        self.resemblance.pairs(&documents, &|some| {
            found.lock().unwrap_or_else(PoisonError::into_inner).extend(some.iter().map(in_order));
        });
        found.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::super::by_blocks;
    use super::super::coded::Coded;
    use super::*;
    use crate::join::{Index, Records, Sifted};
    use crate::measure::{Measure, Threshold};
    use crate::sets::SetStore;
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
            let records = Records::code(&store, &order);
            let mut halves = settle_all(&Coded::new(&records, threshold), &order, pinned, few, |_| {});
            let firsts = (0..store.len() as u32).collect();
            let sifted = Sifted::new(store, firsts, &threshold, 1 << 20).unwrap();
            let mut index = Index::new(sifted, &order, pinned, threshold).unwrap();
            let mut blocks = Vec::new();
            by_blocks::settle_all(&mut index, |_| {}, |_, _, _| false, |index, place, found, _| {
                let twin = Twin { document: index.document(found.place), common: found.common };
                blocks.push((index.document(place), twin));
            });
            halves.sort_unstable_by_key(|&(document, _)| document);
            blocks.sort_unstable_by_key(|&(document, _)| document);
            prop_assert_eq!(halves, blocks);
        }
    }
}
