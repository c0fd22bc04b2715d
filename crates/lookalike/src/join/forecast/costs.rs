//! What would each plan of a join cost? Forecast from counts in a sample of the documents.
//!
//! The sample consists of documents, never of elements: a sample of elements depends on their hashes, and a single
//! frequent element changes every average. Costs are in nanoseconds of one core, computed from counts alone, so the
//! same input gets the same plan on every machine and in every run. They were fitted to the inputs of `bench/choose`.
//!
//! The choice has three steps. Each has better data than the step before, and runs only if needed:
//!
//! 1. [`droppable`]: may many sets have no partner? If not, dropping them gains nothing, and all sets are coded at
//!    once.
//! 2. [`Forecast::of`]: count the elements ([`Sifted`]) and drop sets without a partner. Is it cheaper to index the
//!    remaining sets as they are, or to code them first?
//! 3. [`Forecast::is_exceeded`]: while the index works, is it as cheap as forecast?

use super::sift::{Sifted, singles_that_suffice};
use super::work::Work;
use crate::measure::Threshold;
use crate::sets::{Counters, SetStore, mix};

/// Elements of the first sample of step 1, the growth of the next ones, and the elements of the last.
const FIRST_SAMPLE: usize = 1 << 16;
const GROWTH: usize = 4;
const LAST_SAMPLE: usize = 1 << 20;
/// Shares of elements that may be dropped: below the first, dropping does not pay; above the second, in any sample but
/// the first, it does.
const FEW: f64 = 0.25;
const MANY: f64 = 0.9;

/// The share of elements whose sets may have no partner. It is an upper bound except for chance, because an element
/// that is unique in the sample may occur elsewhere. So the sample grows until the share is small or clearly large.
pub(in crate::join) fn droppable(store: &SetStore, documents: &[u32], threshold: &Threshold) -> f64 {
    let total: usize = documents.iter().map(|&document| store.size(document) as usize).sum();
    let mut wanted = FIRST_SAMPLE;
    loop {
        let step = (total / wanted).max(1);
        let share = droppable_in(store, documents, step, threshold);
        let is_clear = share < FEW || share > MANY && wanted > FIRST_SAMPLE;
        if is_clear || step < 2 * GROWTH || wanted >= LAST_SAMPLE {
            return share;
        }
        wanted *= GROWTH;
    }
}

/// Whether the share is too small to pay for counting all elements.
pub(in crate::join) fn is_dense(droppable: f64) -> bool {
    droppable < FEW
}

fn droppable_in(store: &SetStore, documents: &[u32], step: usize, threshold: &Threshold) -> f64 {
    let sample = || documents.iter().step_by(step).map(|&document| store.set(document));
    let elements: usize = sample().map(<[u64]>::len).sum();
    let mut seen = Seen::for_elements(elements);
    sample().flatten().for_each(|&element| seen.add(element));
    let mut dropped = 0;
    for set in sample() {
        let enough = singles_that_suffice(threshold, set.len() as u32) as usize;
        if set.iter().filter(|&&element| !seen.is_repeated(element)).take(enough).count() == enough {
            dropped += set.len();
        }
    }
    dropped as f64 / elements.max(1) as f64
}

/// Which elements were seen once, and which repeatedly: two bits per slot, sixteen slots per element.
struct Seen {
    slots: Vec<u8>,
    shift: u32,
}

impl Seen {
    fn for_elements(elements: usize) -> Seen {
        let bits = (elements.max(1) * 16).next_power_of_two().ilog2();
        Seen { slots: vec![0; 1 << (bits - 2)], shift: 64 - bits }
    }

    /// The byte of an element, and the position in it. Your own elements need not be hashes.
    #[inline]
    fn slot(&self, element: u64) -> (usize, u32) {
        let slot = (mix(element) >> self.shift) as usize;
        (slot / 4, slot as u32 % 4 * 2)
    }

    #[inline]
    fn add(&mut self, element: u64) {
        let (byte, shift) = self.slot(element);
        // 00 to 01, 01 to 11, 11 stays.
        self.slots[byte] |= (1 | (self.slots[byte] >> shift & 1) << 1) << shift;
    }

    #[inline]
    fn is_repeated(&self, element: u64) -> bool {
        let (byte, shift) = self.slot(element);
        self.slots[byte] >> shift & 2 != 0
    }
}

/// Elements of the sample of step 2.
const SAMPLE: usize = 1 << 15;

/// Nanoseconds to index a set, to order an element, and to make, sort and enter a posting.
const SET: f64 = 250.0;
const ARRANGE: f64 = 10.0;
const POST: f64 = 150.0;
/// Nanoseconds to walk an entry of a list, to meet a set for the first time, and to compare an element of two sets.
const WALK: f64 = 1.0;
const MEET: f64 = 35.0;
const COMPARE: f64 = 3.0;
/// The share of the sets that meet which are compared.
const COMPARED: f64 = 0.01;
/// Nanoseconds to code an element, and extra for each distinct one, which enters a table and is sorted.
const CODE: f64 = 28.0;
const CODE_NEW: f64 = 150.0;
/// The time of the dense join relative to the sparse one, to find all pairs.
const DENSE_JOIN: f64 = 0.25;
/// The time of either to decide which documents survive, relative to finding all pairs. The sparse index compares with
/// kept documents only; the dense join takes several steps.
const SETTLE: f64 = 0.15;
const DENSE_SETTLE: f64 = 0.35;
/// The share of the coding cost to spend before checking whether coding is cheaper.
const TRIAL: f64 = 0.2;

