//! How is a plan chosen from the data, and when does it change? See `forecast`.

use super::joinable::{Change, Joinable, Prepared};
use super::preparation::Preparation;
use crate::join::forecast::{self, Forecast, Sifted, Wanted};
use crate::join::sources::DenseSource;
use crate::join::{Algorithm, JoinError, Plan};
#[cfg(test)]
use {
    crate::join::{PairSource, PaperAlgorithm},
    crate::progress::Stage,
    crate::sets::{CounterBudget, SetStore},
    std::sync::Arc,
};

impl Preparation<'_> {
    /// Prepares the sets for the plan that suits them.
    pub(super) fn choose(self, firsts: Vec<u32>, wanted: Wanted) -> Result<Joinable, JoinError> {
        let mut plan = Plan { algorithm: Algorithm::Auto, reasons: Vec::new() };
        let (store, threshold) = (&*self.store, &self.frame.threshold);
        let droppable = forecast::droppable(store, &firsts, threshold);
        if !plan.choose_to_sift(firsts.len(), droppable) {
            return self.code_by_lists(plan, &firsts);
        }
        let sifted = self.sift(firsts)?;
        self.choose_index(plan, sifted, wanted)
    }

    /// Prepares sifted sets for the plan that suits them.
    pub(super) fn choose_index(self, mut plan: Plan, sifted: Sifted, wanted: Wanted) -> Result<Joinable, JoinError> {
        let forecast = Forecast::of(&self.store, &sifted, &self.frame.threshold, wanted);
        if plan.choose_to_code(&forecast) {
            let Sifted { documents, counters, .. } = sifted;
            drop(counters);
            return self.code_by_lists(plan, &documents);
        }
        let prepared = self.index(sifted)?;
        Ok(Joinable { prepared, plan, change: Some(Change { forecast, store: self.store }) })
    }

    /// Codes documents as records, and joins them by the plan that suits their lists.
    fn code_by_lists(&self, mut plan: Plan, documents: &[u32]) -> Result<Joinable, JoinError> {
        let dense = self.code(documents)?;
        plan.choose_lists(&dense.dense);
        Ok(Joinable::new(Prepared::Dense(Box::new(dense)), plan))
    }
}

impl Joinable {
    /// Replaces an index that is too slow by the dense join, unless the sets cannot be coded.
    pub(super) fn change_to_dense(&mut self) {
        let (Some(change), Prepared::Sparse(source)) = (self.change.take(), &self.prepared) else { return };
        let (frame, documents) = (source.frame.clone(), source.index.documents());
        if let Ok(records) = frame.references.code(&change.store, &documents) {
            let dense = DenseSource::new(frame, records);
            self.plan.change_to_dense();
            self.plan.choose_lists(&dense.dense);
            self.prepared = Prepared::Dense(Box::new(dense));
        }
    }

    /// Finds the partners of a few sets, and leaves the index if that is too slow.
    pub(super) fn try_index(&mut self) {
        let (Some(change), Prepared::Sparse(source)) = (&self.change, &mut self.prepared) else { return };
        if source.index.is_costly(&source.frame.references, &change.forecast) {
            self.change_to_dense();
        }
        // From here on the plan is fixed, so the data for a change can be freed.
        self.change = None;
    }
}

/// For tests: prepares a collection in every way that may be chosen. These are: automatically; coded at once; coded
/// after sets without a partner are dropped; indexed, then coded; indexed with a forecast that any work exceeds; by
/// brute force; and by the paper's algorithms.
#[cfg(test)]
pub(crate) fn every_way(sets: &[Vec<u64>], join: &crate::join::Join) -> Vec<Joinable> {
    let store = Arc::new(sets.iter().collect::<SetStore>());
    let ready =
        |algorithm: Algorithm| join.clone().algorithm(algorithm).prepare(store.clone(), &Stage::silent()).unwrap();
    let light = ready(Algorithm::Light);
    let Prepared::Dense(source) = &light.prepared else { panic!("coded") };
    let frame = source.frame.clone();
    let sifted = Sifted::within(&store, frame.firsts(), join.threshold(), CounterBudget::of(1 << 16)).unwrap();
    let records = frame.references.code(&store, &sifted.documents).unwrap();
    let plan = Plan { algorithm: Algorithm::Light, reasons: Vec::new() };
    let coded = Joinable::new(Prepared::Dense(Box::new(DenseSource::new(frame, records))), plan);
    let doubted = || {
        let mut sparse = ready(Algorithm::Sparse);
        sparse.change = Some(Change { forecast: Forecast::of_nothing(), store: store.clone() });
        sparse
    };
    let mut left = doubted();
    left.leave_index();
    assert!(matches!(left.prepared, Prepared::Dense(_)));
    vec![
        ready(Algorithm::Auto),
        light,
        coded,
        left,
        doubted(),
        ready(Algorithm::Brute),
        ready(Algorithm::Paper(PaperAlgorithm::PpJoin)),
    ]
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
        joinable.pairs(&Stage::silent(), &|some: &[Pair]| all.lock().unwrap().extend_from_slice(some)).unwrap();
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
            let value = if measure.is_count() { value.to_string() } else { format!("{value}/9") };
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
