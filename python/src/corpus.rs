//! Documents with their sets, and the questions to ask about them.

use lookalike::{Corpus, DedupOptions, Error, Handle, Keep as Order, PairOptions, Removed};
use lookalike_engine::{Error as JobError, Keep};
use pyo3::exceptions::{PyIndexError, PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::call::{exception, job_exception, run};
use crate::data::column::Column;
use crate::data::documents::{Documents, Failed, Made};
use crate::data::files::Files;
use crate::data::sets;
use crate::origin::Origin;
use crate::result::{self, Found, Row};
use crate::settings::Settings;

/// Documents with their sets. The Python class `Corpus` wraps it.
#[pyclass(frozen)]
pub struct CoreCorpus {
    pub corpus: Corpus,
    pub settings: Settings,
    origin: Origin,
    #[pyo3(get)]
    empty: usize,
    #[pyo3(get)]
    unusable: usize,
    /// Rows of files that could not be read, and the first few of the reasons.
    #[pyo3(get)]
    unreadable: usize,
    #[pyo3(get)]
    problems: Vec<String>,
}

/// Options of `dedup` and `check`.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Options {
    keep: String,
    key: Option<Py<Column>>,
    order: Option<Vec<usize>>,
    against: Option<Py<CoreCorpus>>,
    /// Columns of keys, of this corpus and of the reference; names of fields, if these are files.
    within: Vec<Py<Column>>,
    within_against: Vec<Py<Column>>,
    fields: Vec<String>,
    components: bool,
}

/// Options of `pairs` and `top`.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Search {
    other: Option<Py<CoreCorpus>>,
    within: Vec<Py<Column>>,
    within_other: Vec<Py<Column>>,
    fields: Vec<String>,
    distinct: bool,
    limit: Option<u32>,
    /// The most pairs that there is room for.
    room: Option<usize>,
}