/// How much the remaining sets have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Forecast {
    /// Sets that may have a partner, and their share of all elements.
    pub(in crate::join) sets: usize,
    pub(in crate::join) share: f64,
    elements: f64,
    distinct: f64,
    /// Elements of prefixes that other sets have too.
    pub(in crate::join) postings: f64,
    /// How often two sets share such an element.
    pub(in crate::join) meetings: f64,
    /// Elements of all sets that meet.
    compared: f64,
    wanted: Wanted,
}

/// What a join is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// All pairs.
    Pairs,
    /// The survivors.
    Survivors,
}

impl Forecast {
    /// Makes a forecast from the counts of all elements and a sample of the sets.
    pub(in crate::join) fn of(store: &SetStore, sifted: &Sifted, threshold: &Threshold, wanted: Wanted) -> Forecast {
        let Sifted { documents, counters, .. } = sifted;
        let elements: usize = documents.iter().map(|&document| store.size(document) as usize).sum();
        let step = (elements / SAMPLE).max(1);
        let sampled: Vec<Sampled> = documents
            .iter()
            .step_by(step)
            .map(|&document| Sampled::new(store.set(document), counters, threshold))
            .collect();
        let scale = documents.len() as f64 / sampled.len().max(1) as f64;
        let mut last: Vec<u32> = sampled.iter().map(|set| set.last).collect();
        last.sort_unstable();
        let mut sizes: Vec<u32> = sampled.iter().map(|set| set.size).collect();
        sizes.sort_unstable();
        let below = |sorted: &[u32], value: u32| sorted.partition_point(|&other| other < value) as f64;
        let count = sampled.len().max(1) as f64;
        let (mut distinct, mut postings, mut meetings, mut compared) = (0.0, 0.0, 0.0, 0.0);
        for set in &sampled {
            distinct += set.distinct;
            postings += set.prefix.len() as f64;
            let (least, greatest) = threshold.partners(set.size);
            let fitting = (below(&sizes, greatest.saturating_add(1)) - below(&sizes, least)) / count;
            let all: f64 = set.prefix.iter().map(|&frequency| f64::from(frequency)).sum();
            // An element this frequent is in the prefix of a set only if the set has hardly any rarer ones.
            let entered = |frequency: u32| f64::from(frequency) * (1.0 - below(&last, frequency) / count);
            let apart = set.prefix.iter().map(|&frequency| entered(frequency)).sum::<f64>() * fitting;
            // `apart` holds if sets are unrelated; but sets that share one element often share most.
            let met = (all * apart).sqrt() / 2.0;
            meetings += met;
            compared += met * f64::from(set.size) * 2.0;
        }
        Forecast {
            sets: documents.len(),
            share: elements as f64 / sifted.elements.max(1) as f64,
            elements: elements as f64,
            distinct: distinct * scale,
            postings: postings * scale,
            meetings: meetings * scale,
            compared: compared * scale,
            wanted,
        }
    }

    /// A forecast that any work exceeds.
    #[cfg(test)]
    pub(in crate::join) fn of_nothing() -> Forecast {
        let (elements, distinct, postings, meetings, compared) = Default::default();
        Forecast { sets: 0, share: 0.0, elements, distinct, postings, meetings, compared, wanted: Wanted::Pairs }
    }

    /// The cost of coding the sets.
    fn coding(&self) -> f64 {
        CODE * self.elements + CODE_NEW * self.distinct
    }

    /// The cost of finding all pairs in the index.
    fn join(&self) -> f64 {
        (WALK + MEET) * self.meetings + COMPARE * COMPARED * self.compared
    }

    /// The cost of indexing the sets as they are, and joining them.
    pub(in crate::join) fn sparse(&self) -> f64 {
        SET * self.sets as f64
            + ARRANGE * self.elements
            + POST * self.postings
            + match self.wanted {
                Wanted::Pairs => self.join(),
                Wanted::Survivors => SETTLE * self.join(),
            }
    }

    /// The cost of coding the sets first, and joining them.
    pub(in crate::join) fn dense(&self) -> f64 {
        self.coding()
            + match self.wanted {
                Wanted::Pairs => DENSE_JOIN * self.join(),
                Wanted::Survivors => DENSE_SETTLE * self.join(),
            }
    }

    /// Whether coding the sets is cheaper than continuing, given the work done for a part of the documents.
    pub(crate) fn is_exceeded(&self, done: &Work, of_documents: usize, left: usize) -> bool {
        let spent = WALK * done.walked as f64 + MEET * done.met as f64 + COMPARE * done.compared as f64;
        let ahead = spent * left as f64 / of_documents.max(1) as f64;
        spent > TRIAL * self.coding() && ahead * (1.0 - DENSE_JOIN) > self.coding()
    }
}

/// A set of the sample.
struct Sampled {
    size: u32,
    /// The frequencies of the elements of its long prefix that others have too.
    prefix: Vec<u32>,
    /// The greatest of these frequencies.
    last: u32,
    /// The number of distinct elements, if each counts for its share of the sets that have it.
    distinct: f64,
}

impl Sampled {
    fn new(set: &[u64], counters: &Counters, threshold: &Threshold) -> Sampled {
        let size = set.len() as u32;
        let mut frequencies: Vec<u32> = set.iter().map(|&element| counters.get(element).max(1)).collect();
        let distinct = frequencies.iter().map(|&frequency| 1.0 / f64::from(frequency)).sum();
        frequencies.sort_unstable();
        frequencies.truncate(threshold.long_prefix(size) as usize);
        let last = frequencies.last().copied().unwrap_or(0);
        let singles = frequencies.partition_point(|&frequency| frequency < 2);
        Sampled { size, prefix: frequencies.split_off(singles), last, distinct }
    }
}
