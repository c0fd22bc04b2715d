//! How do texts or sets become a corpus?

use std::sync::Arc;

use super::corpus::{Corpus, cores, watching};
use super::error::Error;
use crate::measure::Measure;
use crate::progress::{Handle, Stage};
use crate::sets::{BATCH, Batched, SetArena, SetStore, hash_token};
#[cfg(feature = "text")]
use {
    crate::join::JoinError,
    crate::sets::{Recipe, SetBatch, SetBlock, SetMaker},
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
    handle: Option<Handle>,
}

/// The stage of making sets.
pub(super) const MAKING: &str = "making sets";
/// Texts that each thread converts to sets at a time.
#[cfg(feature = "text")]
const TEXTS: usize = 4096;
/// Texts between two reports of progress.
#[cfg(feature = "text")]
const OFTEN: usize = 32;

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

    /// Reports the making of the corpus to this handle, which can cancel it. Calls of the corpus do not report to it: see
    /// [`Corpus::watched_by`].
    ///
    /// ```
    /// use lookalike::{Corpus, Error, Handle};
    ///
    /// let handle = Handle::new();
    /// handle.cancel();
    /// let corpus = Corpus::builder().watched_by(&handle).from_texts(["a text", "another text"]);
    /// assert_eq!(corpus.err(), Some(Error::Cancelled));
    /// ```
    pub fn watched_by(mut self, handle: &Handle) -> CorpusBuilder {
        self.handle = Some(handle.clone());
        self
    }

    /// Makes a corpus of texts.
    #[cfg(feature = "text")]
    pub fn from_texts<T: AsRef<str> + Sync>(self, texts: impl IntoIterator<Item = T>) -> Result<Corpus, Error> {
        let empty = CorpusBuilder { ids: None, ..self.clone() }.finish(SetStore::default())?;
        let corpus = Corpus { handle: self.handle.clone(), ..empty };
        let mut texts = texts.into_iter();
        let stage = Stage::begin(corpus.progress(), MAKING, known_size(&texts));
        let (mut arenas, mut blocks) = (Vec::new(), Vec::new());
        loop {
            stage.check()?;
            let some: Vec<T> = texts.by_ref().take(TEXTS * corpus.threads).collect();
            if some.is_empty() {
                break;
            }
            let first = arenas.len();
            let share = some.len().div_ceil(corpus.threads);
            let make = |(number, texts): (usize, &[T])| -> Result<(SetArena, SetBlock), JoinError> {
                let (mut maker, mut batch) = (SetMaker::new(self.recipe), SetBatch::default());
                for some in texts.chunks(OFTEN) {
                    stage.check()?;
                    some.iter().try_for_each(|text| batch.push(maker.set(text.as_ref())))?;
                    stage.add(some.len());
                }
                let mut arena = SetArena::new(first + number).first_slab(1);
                let block = arena.put(&batch)?;
                Ok((arena, block))
            };
            // For a few texts, starting threads costs more than it saves.
            let made: Vec<(SetArena, SetBlock)> = match some.len() {
                ..=64 => some.chunks(share).enumerate().map(make).collect::<Result<_, JoinError>>()?,
                _ => corpus.run(|| some.par_chunks(share).enumerate().map(make).collect::<Result<_, JoinError>>())?,
            };
            for (arena, block) in made {
                arenas.push(arena);
                blocks.push(block);
            }
        }
        self.finish(SetStore::new(arenas, blocks)?)
    }

    /// Makes a corpus of sets of numbers. The order of the numbers does not matter, and repeated numbers count once.
    pub fn from_sets<S: IntoIterator<Item = u64>>(self, sets: impl IntoIterator<Item = S>) -> Result<Corpus, Error> {
        let sets = sets.into_iter();
        let handle = self.handle.clone();
        let stage = Stage::begin(watching(handle.as_ref()), MAKING, known_size(&sets));
        let (mut batched, mut set) = (Batched::new(SetArena::new(0), BATCH), Vec::new());
        for numbers in sets {
            stage.check()?;
            set.clear();
            set.extend(numbers);
            set.sort_unstable();
            set.dedup();
            batched.push(&set)?;
            stage.add(1);
        }
        let (arena, blocks) = batched.finish()?;
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

    /// Makes a corpus of sets that are in a store. This is not a long call.
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

/// Returns how many items an iterator has, or 0 if it does not know.
fn known_size(items: &impl Iterator) -> usize {
    let (least, most) = items.size_hint();
    if most == Some(least) { least } else { 0 }
}
