//! A table of passages to leave out of texts, from `lookalike boilerplate`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lookalike::Handle;
use lookalike::engine::SiteRule;
use lookalike_io::extract::Boilerplate;
use pyo3::prelude::*;

use crate::call::{job_exception, run};

/// The passages that sites repeat. It is read once.
#[pyclass(frozen)]
pub struct PassageTable {
    pub table: Arc<Boilerplate>,
}

#[pymethods]
impl PassageTable {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<PassageTable> {
        let read = |handle: &Handle| Boilerplate::read_watched(&path, handle);
        let table = run(py, None, read, |error| job_exception(error.into()))?;
        Ok(PassageTable { table: Arc::new(table) })
    }

    /// The file that it was read from.
    #[getter]
    fn path(&self) -> &Path {
        self.table.path()
    }

    /// A hash of its bytes, by which an index knows it.
    #[getter]
    fn hash(&self) -> &str {
        self.table.hash()
    }

    /// The column that names the site of a row, if the table finds sites by one.
    #[getter]
    fn site_column(&self) -> Option<&str> {
        match self.table.site() {
            SiteRule::Field(name) => Some(name),
            SiteRule::Registered | SiteRule::Paper => None,
        }
    }

    /// Two tables with the same bytes leave out the same passages.
    fn __eq__(&self, other: &PassageTable) -> bool {
        self.table.hash() == other.table.hash()
    }

    fn __repr__(&self) -> String {
        format!("'{}'", self.table.path().display())
    }
}
