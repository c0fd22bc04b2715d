//! A collection that grows, in memory.

use std::sync::{Mutex, PoisonError};

use lookalike::{Index, IndexMatch, Settled};
use pyo3::prelude::*;

use crate::call::exception;
use crate::settings::Settings;

/// An index. The Python class `Index` wraps it.
#[pyclass(frozen)]
pub struct CoreIndex {
    index: Mutex<Index>,
}

/// Of a document: its twin, their similarity, and whether the two are identical; or none, if the document was added.
type Decided = Option<(String, f64, bool)>;

#[pymethods]
impl CoreIndex {
    #[new]
    fn new(threshold: &str, settings: Settings) -> PyResult<CoreIndex> {
        let builder = Index::builder().tokens(settings.tokens).case(settings.case).bag(settings.bag);
        let index = builder.measure(settings.measure).threshold(threshold).build();
        Ok(CoreIndex { index: Mutex::new(index.map_err(exception)?) })
    }

    fn add(&self, py: Python<'_>, documents: Vec<(String, String)>) -> PyResult<Vec<Decided>> {
        let settled = py.detach(|| self.locked(|index| index.add(documents)));
        let decided = |settled: Settled| match settled {
            Settled::Removed { twin, similarity, identical } => Some((twin, similarity, identical)),
            _ => None,
        };
        Ok(settled.map_err(exception)?.into_iter().map(decided).collect())
    }

    /// The matches of each text. Without a threshold, it is that of the index.
    fn query(&self, py: Python<'_>, texts: Vec<String>, threshold: Option<&str>) -> PyResult<Vec<Vec<(String, f64)>>> {
        let ask = |index: &mut Index, text: &str| match threshold {
            Some(threshold) => index.query_at(text, threshold),
            None => index.query(text),
        };
        let found =
            py.detach(|| self.locked(|index| texts.iter().map(|text| ask(index, text)).collect::<Result<Vec<_>, _>>()));
        let matches = |found: Vec<IndexMatch>| found.into_iter().map(|one| (one.id, one.similarity)).collect();
        Ok(found.map_err(exception)?.into_iter().map(matches).collect())
    }

    fn remove(&self, py: Python<'_>, id: &str) -> PyResult<bool> {
        py.detach(|| self.locked(|index| index.remove(id))).map_err(exception)
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
