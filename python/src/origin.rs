//! Where documents come from, and what only that place knows: the values to compare within, and the order to keep in.

use lookalike::engine::{Cancelled, Progress, hash_token};
use lookalike::{Corpus, Error, Handle, Keep as Order};
use lookalike_engine::{Keep, Key};
use lookalike_io::Value;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::call::{exception, job_exception, run};
use crate::data::column::Column;
use crate::data::documents::Documents;
use crate::data::files::Files;
use crate::settings::{Settings, parsed};

/// Where documents come from.
pub enum Origin {
    Rows(Documents),
    Sets,
    Files(Box<Files>, Vec<String>),
}

impl Origin {
    /// The corpus, or one whose documents are compared only within equal keys: columns of rows, or fields of files.
    pub fn within(
        &self,
        py: Python<'_>,
        corpus: &Corpus,
        settings: &Settings,
        columns: &[Py<Column>],
        fields: &[String],
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Corpus> {
        if columns.is_empty() && fields.is_empty() {
            return Ok(corpus.clone());
        }
        if let Origin::Files(files, _) = self {
            let load = files.load(settings, Keep::First, fields)?;
            let loaded = run(py, progress, |handle| load.run(handle), job_exception)?;
            return within_hashes(corpus, &loaded.within);
        }
        let within = |handle: &Handle| -> PyResult<Corpus> {
            let key = |row| {
                stop_if_cancelled(handle, row)?;
                Ok(hash_token(key_of(columns, row)?.as_bytes()))
            };
            let keys: Vec<u64> = (0..corpus.len()).map(key).collect::<PyResult<_>>()?;
            within_hashes(corpus, &keys)
        };
        run(py, progress, within, |error| error)
    }

    /// The order in which documents are kept, by a rule and the column that it names.
    pub fn order(
        &self,
        py: Python<'_>,
        documents: usize,
        settings: &Settings,
        rule: &str,
        key: Option<&Py<Column>>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Order> {
        let keep = &parsed::<Keep>(rule)?;
        let wrong = |message: String| Err(PyValueError::new_err(message));
        let order = match (keep, self, key) {
            (Keep::First, ..) => return Ok(Order::First),
            (Keep::Last, ..) => return Ok(Order::Last),
            (_, Origin::Files(files, _), _) => {
                let load = files.load(settings, keep.clone(), &[])?;
                run(py, progress, |handle| load.run(handle), job_exception)?.order
            }
            (Keep::Longest | Keep::Shortest, Origin::Rows(documents), _) => {
                let order = |handle: &Handle| documents.by_length(keep, settings, handle);
                return Ok(Order::Order(run(py, progress, order, cancelled)?));
            }
            (Keep::Longest | Keep::Shortest, Origin::Sets, _) => {
                return wrong(format!("keep='{keep}' orders by the length of texts, but these are sets"));
            }
            (Keep::Max(_) | Keep::Min(_), _, Some(key)) => {
                let order = |handle: &Handle| -> PyResult<Vec<u32>> {
                    let mut keys: Vec<Key> = Vec::with_capacity(documents);
                    for row in 0..documents {
                        stop_if_cancelled(handle, row)?;
                        keys.extend(keep.key(None, key.get().value(row)));
                    }
                    Ok(keep.order(documents as u32, &keys))
                };
                run(py, progress, order, |error| error)?
            }
            (Keep::Max(field) | Keep::Min(field), _, None) => {
                return wrong(format!("keep='{keep}' needs a column '{field}', but the data has no columns"));
            }
        };
        Ok(Order::Order(order.into_iter().map(|row| row as usize).collect()))
    }
}

/// Files give only the hashes of their keys. So rows do too, for these may be compared with files.
fn within_hashes(corpus: &Corpus, keys: &[u64]) -> PyResult<Corpus> {
    corpus.within(keys.iter().map(|key| key.to_le_bytes())).map_err(exception)
}

/// Looks at the handle once in some thousand rows. The error is not seen: an interrupted call raises its own.
fn stop_if_cancelled(handle: &Handle, row: usize) -> PyResult<()> {
    if row.is_multiple_of(1 << 12) && handle.is_cancelled() { Err(cancelled(Cancelled)) } else { Ok(()) }
}

fn cancelled(_: Cancelled) -> PyErr {
    exception(Error::Cancelled)
}

/// Encodes the keys of a row without ambiguity, as the readers of files do.
pub fn key_of(within: &[Py<Column>], row: usize) -> PyResult<String> {
    let mut key = String::new();
    for column in within {
        match column.get().value(row) {
            Value::Missing => key.push('-'),
            value => {
                let text = value.written().ok_or_else(|| {
                    PyTypeError::new_err(format!("row {row}: a value of `within` is neither a string nor a number"))
                })?;
                key.push_str(&format!("{}:{text}", text.len()));
            }
        }
    }
    Ok(key)
}
