//! A collection that grows, in memory.

use std::sync::{Mutex, PoisonError};

use lookalike::{Error, Handle, Index, IndexMatch, Settled};
use pyo3::prelude::*;

use crate::call::{self, exception};
use crate::corpus::CoreCorpus;
use crate::data::column::Column;
use crate::settings::Settings;

/// An index. The Python class `Index` wraps it.
#[pyclass(frozen)]
pub struct CoreIndex {
    index: Mutex<Index>,
    threshold: String,
}

/// `None` if added; otherwise the twin, their similarity, and whether the two are identical.
type Decided = Option<(String, f64, bool)>;

/// The id of a document that another resembles, and their similarity.
type Matched = (String, f64);

#[pymethods]
impl CoreIndex {
    #[new]
    fn new(threshold: &str, settings: Settings) -> PyResult<CoreIndex> {
        let builder = Index::builder().tokens(settings.tokens).case(settings.case).bag(settings.bag);
        let builder = builder.threads(settings.threads());
        let index = builder.measure(settings.measure).threshold(threshold).build();
        Ok(CoreIndex { index: Mutex::new(index.map_err(exception)?), threshold: threshold.to_string() })
    }

    /// Adds the documents of a corpus, by these ids. Only those with equal keys are compared: columns of rows, or fields of files.
    fn add(
        &self,
        py: Python<'_>,
        ids: Vec<String>,
        documents: &CoreCorpus,
        within: Vec<Py<Column>>,
        fields: Vec<String>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Decided>> {
        let corpus = documents.own(py, &within, &fields, progress)?;
        let add = |handle: &Handle| self.locked(|index| index.add_corpus(ids, &corpus.watched_by(handle)));
        let settled = call::run(py, progress, add, exception)?;
        let decided = |settled: Settled| match settled {
            Settled::Removed { twin, similarity, identical } => Some((twin, similarity, identical)),
            _ => None,
        };
        Ok(settled.into_iter().map(decided).collect())
    }

    /// The matches of a text. Without a threshold, it is that of the index.
    fn query(&self, py: Python<'_>, text: &str, threshold: Option<&str>) -> PyResult<Vec<Matched>> {
        let threshold = threshold.unwrap_or(&self.threshold);
        let found = py.detach(|| self.locked(|index| index.query_at(text, threshold))).map_err(exception)?;
        Ok(matched(found))
    }

    /// The matches of each document of a corpus, within keys as they were added.
    fn query_all(
        &self,
        py: Python<'_>,
        documents: &CoreCorpus,
        within: Vec<Py<Column>>,
        fields: Vec<String>,
        threshold: Option<&str>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Vec<Matched>>> {
        let (corpus, threshold) =
            (documents.own(py, &within, &fields, progress)?, threshold.unwrap_or(&self.threshold));
        let ask = |handle: &Handle| self.locked(|index| index.query_corpus(&corpus.watched_by(handle), threshold));
        Ok(call::run(py, progress, ask, exception)?.into_iter().map(matched).collect())
    }

    /// Takes documents out, and returns how many were there.
    fn remove(&self, py: Python<'_>, ids: Vec<String>) -> PyResult<usize> {
        let remove = |index: &mut Index| -> Result<usize, Error> {
            let mut removed = 0;
            for id in &ids {
                removed += usize::from(index.remove(id)?);
            }
            Ok(removed)
        };
        py.detach(|| self.locked(remove)).map_err(exception)
    }

    /// Bytes of memory.
    fn memory(&self, py: Python<'_>) -> usize {
        py.detach(|| self.locked(|index| index.memory()))
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        py.detach(|| self.locked(|index| index.len()))
    }
}

impl CoreIndex {
    fn locked<T>(&self, call: impl FnOnce(&mut Index) -> T) -> T {
        call(&mut self.index.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn matched(found: Vec<IndexMatch>) -> Vec<Matched> {
    found.into_iter().map(|one| (one.id, one.similarity)).collect()
}
