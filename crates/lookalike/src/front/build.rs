//! How do texts or sets become a corpus?

use std::sync::Arc;

use super::corpus::{Corpus, cores};
use super::error::Error;
use crate::measure::Measure;
use crate::sets::{SetArena, SetBatch, SetStore, hash_token};
#[cfg(feature = "text")]
use {
    crate::sets::{Recipe, SetBlock, SetMaker, SetsError},
    crate::text::Case,
    crate::tokens::Tokens,
    rayon::prelude::*,
};

impl Corpus {
    /// Makes a corpus of texts with the default settings: shingles of five words, case folded, compared by Jaccard.
    #[cfg(feature = "text")]
    pub fn from_texts<T: AsRef<str> + Sync>(texts: impl IntoIterator<Item = T>) -> Result<Corpus, Error> {
        Corpus::builder().from_texts(texts)
    }

    /// Makes a corpus of your own sets of numbers. The order of the numbers does not matter, and repeated numbers count
    /// once. If your tokens are strings, use [`CorpusBuilder::from_token_sets`].
    ///
    /// ```
    /// let corpus = lookalike::Corpus::from_sets([vec![1, 2, 3, 4], vec![4, 3, 2], vec![7, 8]])?;
    /// assert_eq!(corpus.pairs("3/4")?.len(), 1);
    /// # Ok::<(), lookalike::Error>(())
    /// ```
    pub fn from_sets<S: IntoIterator<Item = u64>>(sets: impl IntoIterator<Item = S>) -> Result<Corpus, Error> {
        Corpus::builder().from_sets(sets)
    }

    /// Returns a builder, to change the default settings.
    pub fn builder() -> CorpusBuilder {
        CorpusBuilder::default()
    }
}

/// The settings of a [`Corpus`].
///
/// ```
/// use lookalike::{Corpus, Measure};
///
/// let corpus = Corpus::builder()
///     .tokens("chars:3".parse()?)
///     .measure(Measure::Cosine)
///     .ids(["a7", "b2"])
///     .from_texts(["Jan de Vries", "Jan de Fries"])?;
/// assert_eq!(corpus.id(1), "b2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct CorpusBuilder {
    #[cfg(feature = "text")]
    recipe: Recipe,
    measure: Measure,
    threads: Option<usize>,
    ids: Option<Vec<String>>,
}

/// Elements in a batch of sets.
const BATCH: usize = 1 << 20;
/// Texts that each thread converts to sets at a time.
#[cfg(feature = "text")]
const TEXTS: usize = 4096;

impl CorpusBuilder {
    /// Sets what a document's set is made of (default `words:5`).
    #[cfg(feature = "text")]
    pub fn tokens(mut self, tokens: Tokens) -> CorpusBuilder {
        self.recipe.tokens = tokens;
        self
    }

    /// Sets whether upper and lower case differ (by default they do not).
    #[cfg(feature = "text")]
    pub fn case(mut self, case: Case) -> CorpusBuilder {
        self.recipe.case = case;
        self
    }

    /// Sets whether the second occurrence of a shingle is a separate element (by default it is not).
    #[cfg(feature = "text")]
    pub fn bag(mut self, bag: bool) -> CorpusBuilder {
        self.recipe.bag = bag;
        self
    }

    /// Sets how documents are compared (default Jaccard).
    pub fn measure(mut self, measure: Measure) -> CorpusBuilder {
        self.measure = measure;
        self
    }

    /// Sets the number of threads (default: one per core).
    pub fn threads(mut self, threads: usize) -> CorpusBuilder {
        self.threads = Some(threads.max(1));
        self
    }

    /// Sets the ids of the documents, in the order of the documents.
    pub fn ids<I: Into<String>>(mut self, ids: impl IntoIterator<Item = I>) -> CorpusBuilder {
        self.ids = Some(ids.into_iter().map(Into::into).collect());
        self
    }

