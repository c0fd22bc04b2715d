//! Which documents of a corpus are pairs?

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use super::bounded::Bounded;
use super::corpus::Corpus;
use super::error::Error;
use super::value::ThresholdValue;
use crate::join::{Join, JoinError, Joinable, Pair as SetPair, PairSource};
use crate::measure::{Measure, Threshold};
use crate::progress::Stage;
use crate::sets::{Groups, SetStore};

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

impl Pair {
    /// Converts a pair that a join of these sets found. The sets and the threshold of the join give its similarity.
    ///
    /// Signatures find pairs without a similarity. To convert one of those, count its common elements first:
    ///
    /// ```
    /// use lookalike::engine::{SetPair, SetStore, common};
    /// use lookalike::{Measure, Pair, Threshold};
    ///
    /// let sets = SetStore::of_sets([vec![1, 2, 3, 4], vec![2, 3, 4]])?;
    /// let threshold = Threshold::new(Measure::Jaccard, "0.7")?;
    /// let (a, b) = (0, 1);
    /// let pair = Pair::of(SetPair { a, b, common: common(sets.set(a), sets.set(b)) }, &sets, &threshold);
    /// assert_eq!((pair.a, pair.b, pair.similarity), (0, 1, 0.75));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// If there is no such document.
    pub fn of(pair: SetPair, sets: &SetStore, threshold: &Threshold) -> Pair {
        let SetPair { a, b, common } = pair;
        Pair {
            a: a as usize,
            b: b as usize,
            similarity: threshold.similarity(common, sets.size(a), sets.size(b)),
            common: common as usize,
        }
    }
}

/// Pairs, in the order of the call that found them. Their similarities are computed as you ask for them: a pair takes 12 bytes.
#[derive(Clone)]
pub struct Pairs {
    pairs: std::vec::IntoIter<SetPair>,
    sets: Arc<SetStore>,
    threshold: Threshold,
    split: usize,
}

impl Iterator for Pairs {
    type Item = Pair;

    fn next(&mut self) -> Option<Pair> {
        let pair = Pair::of(self.pairs.next()?, &self.sets, &self.threshold);
        // Documents from `split` on belong to the second corpus.
        Some(Pair { b: pair.b - self.split, ..pair })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.pairs.size_hint()
    }
}

impl fmt::Debug for Pairs {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} pairs", self.len())
    }
}

impl ExactSizeIterator for Pairs {}

/// Options of [`Corpus::pairs_with`] and [`Corpus::top`].
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct PairOptions {
    with: Option<Corpus>,
    distinct: bool,
    limit: Option<u32>,
    most: Option<usize>,
}

impl PairOptions {
    /// Returns the defaults: all pairs of one corpus.
    pub fn new() -> PairOptions {
        PairOptions::default()
    }

    /// Finds pairs of a document of this corpus and one of another corpus with the same settings.
    pub fn with(self, other: &Corpus) -> PairOptions {
        PairOptions { with: Some(other.clone()), ..self }
    }

    /// Finds only pairs of different sets, with the first document of each set.
    pub fn distinct(self) -> PairOptions {
        PairOptions { distinct: true, ..self }
    }

    /// Leaves out a pair if one of its documents already has `most` pairs, in order.
    pub fn limit_per_document(self, most: u32) -> PairOptions {
        PairOptions { limit: Some(most), ..self }
    }

    /// Fails with [`Error::TooManyPairs`] as soon as more than `most` pairs are found, before they fill the memory. While a call runs, a
    /// pair takes up to 24 bytes.
    pub fn at_most(self, most: usize) -> PairOptions {
        PairOptions { most: Some(most), ..self }
    }
}

impl Corpus {
    /// Finds every pair of documents that reach the threshold, in order. Identical documents are pairs too. Empty
    /// documents are in no pair.
    pub fn pairs(&self, threshold: impl ThresholdValue) -> Result<Pairs, Error> {
        self.pairs_with(threshold, PairOptions::new())
    }

    /// Finds every pair of a document of this corpus and one of another corpus with the same settings.
    ///
    /// ```
    /// let corpus = |texts: [&str; 2]| lookalike::Corpus::builder().tokens(lookalike::Tokens::Raw).from_texts(texts);
    /// let (new, archive) = (corpus(["a b c", "x y"])?, corpus(["p q", "c b a"])?);
    /// let found: Vec<_> = new.pairs_between(&archive, 0.9)?.map(|pair| (pair.a, pair.b)).collect();
    /// assert_eq!(found, [(0, 1)]);
    /// # Ok::<(), lookalike::Error>(())
    /// ```
    pub fn pairs_between(&self, other: &Corpus, threshold: impl ThresholdValue) -> Result<Pairs, Error> {
        self.pairs_with(threshold, PairOptions::new().with(other))
    }

