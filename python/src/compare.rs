//! Two texts beside each other, and the tokens of one.

use lookalike::Threshold;
use lookalike::engine::{PageRecipe, SetMaker};
use lookalike_engine::compare_texts;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::call::{job_exception, run};
use crate::settings::{Settings, parsed};

/// The words of two texts, and the runs of words in which they differ: start and end in each.
type Words = [Vec<String>; 2];
type Runs = Option<Vec<(usize, usize, usize, usize)>>;

/// The signatures that two texts are compared by.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Signing {
    features: String,
    shingle: usize,
    weighted: bool,
    bits: usize,
    element: usize,
}

/// Compares two texts by every measure and every method.
#[pyfunction]
pub fn compare<'py>(
    py: Python<'py>,
    a: &str,
    b: &str,
    threshold: &str,
    signing: Signing,
    settings: Settings,
) -> PyResult<(Bound<'py, PyDict>, Words, Runs)> {
    let threshold = Threshold::new(settings.measure, threshold).map_err(wrong)?;
    let Signing { features, shingle, weighted, bits, element } = signing;
    let pages = PageRecipe { filter: parsed(&features)?, shingle, weighted, bits, element };
    let (two, recipe) = ([("a", a), ("b", b)], settings.recipe());
    let compared = run(py, None, |handle| compare_texts(two, recipe, &threshold, pages, handle), job_exception)?;
    let answer = PyDict::new(py);
    answer.set_item("identical", compared.identical)?;
    answer.set_item("common", compared.common)?;
    answer.set_item("size_a", compared.a.elements)?;
    answer.set_item("size_b", compared.b.elements)?;
    answer.set_item("words_a", compared.a.words)?;
    answer.set_item("words_b", compared.b.words)?;
    answer.set_item("containment_a", compared.containment_a)?;
    answer.set_item("containment_b", compared.containment_b)?;
    let exact = &compared.verdicts[0];
    answer.set_item("is_pair", exact.pair)?;
    answer.set_item("why", &exact.why)?;
    answer.set_item("shared_features", compared.shared_features)?;
    answer.set_item("found_by_filter", compared.found_by_filter)?;
    answer.set_item("b_similarity", compared.b_similarity)?;
    answer.set_item("c_similarity", compared.c_similarity)?;
    answer.set_item("term_difference", compared.term_difference)?;
    let verdicts = PyDict::new(py);
    for verdict in &compared.verdicts {
        verdicts.set_item(verdict.method, (verdict.pair, &verdict.why))?;
    }
    answer.set_item("verdicts", verdicts)?;
    let measures = PyDict::new(py);
    for measured in &compared.measures {
        measures.set_item(measured.measure, measured.value)?;
    }
    answer.set_item("measures", measures)?;
    let runs = compared
        .differences
        .map(|runs| runs.iter().map(|run| (run.a.start, run.a.end, run.b.start, run.b.end)).collect());
    Ok((answer, compared.words, runs))
}

/// The tokens of a text, and its shingles with their hashes.
#[pyfunction]
pub fn tokens(py: Python<'_>, text: &str, settings: Settings) -> (Vec<String>, Vec<(String, u64)>) {
    let seen = py.detach(|| SetMaker::new(settings.recipe()).explain(text));
    (seen.tokens, seen.shingles)
}

fn wrong(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}
