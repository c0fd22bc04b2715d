//! Which plan a join takes by itself, and when it changes it.

use std::sync::Arc;

use super::dense::Dense;
use super::forecast::{self, Forecast, Wanted};
use super::front::Ready;
use super::sparse::{Index, Sifted};
use super::{Joinable, Method};
use crate::sets::{SetStore, SetsError};

impl Joinable {
    /// Chooses a plan from the data, and makes the sets ready for it: see [`forecast`].
    pub(super) fn choose(
        &mut self,
        store: SetStore,
        firsts: Vec<u32>,
        wanted: Wanted,
        counter_bytes: usize,
    ) -> Result<(), SetsError> {
        let droppable = forecast::droppable(&store, &firsts, &self.threshold);
        if !self.plan.choose_to_sift(firsts.len(), droppable) {
            return self.code_by_lists(&store, &firsts);
        }
        let all: usize = firsts.iter().map(|&document| store.size(document) as usize).sum();
        let sifted = Sifted::new(store, firsts, &self.threshold, counter_bytes)?;
        let forecast = Forecast::of(&sifted, all, &self.threshold, wanted);
        if self.plan.choose_to_code(&forecast) {
            let Sifted { store, documents, counters } = sifted;
            drop(counters);
            return self.code_by_lists(&store, &documents);
        }
        self.index(sifted)?;
        self.forecast = Some(forecast);
        Ok(())
    }

    pub(super) fn index(&mut self, sifted: Sifted) -> Result<(), SetsError> {
        self.ready = Ready::Sparse(Box::new(Index::new(sifted, self.order(), self.pinned(), self.threshold)?));
        Ok(())
    }

    pub(super) fn code(&mut self, store: &SetStore, documents: &[u32]) -> Result<(), SetsError> {
        let records = Arc::new(self.references.code(store, documents)?);
        if matches!(self.plan.method, Method::Light | Method::Heavy) {
            self.dense = Some(Dense::new(records.clone(), self.threshold));
        }
        self.ready = Ready::Coded(records);
        Ok(())
    }

    /// The same, by the plan that suits the lists.
    fn code_by_lists(&mut self, store: &SetStore, documents: &[u32]) -> Result<(), SetsError> {
        self.code(store, documents)?;
        if let Some(dense) = &self.dense {
            self.plan.choose_lists(dense);
        }
        Ok(())
    }

    /// What was foreseen of the index, if it may be left for the dense engine.
    pub(crate) fn forecast(&self) -> Option<Forecast> {
        self.forecast
    }

    /// Leaves the index, which proved costly, for the dense engine; unless its sets cannot be coded.
    pub(crate) fn leave_index(&mut self) {
        self.forecast = None;
        let Ready::Sparse(index) = &self.ready else { return };
        let (store, documents) = index.sets();
        if let Ok(records) = self.references.code(store, &documents) {
            let records = Arc::new(records);
            let dense = Dense::new(records.clone(), self.threshold);
            self.plan.change_to_dense();
            self.plan.choose_lists(&dense);
            self.dense = Some(dense);
            self.ready = Ready::Coded(records);
        }
    }

    /// Looks for the partners of a few sets, and leaves the index if that proves costly.
    pub(super) fn try_index(&mut self) {
        let (Some(forecast), Ready::Sparse(index)) = (self.forecast, &mut self.ready) else { return };
        if index.is_costly(&self.references, &forecast) {
            self.leave_index();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::survivors;
    use crate::join::{Join, Pair, brute_pairs};
    use crate::measure::{Measure, Threshold};
    use crate::sets::Groups;
    use proptest::prelude::*;
    use std::sync::Mutex;

    fn pairs(joinable: &mut Joinable) -> Vec<Pair> {
        let all = Mutex::new(Vec::new());
        joinable.run(|_| {}, |some| all.lock().unwrap().extend_from_slice(some));
        let mut pairs = all.into_inner().unwrap();
        pairs.sort_unstable();
        pairs
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        /// Whatever is chosen, and whenever it changes: sets coded at once, coded when those without a partner are gone, indexed, and
        /// coded after a trial of the index, or in the middle of settling who survives.
        #[test]
        fn every_way_gives_the_same_answer(
            sets in proptest::collection::btree_set(
                prop_oneof![
                    proptest::collection::btree_set(0..20u64, 1..9),
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
            let copy = || sets.iter().map(|set| set.iter().copied().collect::<Vec<_>>()).collect::<SetStore>();
            let store = copy();
            let mut order: Vec<u32> = (0..sets.len() as u32).collect();
            order.rotate_left(turn.min(sets.len()));
            let pinned = pinned.min(sets.len());
            let is_pinned = |document: u32| order[..pinned].contains(&document);
            let mut expected = brute_pairs(&store, &threshold);
            expected.retain(|pair| !is_pinned(pair.a) || !is_pinned(pair.b));
            let ready = |method: Method| {
                let join = Join::new(threshold).method(method).keep_order(order.clone(), pinned);
                join.prepare(copy(), Groups::fingerprints(&store)).unwrap()
            };
            let fates = survivors(&mut ready(Method::Sparse), |_| {});

            let mut coded = ready(Method::Light);
            let firsts = (0..store.len() as u32).filter(|&document| store.size(document) > 0).collect();
            let Sifted { documents, .. } = Sifted::new(copy(), firsts, &threshold, 1 << 16).unwrap();
            coded.code_by_lists(&store, &documents).unwrap();

            let mut left = ready(Method::Sparse);
            left.leave_index();
            prop_assert!(matches!(left.ready, Ready::Coded(_)));

            let mut tried = ready(Method::Sparse);
            tried.forecast = Some(Forecast::of_nothing());

            for mut joinable in [ready(Method::Auto), coded, left, tried] {
                prop_assert_eq!(&survivors(&mut joinable, |_| {}), &fates);
                prop_assert_eq!(&pairs(&mut joinable), &expected);
            }
            let mut tried = ready(Method::Sparse);
            tried.forecast = Some(Forecast::of_nothing());
            prop_assert_eq!(&pairs(&mut tried), &expected);
        }
    }
}
