//! What do the arguments mean?

use lookalike::engine::{PageRule, Recipe};
use lookalike::{Case, Measure, Tokens};
use lookalike_io::extract::Extraction;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// How documents become sets, and how these are compared.
#[derive(Clone, Copy, FromPyObject)]
#[pyo3(from_item_all)]
pub struct Settings {
    pub tokens: Parsed<Tokens>,
    pub case: CaseName,
    pub bag: bool,
    pub page: Option<Parsed<PageRule>>,
    pub measure: Parsed<Measure>,
    pub threads: Option<usize>,
    /// Bytes of a text above which a document is not compared.
    pub max_document: usize,
    /// Bytes that the sets may occupy.
    pub memory: Option<usize>,
}

impl Settings {
    pub fn recipe(&self) -> Recipe {
        Recipe { tokens: self.tokens.0, case: self.case.0, bag: self.bag }
    }

    pub fn extraction(&self) -> Extraction {
        Extraction { page: self.page.map(|page| page.0).unwrap_or_default(), recipe: self.recipe() }
    }

    pub fn threads(&self) -> usize {
        self.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).max(1)
    }
}

/// A value that is written as a string.
#[derive(Clone, Copy)]
pub struct Parsed<T>(pub T);

impl<'a, 'py, T: std::str::FromStr<Err: std::fmt::Display>> FromPyObject<'a, 'py> for Parsed<T> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let text: String = object.extract()?;
        text.parse().map(Parsed).map_err(|error| PyValueError::new_err(format!("{error}")))
    }
}

/// Whether upper and lower case differ.
#[derive(Clone, Copy)]
pub struct CaseName(pub Case);

impl<'a, 'py> FromPyObject<'a, 'py> for CaseName {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        match object.extract::<String>()?.as_str() {
            "fold" => Ok(CaseName(Case::Fold)),
            "keep" => Ok(CaseName(Case::Keep)),
            other => Err(PyValueError::new_err(format!("'{other}' is not a rule for case. Use fold or keep"))),
        }
    }
}
