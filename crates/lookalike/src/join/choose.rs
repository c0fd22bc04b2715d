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

/// A collection and how it is to be compared, made ready in every way that may be chosen, for tests: as it is chosen; sets coded at once;
/// coded when those without a partner are gone; indexed, and coded after all; and indexed with a forecast that any work exceeds.
#[cfg(test)]
pub(crate) fn every_way(sets: &[Vec<u64>], join: &super::Join) -> Vec<Joinable> {
    let store = || sets.iter().collect::<SetStore>();
    let ready = |method: Method| {
        let fingerprints = crate::sets::Groups::fingerprints(&store());
        join.clone().method(method).prepare(store(), fingerprints).unwrap()
    };
    let firsts = |joinable: &Joinable| {
        let stands = |document: &u32| joinable.groups.is_first(*document) && joinable.size(*document) > 0;
        (0..sets.len() as u32).filter(stands).collect()
    };
    let mut coded = ready(Method::Light);
    let sifted = Sifted::new(store(), firsts(&coded), join.threshold(), 1 << 16).unwrap();
    coded.code_by_lists(&sifted.store, &sifted.documents).unwrap();
    let mut left = ready(Method::Sparse);
    left.leave_index();
    assert!(matches!(left.ready, Ready::Coded(_)));
    let mut doubted = ready(Method::Sparse);
    doubted.forecast = Some(Forecast::of_nothing());
    vec![ready(Method::Auto), ready(Method::Light), coded, left, doubted]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::join::{Join, Pair, brute_pairs};
    use crate::measure::{Measure, Threshold};
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

        #[test]
        fn every_way_finds_the_same_pairs(
            sets in proptest::collection::btree_set(
                prop_oneof![
                    proptest::collection::btree_set(0..20u64, 1..9),
                    proptest::collection::btree_set(0..100_000u64, 1..30),
                ],
                0..60,
            ),
            measure in prop::sample::select(&Measure::ALL[..]),
            value in 1..10u32,
            split in proptest::option::of(0..60u32),
        ) {
            let is_count = matches!(measure, Measure::Overlap | Measure::Hamming);
            let value = if is_count { value.to_string() } else { format!("{value}/9") };
            let threshold = Threshold::new(measure, &value).unwrap();
            let sets: Vec<Vec<u64>> = sets.into_iter().map(|set| set.into_iter().collect()).collect();
            let mut expected = brute_pairs(&sets.iter().collect(), &threshold);
            let mut join = Join::new(threshold);
            if let Some(split) = split {
                expected.retain(|pair| pair.a < split && pair.b >= split);
                join = join.across(split);
            }
            for mut joinable in every_way(&sets, &join) {
                prop_assert_eq!(&pairs(&mut joinable), &expected, "{}", joinable.plan());
            }
        }
    }
}
