//! Which documents of a corpus are pairs?

use std::sync::{Arc, Mutex, PoisonError};

use super::corpus::Corpus;
use super::error::Error;
use super::value::ThresholdValue;
use crate::join::{Join, JoinError, Pair as SetPair, PairSource};
use crate::measure::Threshold;
use crate::progress::Stage;
use crate::sets::SetStore;

/// Two documents that reach the threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Pair {
    /// The number of the first document. It is less than `b`, unless the two are from different corpora.
    pub a: usize,
    /// The number of the second document, in the second corpus if there are two.
    pub b: usize,
    /// Their exact similarity, or their distance if the measure is one.
    pub similarity: f64,
    /// How many elements they share.
    pub common: usize,
}

/// All pairs, ordered by their documents.
#[derive(Clone, Debug)]
pub struct Pairs(std::vec::IntoIter<Pair>);

impl Iterator for Pairs {
    type Item = Pair;

    fn next(&mut self) -> Option<Pair> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for Pairs {}

impl Corpus {
    /// Finds every pair of documents that reach the threshold, in order. Identical documents are pairs too. Empty
    /// documents are in no pair.
    pub fn pairs(&self, threshold: impl ThresholdValue) -> Result<Pairs, Error> {
        let threshold = self.threshold(threshold)?;
        self.find(self.sets.clone(), Join::new(threshold), threshold, 0)
    }

    /// Finds every pair of a document of this corpus and one of another corpus with the same settings.
    ///
    /// ```
    /// let corpus = |texts: [&str; 2]| lookalike::Corpus::builder().tokens(lookalike::Tokens::Raw).from_texts(texts);
    /// let (new, archive) = (corpus(["a b c", "x y"])?, corpus(["p q", "c b a"])?);
    /// let found: Vec<_> = new.pairs_with(&archive, 0.9)?.map(|pair| (pair.a, pair.b)).collect();
    /// assert_eq!(found, [(0, 1)]);
    /// # Ok::<(), lookalike::Error>(())
    /// ```
    pub fn pairs_with(&self, other: &Corpus, threshold: impl ThresholdValue) -> Result<Pairs, Error> {
        let threshold = self.threshold(threshold)?;
        let split = self.len();
        let sets = self.with_sets_of(other)?;
        self.find(sets, Join::new(threshold).across(split as u32), threshold, split)
    }

    /// Calls `each` with every pair, in no particular order and from any thread, without holding all pairs in memory.
    /// Only the first of identical documents appears, so every pair has two different sets.
    pub fn for_each_pair(&self, threshold: impl ThresholdValue, each: impl Fn(Pair) + Sync) -> Result<(), Error> {
        let threshold = self.threshold(threshold)?;
        self.run(|| {
            let mut joinable = self.prepare(Join::new(threshold), self.sets.clone())?;
            let stage = Stage::begin(self.progress(), "joining", joinable.work());
            let sets = &self.sets;
            joinable
                .pairs(&stage, &|some| some.iter().for_each(|pair| each(named(pair, sets, &threshold, 0))))
                .map(|_| ())
        })
    }

    /// Appends the sets of another corpus to those of this one.
    pub(super) fn with_sets_of(&self, other: &Corpus) -> Result<Arc<SetStore>, Error> {
        if self.measure != other.measure {
            return Err(Error::Measures { one: self.measure.name(), two: other.measure.name() });
        }
        Ok(Arc::new(SetStore::joined(&self.sets, &other.sets)?))
    }

    fn find(&self, sets: Arc<SetStore>, join: Join, threshold: Threshold, split: usize) -> Result<Pairs, Error> {
        self.run(|| {
            let mut joinable = self.prepare(join, sets.clone())?;
            let stage = Stage::begin(self.progress(), "joining", joinable.work());
            let all = Mutex::new(Vec::new());
            let emit = |some: &[SetPair]| all.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(some);
            joinable.pairs(&stage, &emit)?;
            let found = all.into_inner().unwrap_or_else(PoisonError::into_inner);
            let pairs: Vec<Pair> =
                joinable.expand(&found).iter().map(|pair| named(pair, &sets, &threshold, split)).collect();
            Ok::<Pairs, JoinError>(Pairs(pairs.into_iter()))
        })
    }
}

/// Makes a pair with its similarity. Documents from `split` on belong to the second corpus.
fn named(pair: &SetPair, sets: &SetStore, threshold: &Threshold, split: usize) -> Pair {
    let &SetPair { a, b, common } = pair;
    Pair {
        a: a as usize,
        b: b as usize - split,
        similarity: threshold.similarity(common, sets.size(a), sets.size(b)),
        common: common as usize,
    }
}