#[pymethods]
impl CoreCorpus {
    /// A corpus of rows in memory.
    #[staticmethod]
    fn of_rows(
        py: Python<'_>,
        texts: Vec<Py<Column>>,
        is_page: bool,
        url: Option<Py<Column>>,
        site: Option<Py<Column>>,
        settings: Settings,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<CoreCorpus> {
        let documents = Documents { texts, is_page, url, site };
        let made = run(
            py,
            progress,
            |handle| documents.sets(&settings, handle),
            |failed| match failed {
                Failed::Sets(error) => exception(error),
                Failed::Memory(most) => too_large(most),
            },
        )?;
        CoreCorpus::new(made, settings, Origin::Rows(documents))
    }

    /// A corpus of sets of integers or tokens.
    #[staticmethod]
    fn of_sets(
        py: Python<'_>,
        sets: &Bound<'_, PyAny>,
        settings: Settings,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<CoreCorpus> {
        let sets = sets::elements(sets, progress)?;
        let build = |handle: &Handle| settings_of(&settings).watched_by(handle).from_sets(sets);
        let corpus = run(py, progress, build, exception)?;
        let empty = (0..corpus.len()).filter(|&document| corpus.size(document) == 0).count();
        if settings.memory.is_some_and(|most| corpus.memory() > most) {
            return Err(too_large(settings.memory.unwrap_or_default()));
        }
        let (unusable, unreadable, problems) = (0, 0, Vec::new());
        Ok(CoreCorpus { corpus, settings, origin: Origin::Sets, empty, unusable, unreadable, problems })
    }

    /// A corpus of the documents of files, and their ids.
    #[staticmethod]
    fn of_files(
        py: Python<'_>,
        files: Files,
        settings: Settings,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<CoreCorpus> {
        let load = files.load(&settings, Keep::First, &[])?;
        let read = |handle: &Handle| {
            let loaded = load.run(handle)?;
            let id = |document| Ok::<_, JobError>(loaded.id(document)?.into_owned());
            let ids: Vec<String> = (0..loaded.len() as u32).map(id).collect::<Result<_, _>>()?;
            Ok((loaded, ids))
        };
        let (loaded, ids) = run(py, progress, read, job_exception)?;
        let (empty, unusable) = (loaded.read.empty as usize, loaded.read.unusable as usize);
        let made = Made { sets: loaded.sets, empty, unusable };
        let mut corpus = CoreCorpus::new(made, settings, Origin::Files(Box::new(files), ids))?;
        corpus.unreadable = loaded.read.unreadable as usize;
        corpus.problems = loaded.read.problems;
        if let Some(most) = corpus.settings.memory.filter(|&most| corpus.corpus.memory() > most) {
            return Err(too_large(most));
        }
        Ok(corpus)
    }

    fn __len__(&self) -> usize {
        self.corpus.len()
    }

    /// The ids of documents of files.
    fn ids(&self) -> Vec<String> {
        match &self.origin {
            Origin::Files(_, ids) => ids.clone(),
            Origin::Rows(_) | Origin::Sets => Vec::new(),
        }
    }

    /// Bytes of memory that this object holds.
    fn memory(&self) -> usize {
        let texts = match &self.origin {
            Origin::Rows(documents) => documents.texts.iter().map(|column| column.get().memory()).sum(),
            Origin::Files(_, ids) => ids.iter().map(|id| id.len() + 24).sum(),
            Origin::Sets => 0,
        };
        self.corpus.memory() + texts
    }

    fn size(&self, document: usize) -> PyResult<usize> {
        self.check_document(document)?;
        Ok(self.corpus.size(document))
    }

    /// The texts of two documents of files, which are read again.
    fn texts_of_files(&self, py: Python<'_>, a: &str, b: &str) -> PyResult<[String; 2]> {
        let Origin::Files(files, _) = &self.origin else {
            return Err(PyValueError::new_err("the documents are not in files"));
        };
        let load = files.load(&self.settings, Keep::First, &[])?;
        run(py, None, |handle| load.texts([a, b], handle), job_exception)
    }

    /// The text of a document, if it has one and is in memory.
    fn text(&self, document: usize) -> PyResult<Option<String>> {
        self.check_document(document)?;
        Ok(match &self.origin {
            Origin::Rows(documents) => documents.text(document, &self.settings),
            Origin::Sets | Origin::Files(..) => None,
        })
    }

    /// How documents would be compared.
    fn plan(&self, py: Python<'_>, threshold: &str) -> PyResult<String> {
        run(py, None, |handle| self.corpus.watched_by(handle).plan(threshold), exception)
    }

    /// Decides which documents are kept. With `most`, at the highest threshold that leaves at most so many.
    fn dedup<'py>(
        &self,
        py: Python<'py>,
        threshold: &str,
        most: Option<usize>,
        options: Options,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let own = self.own(py, &options.within, &options.fields, progress)?;
        let dedup = self.options(py, &options, progress)?;
        let call = |handle: &Handle| {
            let corpus = own.watched_by(handle);
            match most {
                Some(most) => corpus.dedup_to(most, threshold, dedup),
                None => corpus.dedup_with(threshold, dedup),
            }
        };
        let result = run(py, progress, call, exception)?;
        result::decision(py, &result, self.corpus.len())
    }

    /// Finds all pairs, or the `most` most similar.
    fn pairs<'py>(
        &self,
        py: Python<'py>,
        threshold: &str,
        most: Option<usize>,
        search: Search,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let own = self.own(py, &search.within, &search.fields, progress)?;
        let other =
            search.other.as_ref().map(|other| other.get().own(py, &search.within_other, &search.fields, progress));
        let other = other.transpose()?;
        let mut options = other.as_ref().map_or_else(PairOptions::new, |other| PairOptions::new().with(other));
        if search.distinct {
            options = options.distinct();
        }
        if let Some(limit) = search.limit {
            options = options.limit_per_document(limit);
        }
        if let Some(room) = search.room {
            options = options.at_most(room);
        }
        let call = |handle: &Handle| -> Result<Found, Error> {
            let corpus = own.watched_by(handle);
            let pairs = match most {
                Some(most) => corpus.top(most, options)?,
                None => corpus.pairs_with(threshold, options)?,
            };
            Found::of(pairs, &own, other.as_ref().unwrap_or(&own), handle)
        };
        run(py, progress, call, exception)?.columns(py)
    }

    /// Checks a result: for each removed document its number, its twin, whether that is a reference, and the stated similarity.
    fn check(
        &self,
        py: Python<'_>,
        threshold: &str,
        removed: Vec<(usize, usize, bool, f64)>,
        options: Options,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Row>> {
        let own = self.own(py, &options.within, &options.fields, progress)?;
        let references = options.against.as_ref().map_or(0, |against| against.get().corpus.len());
        for &(document, twin, is_reference, _) in &removed {
            self.check_document(document)?;
            if twin >= if is_reference { references } else { own.len() } {
                return Err(PyIndexError::new_err(format!("document {document}: there is no twin {twin}")));
            }
        }
        let removed: Vec<Removed> = removed
            .into_iter()
            .map(|(document, twin, is_reference, similarity)| Removed::new(document, twin, is_reference, similarity))
            .collect();
        let dedup = self.options(py, &options, progress)?;
        let call = |handle: &Handle| own.watched_by(handle).check(threshold, &removed, dedup);
        Ok(result::broken(&run(py, progress, call, exception)?))
    }
}

impl CoreCorpus {
    fn new(made: Made, settings: Settings, origin: Origin) -> PyResult<CoreCorpus> {
        let corpus = settings_of(&settings).from_store(made.sets).map_err(exception)?;
        let Made { empty, unusable, .. } = made;
        Ok(CoreCorpus { corpus, settings, origin, empty, unusable, unreadable: 0, problems: Vec::new() })
    }

    /// The corpus, or one whose documents are compared only within equal keys.
    pub fn own(
        &self,
        py: Python<'_>,
        within: &[Py<Column>],
        fields: &[String],
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Corpus> {
        self.origin.within(py, &self.corpus, &self.settings, within, fields, progress)
    }

    fn options(
        &self,
        py: Python<'_>,
        options: &Options,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<DedupOptions> {
        let order = match &options.order {
            Some(order) => Order::Order(order.clone()),
            None => {
                let (documents, key) = (self.corpus.len(), options.key.as_ref());
                self.origin.order(py, documents, &self.settings, &options.keep, key, progress)?
            }
        };
        let mut dedup = DedupOptions::new().keep(order);
        if let Some(against) = &options.against {
            dedup = dedup.against(&against.get().own(py, &options.within_against, &options.fields, progress)?);
        }
        Ok(if options.components { dedup.components() } else { dedup })
    }

    fn check_document(&self, document: usize) -> PyResult<()> {
        if document < self.corpus.len() {
            return Ok(());
        }
        Err(PyIndexError::new_err(format!("there is no document {document}; there are {}", self.corpus.len())))
    }
}

fn settings_of(settings: &Settings) -> lookalike::CorpusBuilder {
    Corpus::builder().measure(settings.measure).threads(settings.threads())
}

fn too_large(most: usize) -> PyErr {
    PyMemoryError::new_err(format!(
        "the sets need more than the {most} bytes of `memory`; allow more, or use `dedup_files` or `pairs_files`, which \
         keep them in temporary files"
    ))
}
