//! A collection that grows, of texts with ids.

use std::collections::HashSet;
use std::fmt;

use super::corpus::{Corpus, cores, pool};
use super::error::Error;
use super::value::ThresholdValue;
use crate::index::{FindScratch, MemoryIndex, Settled};
use crate::join::JoinError;
use crate::measure::{Measure, Threshold};
use crate::progress::{Handle, Progress, Silent, Stage};
use crate::sets::{Recipe, SetMaker, SetStore};
use crate::text::Case;
use crate::tokens::Tokens;

/// A collection without near-duplicates that grows: add documents, ask which of them a text resembles, take documents out.
///
/// ```
/// use lookalike::{Index, Settled};
///
/// let mut index = Index::new()?;
/// index.add([("a", "The ferry to the island leaves at nine."), ("b", "Rain in the north.")])?;
/// let settled = index.add([("c", "the ferry to the island leaves at nine")])?;
/// assert_eq!(settled, [Settled::Removed { twin: "a".to_string(), similarity: 1.0, identical: true }]);
/// let matches = index.query("The ferry to the island leaves at nine!")?;
/// assert_eq!((matches[0].id.as_str(), matches[0].similarity), ("a", 1.0));
/// assert!(index.remove("a")? && index.query("The ferry to the island leaves at nine!")?.is_empty());
/// # Ok::<(), lookalike::Error>(())
/// ```
///
/// Adding documents in batches keeps the same documents, with the same twins and similarities, as [`Corpus::dedup`](crate::Corpus::dedup)
/// of all of them in that order. In a folder, `lookalike_io::index` does the same.
///
/// A call that adds documents starts its own threads, and ends them when it returns.
pub struct Index {
    recipe: Recipe,
    index: MemoryIndex,
    threads: usize,
}

/// The settings of an [`Index`].
///
/// ```
/// use lookalike::{Index, Measure};
///
/// let index = Index::builder().tokens("chars:3".parse()?).measure(Measure::Cosine).threshold(0.7).build()?;
/// assert!(index.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct IndexBuilder {
    recipe: Recipe,
    measure: Measure,
    threshold: String,
    threads: Option<usize>,
}

/// A document of an index that a text resembles.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct IndexMatch {
    /// Its id.
    pub id: String,
    /// The exact similarity of the two.
    pub similarity: f64,
}

impl fmt::Debug for Index {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let threshold = self.index.parts().threshold();
        write!(f, "Index of {} documents, {} ≥ {}", self.len(), threshold.measure(), threshold.value())
    }
}

impl Index {
    /// Makes an empty index with the default settings: shingles of five words, case folded, Jaccard ≥ 0.8.
    pub fn new() -> Result<Index, Error> {
        Index::builder().build()
    }

    /// Returns a builder, to change the default settings.
    pub fn builder() -> IndexBuilder {
        IndexBuilder {
            recipe: Recipe::default(),
            measure: Measure::default(),
            threshold: "0.8".to_string(),
            threads: None,
        }
    }

    /// Adds documents, each an id and a text, except those that resemble one that is already there, or an earlier one of these. Returns what
    /// was decided on each. A document replaces the one that has its id. Fails if two of these documents have the same id. If it fails, the
    /// index is as before.
    pub fn add<I, T>(&mut self, documents: impl IntoIterator<Item = (I, T)>) -> Result<Vec<Settled>, Error>
    where
        I: Into<String>,
        T: AsRef<str>,
    {
        self.add_to(documents, &Silent)
    }

