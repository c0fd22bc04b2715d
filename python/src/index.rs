//! A collection that grows, in memory.

use std::sync::{Mutex, PoisonError};

use lookalike::engine::Progress;
use lookalike::{Error, Handle, Index, IndexMatch, Settled};
use pyo3::prelude::*;

use crate::call::{self, exception};
use crate::settings::Settings;

/// An index. The Python class `Index` wraps it.
#[pyclass(frozen)]
pub struct CoreIndex {
    index: Mutex<Index>,
}

/// `None` if added; otherwise the twin, their similarity, and whether the two are identical.
type Decided = Option<(String, f64, bool)>;

/// With more questions than these, a call can be interrupted.
const FEW: usize = 16;

#[pymethods]
impl CoreIndex {
    #[new]
    fn new(threshold: &str, settings: Settings) -> PyResult<CoreIndex> {
        let builder = Index::builder().tokens(settings.tokens).case(settings.case).bag(settings.bag);
        let builder = builder.threads(settings.threads());
        let index = builder.measure(settings.measure).threshold(threshold).build();
        Ok(CoreIndex { index: Mutex::new(index.map_err(exception)?) })
    }

    fn add(&self, py: Python<'_>, documents: Vec<(String, String)>) -> PyResult<Vec<Decided>> {
        let add = |handle: &Handle| self.locked(|index| index.add_watched(documents, handle));
        let settled = call::run(py, None, add, exception)?;
        let decided = |settled: Settled| match settled {
            Settled::Removed { twin, similarity, identical } => Some((twin, similarity, identical)),
            _ => None,
        };
        Ok(settled.into_iter().map(decided).collect())
    }

    /// The matches of each text. Without a threshold, it is that of the index.
    fn query(&self, py: Python<'_>, texts: Vec<String>, threshold: Option<&str>) -> PyResult<Vec<Vec<(String, f64)>>> {
        let ask = |index: &mut Index, text: &str| match threshold {
            Some(threshold) => index.query_at(text, threshold),
            None => index.query(text),
        };
        let ask_all = |handle: &Handle| {
            self.locked(|index| {
                let asked = texts.iter().map(|text| match handle.is_cancelled() {
                    true => Err(Error::Cancelled),
                    false => ask(index, text),
                });
                asked.collect::<Result<Vec<_>, _>>()
            })
        };
        // Starting a thread takes longer than a few questions.
        let found = match texts.len() {
            ..=FEW => py.detach(|| ask_all(&Handle::new())).map_err(exception)?,
            _ => call::run(py, None, ask_all, exception)?,
        };
        let matches = |found: Vec<IndexMatch>| found.into_iter().map(|one| (one.id, one.similarity)).collect();
        Ok(found.into_iter().map(matches).collect())
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
