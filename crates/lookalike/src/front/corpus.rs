//! What is a corpus?

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use super::error::Error;
use super::value::ThresholdValue;
use crate::join::{Join, JoinError, Joinable};
use crate::measure::{Measure, Threshold};
use crate::progress::{Handle, Progress, Silent, Stage};
use crate::sets::SetStore;
use crate::verify::common;

/// Documents and their sets, ready to be compared.
///
/// ```
/// use lookalike::Corpus;
///
/// let corpus = Corpus::from_texts([
///     "The ferry to the island leaves at nine in the morning.",
///     "Rain is expected in the north.",
///     "The ferry to the island leaves at nine in the morning!",
/// ])?;
/// let result = corpus.dedup(0.8)?;
/// assert_eq!(result.kept().collect::<Vec<_>>(), [0, 1]);
/// for removed in result.removed() {
///     println!("{} resembles {} ({:.3})", removed.document, removed.twin, removed.similarity);
/// }
/// for pair in corpus.pairs("2/3")? {
///     assert_eq!((pair.a, pair.b, pair.similarity), (0, 2, 1.0));
/// }
/// # Ok::<(), lookalike::Error>(())
/// ```
///
/// Documents are numbered from 0, in the order in which you gave them. A corpus keeps the sets, so a second call with
/// another threshold repeats only the comparison. Cloning is cheap: clones share their sets. Every call starts its own
/// threads, and ends them when it returns.
#[derive(Clone)]
pub struct Corpus {
    pub(super) sets: Arc<SetStore>,
    pub(super) ids: Option<Arc<Vec<String>>>,
    /// Hashes of the keys that must be equal in a pair.
    pub(super) keys: Option<Arc<Vec<u64>>>,
    pub(super) measure: Measure,
    pub(super) threads: usize,
    pub(super) handle: Option<Handle>,
}

impl fmt::Debug for Corpus {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Corpus of {} documents, {}", self.len(), self.measure)
    }
}

impl Corpus {
    /// Returns the same corpus, but its calls report to this handle and can be cancelled by it.
    pub fn watched_by(&self, handle: &Handle) -> Corpus {
        Corpus { handle: Some(handle.clone()), ..self.clone() }
    }

    /// Returns the number of documents.
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Returns whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns how documents are compared.
    pub fn measure(&self) -> Measure {
        self.measure
    }

    /// Returns the id of a document: yours, if you gave ids, otherwise its number.
    ///
    /// # Panics
    ///
    /// If there is no such document.
    pub fn id(&self, document: usize) -> Cow<'_, str> {
        assert!(document < self.len(), "document {document} of {}", self.len());
        match &self.ids {
            Some(ids) => Cow::Borrowed(&ids[document]),
            None => Cow::Owned(document.to_string()),
        }
    }

    /// Returns the size of a document's set. It is 0 if the document has no tokens; such a document resembles nothing.
    ///
    /// # Panics
    ///
    /// If there is no such document.
    pub fn size(&self, document: usize) -> usize {
        self.sets.size(document as u32) as usize
    }

    /// Returns how many elements two documents share.
    ///
    /// # Panics
    ///
    /// If there is no such document.
    pub fn common(&self, a: usize, b: usize) -> usize {
        common(self.sets.set(a as u32), self.sets.set(b as u32)) as usize
    }

    /// Returns the bytes of memory that the sets occupy.
    pub fn memory(&self) -> usize {
        let elements: usize = (0..self.len()).map(|document| self.size(document)).sum();
        // Besides its elements, a set has a place and a hash.
        8 * elements + 32 * self.len()
    }

    /// Returns how the documents would be compared, and why, in a few words.
    pub fn plan(&self, threshold: impl ThresholdValue) -> Result<String, Error> {
        let threshold = self.threshold(threshold)?;
        self.run(|| Ok(self.prepare(Join::new(threshold), self.sets.clone())?.plan().to_string()))
    }

    pub(super) fn threshold(&self, value: impl ThresholdValue) -> Result<Threshold, Error> {
        Ok(Threshold::new(self.measure, &value.written())?)
    }

    pub(super) fn progress(&self) -> &dyn Progress {
        watching(self.handle.as_ref())
    }

    /// Runs a call on its own threads.
    pub(super) fn run<T: Send>(&self, call: impl FnOnce() -> Result<T, JoinError> + Send) -> Result<T, Error> {
        Ok(pool(self.threads)?.install(call)?)
    }

    pub(super) fn prepare(&self, join: Join, sets: Arc<SetStore>) -> Result<Joinable, JoinError> {
        let stage = Stage::begin(self.progress(), "indexing", 0);
        stage.check()?;
        join.prepare(sets, &stage)
    }
}

/// Returns what a call reports to.
pub(super) fn watching(handle: Option<&Handle>) -> &dyn Progress {
    match handle {
        Some(handle) => handle,
        None => &Silent,
    }
}

/// Starts threads for a call.
pub(super) fn pool(threads: usize) -> Result<rayon::ThreadPool, Error> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| Error::Threads { threads, reason: error.to_string() })
}

/// The number of cores.
pub(super) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
