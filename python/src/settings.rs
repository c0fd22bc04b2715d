//! What do the arguments mean?

use std::sync::Arc;

use lookalike::engine::{PageRule, Recipe};
use lookalike::{Case, Measure, Tokens};
use lookalike_io::extract::{Boilerplate, Extraction};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::passages::PassageTable;

/// How documents become sets, and how these are compared.
#[derive(Clone)]
pub struct Settings {
    pub tokens: Tokens,
    pub case: Case,
    pub bag: bool,
    pub page: PageRule,
    /// The passages that are left out of texts.
    pub without: Option<Arc<Boilerplate>>,
    pub measure: Measure,
    pub threads: Option<usize>,
    /// Bytes of a text above which a document is not compared.
    pub max_document: usize,
    /// Bytes that the sets may occupy.
    pub memory: Option<usize>,
}

/// The settings as they are written.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Written {
    tokens: String,
    case: String,
    bag: bool,
    page: Option<String>,
    without: Option<Py<PassageTable>>,
    measure: String,
    threads: Option<usize>,
    max_document: usize,
    memory: Option<usize>,
}

impl<'a, 'py> FromPyObject<'a, 'py> for Settings {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let written: Written = object.extract()?;
        let Written { bag, threads, max_document, memory, .. } = written;
        let case = one_of("case", &written.case, [("fold", Case::Fold), ("keep", Case::Keep)])?;
        let (tokens, measure) = (parsed(&written.tokens)?, parsed(&written.measure)?);
        let page = written.page.as_deref().map(parsed).transpose()?.unwrap_or_default();
        let without = written.without.map(|table| table.get().table.clone());
        Ok(Settings { tokens, case, bag, page, without, measure, threads, max_document, memory })
    }
}

/// Reads a value that is written as a string.
pub fn parsed<T: std::str::FromStr<Err: std::fmt::Display>>(text: &str) -> PyResult<T> {
    text.parse().map_err(|error| PyValueError::new_err(format!("{error}")))
}

/// Returns the choice of this name for an argument.
pub fn one_of<T: Copy, const N: usize>(argument: &str, name: &str, choices: [(&str, T); N]) -> PyResult<T> {
    let chosen = choices.iter().find(|(known, _)| *known == name);
    chosen.map(|(_, choice)| *choice).ok_or_else(|| {
        let known = choices.map(|(known, _)| known).join(" or ");
        PyValueError::new_err(format!("'{name}' is not a value of {argument}. Use {known}"))
    })
}

impl Settings {
    pub fn recipe(&self) -> Recipe {
        Recipe { tokens: self.tokens, case: self.case, bag: self.bag }
    }

    pub fn extraction(&self) -> Extraction {
        Extraction { page: self.page, without: self.without.clone(), recipe: self.recipe() }
    }

    pub fn threads(&self) -> usize {
        self.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).max(1)
    }
}