    /// Like [`Index::add`], but reports to this handle and can be cancelled by it.
    ///
    /// ```
    /// use lookalike::{Error, Handle, Index};
    ///
    /// let (mut index, handle) = (Index::new()?, Handle::new());
    /// handle.cancel();
    /// assert_eq!(index.add_watched([("a", "Rain in the north.")], &handle), Err(Error::Cancelled));
    /// assert!(index.is_empty());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn add_watched<I, T>(
        &mut self,
        documents: impl IntoIterator<Item = (I, T)>,
        handle: &Handle,
    ) -> Result<Vec<Settled>, Error>
    where
        I: Into<String>,
        T: AsRef<str>,
    {
        self.add_to(documents, handle)
    }

    /// Like [`Index::add`], but takes the documents of a corpus, whose sets are made already, and calls them by these ids. It reports to the
    /// handle of the corpus. Make the corpus with the same tokens, case and bag. If every corpus is one [`within`](Corpus::within) keys, only
    /// documents with equal keys are compared.
    ///
    /// ```
    /// use lookalike::{Corpus, Index};
    ///
    /// let corpus = Corpus::from_texts(["Rain in the north.", "rain in the north"])?;
    /// let mut index = Index::new()?;
    /// index.add_corpus(["a", "b"], &corpus)?;
    /// assert_eq!(index.len(), 1);
    /// assert_eq!(index.query_corpus(&corpus, "0.8")?[1][0].id, "a");
    /// # Ok::<(), lookalike::Error>(())
    /// ```
    pub fn add_corpus<I: Into<String>>(
        &mut self,
        ids: impl IntoIterator<Item = I>,
        corpus: &Corpus,
    ) -> Result<Vec<Settled>, Error> {
        let ids: Vec<String> = ids.into_iter().map(Into::into).collect();
        if ids.len() != corpus.len() {
            return Err(Error::Ids { ids: ids.len(), documents: corpus.len() });
        }
        let mut seen = HashSet::new();
        if let Some(id) = ids.iter().find(|id| !seen.insert(id.as_str())) {
            return Err(Error::RepeatedId { id: id.clone() });
        }
        self.add_sets(&ids, &corpus.sets, corpus.progress())
    }

    fn add_to<I, T>(
        &mut self,
        documents: impl IntoIterator<Item = (I, T)>,
        progress: &dyn Progress,
    ) -> Result<Vec<Settled>, Error>
    where
        I: Into<String>,
        T: AsRef<str>,
    {
        let mut maker = SetMaker::new(self.recipe);
        let (mut ids, mut sets, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
        let stage = Stage::begin(progress, "reading", 0);
        for (id, text) in documents {
            stage.check().map_err(JoinError::from)?;
            let id = id.into();
            if !seen.insert(id.clone()) {
                return Err(Error::RepeatedId { id });
            }
            ids.push(id);
            sets.push(maker.set(text.as_ref()).to_vec());
            stage.add(1);
        }
        drop(stage);
        self.add_sets(&ids, &SetStore::of_sets(sets)?, progress)
    }

    fn add_sets(&mut self, ids: &[String], sets: &SetStore, progress: &dyn Progress) -> Result<Vec<Settled>, Error> {
        Ok(pool(self.threads)?.install(|| self.index.replace(ids, sets, progress))?)
    }

    /// Returns the documents that a text resembles, the most similar first, the earliest of equals first.
    pub fn query(&self, text: &str) -> Result<Vec<IndexMatch>, Error> {
        self.matches(text, self.index.parts().threshold())
    }

    /// Like [`Index::query`], with a higher threshold than that of the index. Fails if it is lower: the index does not find all of those.
    pub fn query_at(&self, text: &str, threshold: impl ThresholdValue) -> Result<Vec<IndexMatch>, Error> {
        self.matches(text, &self.at_least(threshold)?)
    }

    /// Returns for each document of a corpus the documents that it resembles, as [`Index::query_at`] does. It reports to the handle of the
    /// corpus. Make the corpus with the same tokens, case and bag.
    pub fn query_corpus(&self, corpus: &Corpus, threshold: impl ThresholdValue) -> Result<Vec<Vec<IndexMatch>>, Error> {
        let threshold = self.at_least(threshold)?;
        let stage = Stage::begin(corpus.progress(), "asking index", corpus.len());
        let ask = |document| -> Result<Vec<IndexMatch>, Error> {
            stage.check().map_err(JoinError::from)?;
            let found = self.matches_of(corpus.sets.set(document), &threshold)?;
            stage.add(1);
            Ok(found)
        };
        (0..corpus.len() as u32).map(ask).collect()
    }

    /// A threshold of a question: that of the index, or a higher one.
    fn at_least(&self, threshold: impl ThresholdValue) -> Result<Threshold, Error> {
        let lowest = self.index.parts().threshold();
        let asked = Threshold::new(lowest.measure(), &threshold.written())?;
        if asked.value() < lowest.value() {
            let (asked, lowest) = (asked.value().to_string(), lowest.value().to_string());
            return Err(Error::BelowIndex { asked, lowest });
        }
        Ok(asked)
    }

    fn matches(&self, text: &str, threshold: &Threshold) -> Result<Vec<IndexMatch>, Error> {
        self.matches_of(SetMaker::new(self.recipe).set(text), threshold)
    }

    fn matches_of(&self, set: &[u64], threshold: &Threshold) -> Result<Vec<IndexMatch>, Error> {
        let size = set.len() as u32;
        let mut found = Vec::new();
        self.index.find(set, threshold, &mut FindScratch::default(), |id, one| found.push((id.to_string(), one)))?;
        found.sort_by(|(_, one), (_, two)| one.rank(two, threshold, size));
        let similarity = |common: u32, other: u32| threshold.similarity(common, size, other);
        Ok(found.into_iter().map(|(id, one)| IndexMatch { id, similarity: similarity(one.common, one.size) }).collect())
    }

    /// Takes a document out, and returns whether it was there. Documents that were left out because they resemble it stay out.
    pub fn remove(&mut self, id: &str) -> Result<bool, Error> {
        Ok(self.index.remove(id)? > 0)
    }

    /// Returns the number of documents.
    pub fn len(&self) -> usize {
        self.index.parts().len() as usize
    }

    /// Returns whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the bytes of memory that the index occupies.
    ///
    /// ```
    /// let mut index = lookalike::Index::new()?;
    /// assert_eq!(index.memory(), 0);
    /// index.add([("a", "The ferry to the island leaves at nine.")])?;
    /// assert!(index.memory() > 0);
    /// # Ok::<(), lookalike::Error>(())
    /// ```
    pub fn memory(&self) -> usize {
        self.index.parts().parts().iter().map(|part| part.bytes()).sum()
    }
}

