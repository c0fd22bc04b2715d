//! How do all threads find the pairs of a dense join?

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::heavy::{self, Heavy};
use super::light;
use super::setup::{Dense, DensePlan, NARROW};
use super::shares::Shares;
use super::signatures::Signatures;
use crate::candidates::Outgoing;
use crate::join::pair::Emit;
use crate::join::records::disjoint::for_each_needless;
use crate::join::{Counts, JoinError, Pair};
use crate::progress::Stage;
use crate::verify::common_numbers;

/// Stretches of records per thread in the light plan: enough that no thread waits long for the last.
const STRETCHES: usize = 96;

/// The minimum records in a block, and the minimum elements in a stretch, unless a block is given.
const SHORTEST: usize = if cfg!(test) { 7 } else { 1024 };

impl Dense {
    /// Finds every pair, in batches and in no particular order.
    pub(crate) fn run(&self, plan: DensePlan, stage: &Stage, emit: Emit) -> Result<Counts, JoinError> {
        let emit = |some: &[Pair]| emit(some);
        let mut counts = match self.width {
            0 => self.run_signed::<0>(plan, stage, &emit),
            1 => self.run_signed::<1>(plan, stage, &emit),
            2 => self.run_signed::<2>(plan, stage, &emit),
            4 => self.run_signed::<4>(plan, stage, &emit),
            _ => self.run_signed::<8>(plan, stage, &emit),
        };
        stage.check()?;
        // There is no suffix filter, and every candidate that passes the signatures is compared.
        (counts.after_suffix, counts.verified) = (counts.after_positional, counts.after_signature);
        let mut outgoing = Outgoing::new(&emit);
        for_each_needless(
            &self.records,
            |size| self.threshold.needless(size),
            |x, y| {
                if !self.sides().are_apart(x, y) {
                    return;
                }
                let common = common_numbers(self.records.set(x), self.records.set(y), 0).unwrap_or(0);
                let (x, y) = (self.records.document(x), self.records.document(y));
                outgoing.push(Pair { a: x.min(y), b: x.max(y), common });
                counts.results += 1;
            },
        );
        counts.index_entries = self.entries();
        Ok(counts)
    }

    fn run_signed<const W: usize>(&self, plan: DensePlan, stage: &Stage, emit: &(impl Fn(&[Pair]) + Sync)) -> Counts {
        let signatures = Signatures::<W>::new(&self.records);
        let all = Mutex::new(Counts::default());
        let stretches = self.stretches(plan);
        match plan {
            DensePlan::Light if (1..=NARROW).contains(&W) => {
                self.walk::<W, u64>(&signatures, stretches, stage, emit, &all)
            }
            DensePlan::Light => self.walk::<W, ()>(&signatures, stretches, stage, emit, &all),
            DensePlan::Heavy => {
                let heavy = Heavy::new(self, &signatures);
                // The last blocks have the largest records. Starting with them avoids waiting for them at the end.
                let left = AtomicUsize::new(stretches.len());
                let next = || left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).ok();
                let workers = rayon::current_num_threads().min(stretches.len());
                (0..workers).into_par_iter().with_max_len(1).for_each(|_| {
                    let mut worker = heavy::Worker::new(&heavy);
                    let mut outgoing = Outgoing::new(emit);
                    while let Some(block) = next().map(|block| stretches[block - 1].clone())
                        && !stage.is_cancelled()
                    {
                        let len = block.len();
                        worker.join(block, stage, &mut |pair| outgoing.push(pair));
                        stage.add(len);
                    }
                    worker.counts.results = outgoing.count();
                    add(&all, worker.counts);
                });
            }
        }
        all.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn walk<const W: usize, S: light::Hint>(
        &self,
        signatures: &Signatures<W>,
        stretches: Vec<Range<u32>>,
        stage: &Stage,
        emit: &(impl Fn(&[Pair]) + Sync),
        all: &Mutex<Counts>,
    ) {
        let shares = Shares::new(stretches.len(), rayon::current_num_threads());
        (0..shares.workers()).into_par_iter().with_max_len(1).for_each(|worker| {
            let mut walker = light::Walker::<W, S>::new(self, signatures);
            let mut outgoing = Outgoing::new(emit);
            while let Some(piece) = shares.next(worker)
                && !stage.is_cancelled()
            {
                walker.walk(stretches[piece].clone(), |pair| outgoing.push(pair));
                stage.add(stretches[piece].len());
            }
            walker.counts.results = outgoing.count();
            add(all, walker.counts);
        });
    }