    /// Makes a corpus of texts.
    #[cfg(feature = "text")]
    pub fn from_texts<T: AsRef<str> + Sync>(self, texts: impl IntoIterator<Item = T>) -> Result<Corpus, Error> {
        let corpus = CorpusBuilder { ids: None, ..self.clone() }.finish(SetStore::default())?;
        let mut texts = texts.into_iter();
        let (mut arenas, mut blocks) = (Vec::new(), Vec::new());
        loop {
            let some: Vec<T> = texts.by_ref().take(TEXTS * corpus.threads).collect();
            if some.is_empty() {
                break;
            }
            let first = arenas.len();
            let share = some.len().div_ceil(corpus.threads);
            let make = |(number, texts): (usize, &[T])| -> Result<(SetArena, SetBlock), SetsError> {
                let (mut maker, mut batch) = (SetMaker::new(self.recipe), SetBatch::default());
                texts.iter().try_for_each(|text| batch.push(maker.set(text.as_ref())))?;
                let mut arena = SetArena::new(first + number).first_slab(1);
                let block = arena.put(&batch)?;
                Ok((arena, block))
            };
            // For a few texts, starting threads costs more than it saves.
            let made: Result<Vec<(SetArena, SetBlock)>, SetsError> = match some.len() {
                ..=64 => some.chunks(share).enumerate().map(make).collect(),
                _ => corpus.run(|| Ok(some.par_chunks(share).enumerate().map(make).collect()))?,
            };
            for (arena, block) in made? {
                arenas.push(arena);
                blocks.push(block);
            }
        }
        self.finish(SetStore::new(arenas, blocks)?)
    }

    /// Makes a corpus of sets of numbers. The order of the numbers does not matter, and repeated numbers count once.
    pub fn from_sets<S: IntoIterator<Item = u64>>(self, sets: impl IntoIterator<Item = S>) -> Result<Corpus, Error> {
        let (mut batch, mut arena, mut blocks, mut elements) = (SetBatch::default(), SetArena::new(0), Vec::new(), 0);
        let mut set: Vec<u64> = Vec::new();
        for numbers in sets {
            set.clear();
            set.extend(numbers);
            set.sort_unstable();
            set.dedup();
            batch.push(&set)?;
            elements += set.len();
            if elements >= BATCH {
                blocks.push(arena.put(&batch)?);
                batch.clear();
                elements = 0;
            }
        }
        blocks.push(arena.put(&batch)?);
        self.finish(SetStore::new(vec![arena], blocks)?)
    }

    /// Makes a corpus of sets of tokens. The order of the tokens does not matter, and repeated tokens count once.
    ///
    /// ```
    /// let baskets = [vec!["bread", "milk", "eggs"], vec!["nails"], vec!["milk", "bread", "eggs", "tea"]];
    /// let corpus = lookalike::Corpus::builder().from_token_sets(baskets)?;
    /// let pair = corpus.pairs(0.6)?.next().expect("a pair");
    /// assert_eq!((pair.a, pair.b, pair.similarity), (0, 2, 0.75));
    /// # Ok::<(), lookalike::Error>(())
    /// ```
    pub fn from_token_sets<T, S>(self, sets: impl IntoIterator<Item = S>) -> Result<Corpus, Error>
    where
        T: AsRef<[u8]>,
        S: IntoIterator<Item = T>,
    {
        let hashed = |set: S| set.into_iter().map(|token| hash_token(token.as_ref())).collect::<Vec<u64>>();
        self.from_sets(sets.into_iter().map(hashed))
    }

    /// Makes a corpus of sets that are in a store.
    pub fn from_store(self, sets: SetStore) -> Result<Corpus, Error> {
        self.finish(sets)
    }

    fn finish(self, sets: SetStore) -> Result<Corpus, Error> {
        let documents = sets.len();
        let threads = self.threads.unwrap_or_else(cores);
        if let Some(ids) = self.ids.as_ref().filter(|ids| ids.len() != documents) {
            return Err(Error::Ids { ids: ids.len(), documents });
        }
        let ids = self.ids.map(Arc::new);
        Ok(Corpus { sets: Arc::new(sets), ids, keys: None, measure: self.measure, threads, handle: None })
    }
}
