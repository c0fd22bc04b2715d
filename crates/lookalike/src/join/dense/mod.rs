//! # The dense regime
//!
//! Word sets, q-grams, market baskets: few different elements, long lists. Elements are numbers by ascending frequency, records are
//! walked by ascending size, and before any element is compared a signature of 64 to 512 bits has the say.
//!
//! Two plans, chosen by the mean length of the lists that will be walked: [`light`] waits for memory, [`heavy`] for the processor.

mod entries;
mod heavy;
mod light;
mod lookups;
mod shares;
mod signatures;
mod sizes;
mod source;
mod verify;

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use heavy::Heavy;
use shares::Shares;
use signatures::Signatures;

use super::disjoint::for_each_needless;
use super::record_sides::Sides;
use super::sizes::Sizes;
use super::source::Emit;
use super::{Counts, JoinError, Pair, Records};
use crate::candidates::Outgoing;
use crate::measure::Threshold;
use crate::progress::Stage;
pub(crate) use source::DenseSource;

/// The mean length of a list, over all that are looked up and as far as sizes fit, from which on the heavy plan is faster; and the same
/// with signatures of at most one word, which the light plan has beside its entries.
const LONG: f64 = 75.0;
const LONG_NARROW: f64 = 300.0;

/// How many elements are signed in the time in which an entry is walked and judged without a signature.
const WORTH: f64 = 4.0;

/// Words of a signature up to which one of 64 bits still tells something.
const NARROW: usize = 2;

/// Stretches of records for each thread of the light plan: enough that none waits long for the last.
const STRETCHES: usize = 96;

/// Records that are worth a block, or elements that are worth a stretch.
const SHORTEST: usize = if cfg!(test) { 7 } else { 1024 };

/// A join of records about to be done.
pub(crate) struct Dense {
    records: Arc<Records>,
    threshold: Threshold,
    sizes: Sizes,
    /// By kind of list and element: how many entries it may have. None if no two records meet there.
    rooms: Vec<Vec<u32>>,
    /// By record: how many elements of its prefix no other has. They come first.
    singles: Vec<u32>,
    /// The mean length of a list that is looked up, as far as sizes fit.
    list_length: f64,
    /// Words of a signature; none where so few records meet that signing all would take longer.
    width: usize,
}

/// How the lists are walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DensePlan {
    Light,
    Heavy,
}

impl Dense {
    pub(crate) fn new(records: Arc<Records>, threshold: Threshold) -> Dense {
        let sides = records.sides();
        let alone = records.frequencies().partition_point(|&count| count < 2) as u32;
        let mut singles = Vec::with_capacity(records.len());
        let mut looked_up = vec![0_u32; records.universe()];
        let mut rooms = vec![vec![0_u32; records.universe()]; sides.count()];
        records.for_each_prefix(&threshold, |record, prefix, short| {
            let first = prefix.iter().take_while(|&&element| element < alone).count();
            singles.push(first as u32);
            prefix.iter().skip(first).for_each(|&element| looked_up[element as usize] += 1);
            let rooms = &mut rooms[sides.entered(record)];
            prefix[..short].iter().skip(first).for_each(|&element| rooms[element as usize] += 1);
        });
        let (mut meetings, mut lookups) = (0.0, 0.0);
        for rooms in &mut rooms {
            for (room, &count) in rooms.iter_mut().zip(&looked_up) {
                if count < 2 {
                    *room = 0;
                } else {
                    meetings += f64::from(*room) * f64::from(count);
                    lookups += f64::from(count);
                }
            }
        }
        // A list is half full on average.
        let walked = meetings / 2.0;
        let width = signatures::width(&records, &threshold);
        let width = if walked * WORTH < records.elements() as f64 && width > NARROW { 0 } else { width };
        let sizes = Sizes::new(&records);
        let list_length = if lookups > 0.0 { fitting(&records, &threshold) * walked / lookups } else { 0.0 };
        Dense { records, threshold, sizes, rooms, singles, list_length, width }
    }

    pub(crate) fn plan(&self) -> DensePlan {
        let long = if self.width <= 1 { LONG_NARROW } else { LONG };
        if self.list_length < long { DensePlan::Light } else { DensePlan::Heavy }
    }

