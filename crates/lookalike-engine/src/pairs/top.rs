//! Finds the most similar pairs without a threshold.
//!
//! A join is fast if its threshold is high, so thresholds are tried from high to low. All pairs that reach a threshold are more similar
//! than all pairs that do not. So the first threshold that enough pairs reach gives the answer. Ranks are compared exactly, without
//! rounding.

use std::cmp::Ordering;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use lookalike::Measure;
use lookalike::engine::{Algorithm, EditJoin, SetPair, Stage, descending};

use super::best::Best;
use super::pair_rows::{Found, Hits};
use super::search::{Search, Searched};
use super::source::JobSource;
use crate::error::Error;
use crate::external::External;
use crate::read::Collection;

impl Search<'_> {
    /// Finds the `most` most similar pairs of a collection, and takes its sets. Input order breaks ties.
    pub(crate) fn find_top(
        &self,
        collection: &mut Collection,
        mut external: Option<External<'_>>,
        measure: Measure,
        algorithm: Algorithm,
        most: usize,
    ) -> Result<(Found, Searched), Error> {
        let store = Arc::new(std::mem::take(&mut collection.store));
        let sizes: Vec<u32> = match external {
            Some(_) => collection.sizes.clone(),
            None => (0..store.len() as u32).map(|document| store.size(document)).collect(),
        };
        let thresholds = descending(measure, sizes.iter().copied().max().unwrap_or(0));
        let rank = |pair: SetPair| {
            let (size_a, size_b) = (sizes[pair.a as usize], sizes[pair.b as usize]);
            let equal = pair.common == size_a && pair.common == size_b;
            // Under a distance, small sets may be close though they share nothing. Such a pair is not similar.
            let is_wanted = pair.common > 0 && !(equal && self.distinct);
            is_wanted.then_some(Ranked { pair, sizes: (size_a, size_b), measure })
        };
        let levels = thresholds.into_iter().map(|threshold| {
            if let Some(external) = &mut external {
                let join = (threshold, algorithm);
                return JobSource::of_parts(external, collection, join, self.order(), false, self.progress);
            }
            let join = JobSource::join(threshold, algorithm, self.split());
            JobSource::of_sets(store.clone(), join, &collection.within, self.progress)
        });
        self.find_best(levels, most, |document| sizes[document as usize], rank, |ranked| ranked.pair)
    }

    /// Finds the `most` pairs of texts with the smallest distance. Input order breaks ties.
    pub(crate) fn find_top_edit(
        &self,
        collection: &mut Collection,
        external: Option<External<'_>>,
        grams: Option<NonZeroU32>,
        most: usize,
    ) -> Result<(Found, Searched), Error> {
        let file = external.and_then(External::into_texts);
        let on_disk = file.map(|file| JobSource::texts_on_disk(file, collection, self.order())).transpose()?;
        let texts = Arc::new(std::mem::take(&mut collection.texts));
        let longest = match &on_disk {
            Some(texts) => texts.longest(),
            None => (0..texts.len() as u32).map(|text| texts.length(text)).max().unwrap_or(0),
        };
        let rank = |SetPair { a, b, common: distance }: SetPair| Some((distance, a, b));
        let distances =
            std::iter::successors(Some(1), |&distance| (distance < longest).then(|| (2 * distance).min(longest)));
        let levels = distances.map(|distance| {
            if let Some(texts) = &on_disk {
                return Ok(JobSource::TextsOnDisk(Box::new(texts.source(distance, grams, None))));
            }
            let join = EditJoin::new(distance).grams(grams).within(collection.within.clone());
            let join = self.split().map_or(join.clone(), |split| join.across(split));
            let _stage = Stage::begin(self.progress, "indexing", 0);
            Ok(JobSource::Texts(join.prepare(texts.clone())))
        });
        self.find_best(levels, most, |_| 0, rank, |(common, a, b)| SetPair { a, b, common })
    }

    /// Tries one source after another until one has `most` pairs. Each source has all pairs of the ones before and less similar ones.
    /// `own(document)` is the number of a pair of equal documents.
    fn find_best<'a, R: Ord + Send>(
        &self,
        levels: impl Iterator<Item = Result<JobSource<'a>, Error>>,
        most: usize,
        own: impl Fn(u32) -> u32,
        rank: impl Fn(SetPair) -> Option<R> + Copy + Send,
        pair: impl Fn(R) -> SetPair,
    ) -> Result<(Found, Searched), Error> {
        let (mut prepare, mut join) = (Duration::ZERO, Duration::ZERO);
        let mut levels = levels.peekable();
        loop {
            let start = Instant::now();
            let Some(source) = levels.next() else {
                return Err(Error::Usage("there are no documents to compare".to_string()));
            };
            let mut source = source?;
            let (members, distinct_sets) = self.members(&source);
            prepare += start.elapsed();
            let best = Mutex::new(Best::new(most, &members, &self.sides, rank));
            let locked = || best.lock().unwrap_or_else(PoisonError::into_inner);
            if !self.distinct {
                locked().offer_equal(&own);
            }
            let start = Instant::now();
            let counts = self.join(&mut source, |some| {
                let mut best = locked();
                some.iter().for_each(|pair| best.offer(pair));
            })?;
            join += start.elapsed();
            let best = best.into_inner().unwrap_or_else(PoisonError::into_inner).into_sorted();
            if best.len() >= most || levels.peek().is_none() {
                let (described, signed, memory) = (source.describe(), source.report(), source.memory(self.collector));
                let pairs = Hits::Ranked(best.into_iter().map(pair).collect());
                let found = Found { pairs, values: source.into_values() };
                return Ok((found, Searched { described, counts, distinct_sets, memory, prepare, join, signed }));
            }
        }
    }
}

/// A pair, ordered by rank: the smaller, the better.
struct Ranked {
    pair: SetPair,
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