    /// Cuts the records into consecutive stretches, several per thread if possible.
    fn stretches(&self, plan: DensePlan) -> Vec<Range<u32>> {
        let (records, threads) = (self.records.len(), rayon::current_num_threads().max(1));
        match plan {
            DensePlan::Light => self.cut(STRETCHES * threads),
            DensePlan::Heavy => {
                let usual = || (records / (4 * threads)).max(2 * SHORTEST);
                let len = self.block.map_or_else(usual, |block| block as usize).min(heavy::BLOCK);
                (0..records).step_by(len).map(|start| start as u32..(start + len).min(records) as u32).collect()
            }
        }
    }

    /// Cuts the records into at most `parts` stretches with about equally many elements.
    fn cut(&self, parts: usize) -> Vec<Range<u32>> {
        let shortest = self.block.map_or(SHORTEST, |block| block as usize);
        let share = self.records.elements().div_ceil(parts).max(shortest);
        let (mut stretches, mut start, mut elements) = (Vec::new(), 0, 0);
        let last = self.records.len() as u32;
        for record in 0..last {
            elements += self.records.size(record) as usize;
            if elements >= share || record + 1 == last {
                stretches.push(start..record + 1);
                (start, elements) = (record + 1, 0);
            }
        }
        stretches
    }
}

fn add(all: &Mutex<Counts>, counts: Counts) {
    all.lock().unwrap_or_else(PoisonError::into_inner).add(&counts);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    use crate::join::Records;
    use crate::join::{Side, brute_pairs};
    use crate::measure::Measure;
    use crate::measure::Threshold;
    use crate::sets::SetStore;
    use proptest::prelude::*;

    fn pairs(dense: &Dense, plan: DensePlan) -> Vec<Pair> {
        let all = Mutex::new(Vec::new());
        let emit = |some: &[Pair]| all.lock().unwrap().extend_from_slice(some);
        let counts = dense.run(plan, &Stage::silent(), &emit).unwrap();
        let mut pairs = all.into_inner().unwrap();
        pairs.sort_unstable();
        assert_eq!(counts.results, pairs.len() as u64);
        pairs
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(600))]

        /// Tests both plans, all signature widths, all sides, with one thread and with three.
        #[test]
        fn pairs_are_those_of_brute_force(
            sets in proptest::collection::vec(
                prop_oneof![
                    proptest::collection::btree_set(0..12u64, 1..8),
                    proptest::collection::btree_set(0..90u64, 1..60),
                    proptest::collection::btree_set(0..100_000u64, 1..40),
                ],
                0..60,
            ),
            sides in proptest::collection::vec(prop_oneof![Just(Side::First), Just(Side::Second), Just(Side::Both)], 60),
            one_side: bool,
            measure in prop::sample::select(&Measure::ALL[..]),
            (part, whole) in (1..40u32, 0..12u32),
            count in 1..20u32,
        ) {
            let value = if measure.is_count() { count.to_string() } else { format!("{part}/{}", part + whole) };
            let threshold = Threshold::new(measure, &value).unwrap();
            let store: SetStore = sets.iter().map(|set| set.iter().copied().collect::<Vec<_>>()).collect();
            let mut expected = brute_pairs(&store, &threshold);
            let side = |document: u32| if one_side { Side::Both } else { sides[document as usize] };
            expected.retain(|pair| side(pair.a) == Side::Both || side(pair.a) != side(pair.b));

            let records = Records::code(&store, &(0..sets.len() as u32).collect::<Vec<_>>());
            let records = if one_side { records } else { records.on_sides(side) };
            let mut dense = Dense::new(Arc::new(records), threshold, None);
            for threads in [1, 3] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                for width in [0, 1, 2, 4, 8] {
                    dense.width = width;
                    for plan in [DensePlan::Light, DensePlan::Heavy] {
                        let found = pool.install(|| pairs(&dense, plan));
                        prop_assert_eq!(&found, &expected, "{:?} {} {}", plan, width, threads);
                    }
                }
            }
        }
    }
}