    /// The mean length of a list that is looked up, as far as sizes fit.
    pub(crate) fn list_length(&self) -> f64 {
        self.list_length
    }

    fn sides(&self) -> &Sides {
        self.records.sides()
    }

    /// How many entries all lists have.
    pub(crate) fn entries(&self) -> u64 {
        self.rooms.iter().flatten().map(|&room| u64::from(room)).sum()
    }

    /// Bits of a signature.
    pub(crate) fn signature_bits(&self) -> usize {
        self.width * 64
    }

    /// Every pair, some at a time, in no particular order.
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
        // There is no suffix filter, and what the signatures allow is compared.
        (counts.after_suffix, counts.verified) = (counts.after_positional, counts.after_signature);
        let mut outgoing = Outgoing::new(&emit);
        for_each_needless(&self.records, &self.threshold, |x, y| {
            if !self.sides().are_apart(x, y) {
                return;
            }
            let common = crate::verify::common_numbers(self.records.set(x), self.records.set(y), 0).unwrap_or(0);
            let (x, y) = (self.records.document(x), self.records.document(y));
            outgoing.push(Pair { a: x.min(y), b: x.max(y), common });
            counts.results += 1;
        });
        counts.index_entries = self.entries();
        Ok(counts)
    }

    fn run_signed<const W: usize>(
        &self,
        plan: DensePlan,
        stage: &Stage,
        emit: &(impl Fn(&[Pair]) + Sync),
    ) -> Counts {
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
                // The last blocks have the largest records: who begins with them does not wait for them at the end.
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
                        worker.join(block, &mut |pair| outgoing.push(pair));
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

    /// Records cut into stretches, one after another; several a thread, if there are several.
    fn stretches(&self, plan: DensePlan) -> Vec<Range<u32>> {
        let (records, threads) = (self.records.len(), rayon::current_num_threads().max(1));
        match plan {
            DensePlan::Light => self.cut(STRETCHES * threads),
            DensePlan::Heavy => {
                let len = (records / (4 * threads)).clamp(2 * SHORTEST, heavy::BLOCK);
                (0..records).step_by(len).map(|start| start as u32..(start + len).min(records) as u32).collect()
            }
        }
    }

    /// So many stretches at most, of about as many elements.
    fn cut(&self, parts: usize) -> Vec<Range<u32>> {
        let share = self.records.elements().div_ceil(parts).max(SHORTEST);
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

    /// Where the elements of a record start that others have too.
    #[inline]
    fn first_shared(&self, record: u32) -> usize {
        self.singles[record as usize] as usize
    }
}

/// The share of all pairs of records whose sizes allow them to be one.
fn fitting(records: &Records, threshold: &Threshold) -> f64 {
    let (mut size, mut first, mut fitting, mut all) = (0, 0, 0.0, 0.0);
    for record in 0..records.len() as u32 {
        if records.size(record) != size {
            size = records.size(record);
            let least = threshold.partners(size).0;
            // By ascending size, the least of a larger record's partners is no smaller.
            while first < record && records.size(first) < least {
                first += 1;
            }
        }
        fitting += f64::from(record - first);
        all += f64::from(record);
    }
    if all > 0.0 { fitting / all } else { 0.0 }
}

fn add(all: &Mutex<Counts>, counts: Counts) {
    all.lock().unwrap_or_else(PoisonError::into_inner).add(&counts);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::join::{Side, brute_pairs};
    use crate::measure::Measure;
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

        /// Both plans, signatures of every width, sides of every kind, one thread and three.
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
            let value = match measure {
                Measure::Overlap | Measure::Hamming => count.to_string(),
                _ => format!("{part}/{}", part + whole),
            };
            let threshold = Threshold::new(measure, &value).unwrap();
            let store: SetStore = sets.iter().map(|set| set.iter().copied().collect::<Vec<_>>()).collect();
            let mut expected = brute_pairs(&store, &threshold);
            let side = |document: u32| if one_side { Side::Both } else { sides[document as usize] };
            expected.retain(|pair| side(pair.a) == Side::Both || side(pair.a) != side(pair.b));

            let records = Records::code(&store, &(0..sets.len() as u32).collect::<Vec<_>>());
            let records = if one_side { records } else { records.on_sides(side) };
            let mut dense = Dense::new(Arc::new(records), threshold);
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