    /// Like [`Corpus::pairs`], with options.
    pub fn pairs_with(&self, threshold: impl ThresholdValue, options: PairOptions) -> Result<Pairs, Error> {
        let threshold = self.threshold(threshold)?;
        let searched = self.searched(&options)?;
        self.run(|| {
            let mut joinable = self.prepare(searched.join(threshold), searched.sets.clone())?;
            let bounded = Bounded::new(self.progress(), searched.most);
            let stage = Stage::begin(&bounded, "joining", joinable.work());
            let all = Mutex::new(Vec::new());
            let joined = joinable.pairs(&stage, &|some: &[SetPair]| {
                let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
                if bounded.allows(all.len() + some.len()) {
                    all.extend_from_slice(some);
                }
            });
            bounded.check()?;
            joined?;
            let found = all.into_inner().unwrap_or_else(PoisonError::into_inner);
            let pairs = searched.expand(&joinable, found, &stage)?;
            Ok::<Pairs, JoinError>(searched.named(pairs, &threshold))
        })
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
                .pairs(&stage, &|some| some.iter().for_each(|&pair| each(Pair::of(pair, sets, &threshold))))
                .map(|_| ())
        })
    }

    /// Appends the sets of another corpus to those of this one.
    pub(super) fn with_sets_of(&self, other: &Corpus) -> Result<Arc<SetStore>, Error> {
        if self.measure != other.measure {
            return Err(Error::Measures { one: self.measure.name(), two: other.measure.name() });
        }
        if self.keys.is_some() != other.keys.is_some() && !self.is_empty() && !other.is_empty() {
            return Err(Error::OneWithin);
        }
        Ok(Arc::new(SetStore::joined(&self.sets, &other.sets)?))
    }

    /// Returns what a search with these options looks at.
    pub(super) fn searched(&self, options: &PairOptions) -> Result<Searched, Error> {
        let (sets, keys, split) = match &options.with {
            None => (self.sets.clone(), self.keys.as_deref().cloned(), None),
            Some(other) => (self.with_sets_of(other)?, self.keys_and(other), Some(self.len())),
        };
        let firsts = options.distinct.then(|| {
            let groups = |range: Range<u32>| Groups::of_equal_sets(&sets, &range.collect::<Vec<u32>>());
            let (documents, split) = (sets.len() as u32, split.unwrap_or(sets.len()) as u32);
            let (one, two) = (groups(0..split), groups(split..documents));
            (0..documents).map(|document| if document < split { &one } else { &two }.is_first(document)).collect()
        });
        let keys = keys.filter(|_| self.measure == Measure::Hamming);
        let most = options.most.unwrap_or(usize::MAX);
        Ok(Searched { sets, split, keys, firsts, limit: options.limit, most })
    }

    /// Returns the keys of both corpora, if they have any.
    fn keys_and(&self, other: &Corpus) -> Option<Vec<u64>> {
        let (one, two) = (self.keys.as_ref()?, other.keys.as_ref()?);
        Some(one.iter().chain(two.iter()).copied().collect())
    }
}

/// What a search looks at.
pub(super) struct Searched {
    pub(super) sets: Arc<SetStore>,
    /// Documents from here on belong to the second corpus, if there is one.
    split: Option<usize>,
    /// Keys that must be equal in a pair. Only a distance needs them: under it, small sets are close though they share nothing.
    keys: Option<Vec<u64>>,
    /// By document, whether it is the first with its set, if only those are wanted.
    firsts: Option<Vec<bool>>,
    limit: Option<u32>,
    /// The maximum number of pairs.
    most: usize,
}

impl Searched {
    pub(super) fn join(&self, threshold: Threshold) -> Join {
        let join = Join::new(threshold);
        self.split.map_or(join.clone(), |split| join.across(split as u32))
    }

    /// Expands pairs of representatives to all wanted pairs of documents, in order.
    pub(super) fn expand(
        &self,
        joinable: &Joinable,
        found: Vec<SetPair>,
        stage: &Stage,
    ) -> Result<Vec<SetPair>, JoinError> {
        let can_be = |document: u32| self.firsts.as_ref().is_none_or(|firsts| firsts[document as usize]);
        joinable.expand_wanted(found, can_be, |pair| self.wants(pair), self.most, stage)
    }

    /// Calls `put` with wanted pairs of documents, among which are the `most` best.
    pub(super) fn expand_first(
        &self,
        joinable: &Joinable,
        found: &[SetPair],
        most: usize,
        put: impl FnMut(SetPair),
        stage: &Stage,
    ) -> Result<(), JoinError> {
        let can_be = |document: u32| self.firsts.as_ref().is_none_or(|firsts| firsts[document as usize]);
        joinable.expand_first(found, can_be, |pair| self.wants(pair), most, put, stage)
    }

    /// Returns whether a pair that reaches the threshold is wanted.
    fn wants(&self, &SetPair { a, b, common }: &SetPair) -> bool {
        let is_first = |document: u32| self.firsts.as_ref().is_none_or(|firsts| firsts[document as usize]);
        let are_equal = common == self.sets.size(a) && common == self.sets.size(b);
        self.keys.as_ref().is_none_or(|keys| keys[a as usize] == keys[b as usize])
            && is_first(a)
            && is_first(b)
            && !(self.firsts.is_some() && are_equal)
    }

    /// Makes pairs with their similarities, as many as the limit allows.
    pub(super) fn named(&self, mut pairs: Vec<SetPair>, threshold: &Threshold) -> Pairs {
        let mut counts = vec![0; if self.limit.is_some() { self.sets.len() } else { 0 }];
        let mut is_allowed = |pair: &SetPair| {
            let Some(most) = self.limit else { return true };
            let (a, b) = (pair.a as usize, pair.b as usize);
            let is_allowed = counts[a] < most && counts[b] < most;
            counts[a] += u32::from(is_allowed);
            counts[b] += u32::from(is_allowed);
            is_allowed
        };
        pairs.retain(&mut is_allowed);
        let split = self.split.unwrap_or(0);
        Pairs { pairs: pairs.into_iter(), sets: self.sets.clone(), threshold: *threshold, split }
    }
}
