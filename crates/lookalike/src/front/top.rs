//! Which pairs of a corpus are the most similar?

use std::cmp::Ordering;
use std::sync::{Mutex, PoisonError};

use super::corpus::Corpus;
use super::error::Error;
use super::pairs::{PairOptions, Pairs, Searched};
use crate::join::{JoinError, Pair as SetPair, PairSource};
use crate::measure::{Measure, Threshold, descending};
use crate::progress::Stage;

impl Corpus {
    /// Finds the `most` most similar pairs that share an element, the most similar first. Order breaks ties.
    ///
    /// ```
    /// let corpus = lookalike::Corpus::from_sets([vec![1, 2, 3], vec![7, 8], vec![1, 2], vec![3]])?;
    /// let top: Vec<_> = corpus.top(2, Default::default())?.map(|pair| (pair.a, pair.b, pair.similarity)).collect();
    /// assert_eq!(top, [(0, 2, 2.0 / 3.0), (0, 3, 1.0 / 3.0)]);
    /// # Ok::<(), lookalike::Error>(())
    /// ```
    pub fn top(&self, most: usize, options: PairOptions) -> Result<Pairs, Error> {
        let searched = self.searched(&options)?;
        let sets = &searched.sets;
        let largest = (0..sets.len() as u32).map(|document| sets.size(document)).max().unwrap_or(0);
        // A join is fast if its threshold is high. All pairs that reach one are more similar than those that do not.
        let mut thresholds = descending(self.measure, largest).into_iter().peekable();
        while let Some(threshold) = thresholds.next() {
            let best = self.best(&searched, threshold, most)?;
            if best.len() >= most || thresholds.peek().is_none() {
                return Ok(searched.named(best, &threshold));
            }
        }
        unreachable!("every measure has a threshold")
    }

    /// Returns the `most` most similar pairs that reach a threshold.
    fn best(&self, searched: &Searched, threshold: Threshold, most: usize) -> Result<Vec<SetPair>, Error> {
        let by_rank = |one: &SetPair, two: &SetPair| self.by_rank(searched, one, two);
        self.run(|| {
            let mut joinable = self.prepare(searched.join(threshold), searched.sets.clone())?;
            let stage = Stage::begin(self.progress(), "joining", joinable.work());
            let found = Mutex::new(Vec::new());
            // Each pair of representatives stands for at least one pair of documents, so the best of them are enough.
            joinable.pairs(&stage, &|some: &[SetPair]| {
                let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                found.extend_from_slice(some);
                if found.len() > 2 * most.max(SPARE) {
                    keep_best(&mut found, most.max(SPARE), by_rank);
                }
            })?;
            let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
            keep_best(&mut found, most.max(SPARE), by_rank);
            let mut pairs = Vec::new();
            let put = |pair: SetPair| {
                pairs.extend((pair.common > 0).then_some(pair));
                if pairs.len() > 2 * most.max(SPARE) {
                    keep_best(&mut pairs, most.max(SPARE), by_rank);
                }
            };
            searched.expand_first(&joinable, &found, most, put, &stage)?;
            keep_best(&mut pairs, most, by_rank);
            pairs.sort_unstable_by(by_rank);
            Ok::<Vec<SetPair>, JoinError>(pairs)
        })
    }

    /// Compares two pairs: the more similar comes first, then the earlier.
    fn by_rank(&self, searched: &Searched, one: &SetPair, two: &SetPair) -> Ordering {
        let counts = |pair: &SetPair| (pair.common, searched.sets.size(pair.a), searched.sets.size(pair.b));
        Measure::compare(self.measure, counts(two), counts(one)).then(one.cmp(two))
    }
}

/// Pairs that are kept in any case, so that a small number does not cause a selection every few pairs.
const SPARE: usize = 1 << 16;

/// Keeps the first pairs in an order, in no particular order.
fn keep_best(pairs: &mut Vec<SetPair>, most: usize, by_rank: impl Fn(&SetPair, &SetPair) -> Ordering) {
    if pairs.len() > most {
        if most > 0 {
            pairs.select_nth_unstable_by(most - 1, by_rank);
        }
        pairs.truncate(most);
    }
}
