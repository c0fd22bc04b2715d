//! The most similar pairs, without a threshold.
//!
//! A join is fast if its threshold is high, so it is tried from high to low: all pairs that reach a threshold are more similar than any
//! that do not, and so the first threshold that as many pairs reach as are wanted gives the answer. No pair is judged by a rounded
//! number.

use std::cmp::Ordering;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use lookalike::{Measure, Pair, Threshold};

use crate::best::Best;
use crate::collect::Collection;
use crate::error::Error;
use crate::find::{Finder, sizes};
use crate::found::{By, Found, Hits, Work};

impl Finder<'_> {
    /// Finds the `most` most similar pairs of a collection, whose sets it takes; of equally similar ones the first.
    pub(crate) fn find_top(
        &self,
        collection: &mut Collection,
        measure: Measure,
        most: usize,
    ) -> Result<(Found, Work), Error> {
        let mut store = std::mem::take(&mut collection.store);
        let sizes = sizes(&store);
        let thresholds = descending(measure, sizes.iter().copied().max().unwrap_or(0));
        let (mut prepare, mut join) = (Duration::ZERO, Duration::ZERO);
        let mut tried = 0;
        loop {
            let (threshold, is_last) = (thresholds[tried], tried + 1 == thresholds.len());
            let sets = if is_last { std::mem::take(&mut store) } else { store.copy()? };
            let mut ready = self.prepare(sets, collection.fingerprints.clone(), threshold)?;
            let rank = |pair: Pair| {
                let (size_a, size_b) = (sizes[pair.a as usize], sizes[pair.b as usize]);
                let equal = pair.common == size_a && pair.common == size_b;
                // Under a distance, small sets that share nothing may be near each other: that is no similarity.
                let is_wanted = pair.common > 0 && !(equal && self.distinct);
                is_wanted.then_some(Ranked { pair, sizes: (size_a, size_b), measure })
            };
            let best = Mutex::new(Best::new(most, &ready.members, &self.sides, rank));
            let locked = || best.lock().unwrap_or_else(PoisonError::into_inner);
            if !self.distinct {
                locked().offer_equal(|document| sizes[document as usize]);
            }
            let start = Instant::now();
            let counts = self.join(&mut ready.joinable, &collection.within, |some| {
                let mut best = locked();
                some.iter().for_each(|pair| best.offer(pair));
            });
            join += start.elapsed();
            let best = best.into_inner().unwrap_or_else(PoisonError::into_inner).into_sorted();
            let mut work = ready.into_work(counts, join);
            prepare += work.prepare;
            if is_last || best.len() >= most {
                work.prepare = prepare;
                let pairs = best.into_iter().map(|ranked| ranked.pair).collect();
                return Ok((Found { pairs: Hits::Ranked(pairs), by: By::Sets { threshold, sizes } }, work));
            }
            tried += 1;
        }
    }
}

/// The thresholds to try, the last of which is reached by all that have anything in common.
fn descending(measure: Measure, largest: u32) -> Vec<Threshold> {
    // With nothing to compare any threshold will do.
    let largest = u64::from(largest.max(1));
    let values: Vec<String> = match measure {
        Measure::Overlap => halves(largest).map(|count| count.to_string()).collect(),
        Measure::Hamming => {
            let mut distances: Vec<u64> = halves(2 * largest).chain([0]).collect();
            distances.reverse();
            distances.into_iter().map(|distance| distance.to_string()).collect()
        }
        _ => {
            // 0.95, 0.9, 0.8, 0.4, 0.2, 0.1, …; the least there can be is one element in common of two of the largest sets.
            let least = 2 * largest;
            let halved = (0..).map(|times| 5u64 << times).take_while(|&parts| parts < least);
            let halved = halved.map(|parts| format!("1/{parts}"));
            ["0.95", "0.9", "0.8", "0.4"]
                .map(String::from)
                .into_iter()
                .chain(halved)
                .chain([format!("1/{least}")])
                .collect()
        }
    };
    let threshold = |value: &String| Threshold::new(measure, value).expect("a value that the measure has");
    values.iter().map(threshold).collect()
}

/// A number and its halves, down to 1.
fn halves(number: u64) -> impl Iterator<Item = u64> {
    std::iter::successors(Some(number), |number| Some(number / 2)).take_while(|&number| number > 0)
}

/// A pair with its rank: the less, the better.
struct Ranked {
    pair: Pair,
    sizes: (u32, u32),
    measure: Measure,
}

impl Ord for Ranked {
    fn cmp(&self, other: &Ranked) -> Ordering {
        let counts = |ranked: &Ranked| (ranked.pair.common, ranked.sizes.0, ranked.sizes.1);
        let less_similar = self.measure.compare(counts(other), counts(self));
        less_similar.then(self.pair.cmp(&other.pair))
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Ranked) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Ranked) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ranked {}