impl IndexBuilder {
    /// Sets what a document's set is made of (default `words:5`).
    pub fn tokens(self, tokens: Tokens) -> IndexBuilder {
        IndexBuilder { recipe: Recipe { tokens, ..self.recipe }, ..self }
    }

    /// Sets whether upper and lower case differ (by default they do not).
    pub fn case(self, case: Case) -> IndexBuilder {
        IndexBuilder { recipe: Recipe { case, ..self.recipe }, ..self }
    }

    /// Sets whether the second occurrence of a shingle is a separate element (by default it is not).
    pub fn bag(self, bag: bool) -> IndexBuilder {
        IndexBuilder { recipe: Recipe { bag, ..self.recipe }, ..self }
    }

    /// Sets how documents are compared (default Jaccard). Distances are refused.
    pub fn measure(self, measure: Measure) -> IndexBuilder {
        IndexBuilder { measure, ..self }
    }

    /// Sets the minimum similarity of a near-duplicate, inclusive (default 0.8).
    pub fn threshold(self, threshold: impl ThresholdValue) -> IndexBuilder {
        IndexBuilder { threshold: threshold.written(), ..self }
    }

    /// Sets the number of threads (default: one per core).
    pub fn threads(self, threads: usize) -> IndexBuilder {
        IndexBuilder { threads: Some(threads.max(1)), ..self }
    }

    /// Builds the index, or returns an error if the settings are not valid.
    pub fn build(self) -> Result<Index, Error> {
        let threshold = Threshold::new(self.measure, &self.threshold)?;
        if threshold.is_distance() {
            return Err(Error::Distance { measure: self.measure.name() });
        }
        let threads = self.threads.unwrap_or_else(cores);
        Ok(Index { recipe: self.recipe, index: MemoryIndex::new(threshold), threads })
    }
}
