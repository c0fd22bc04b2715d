//! Signatures of a few bytes, as `lookalike sketch` writes them.

use lookalike::sketch::{Filter, MinHash, Plan, Prior, SimHash, Wish};
use lookalike_io::Content;
use lookalike_io::extract::{Extracted, Extractor, Signer, SignerKind};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::settings::Settings;

/// Makes signatures of one kind. The Python classes `MinHash`, `SimHash` and `Features` wrap it.
#[pyclass(frozen)]
pub struct CoreSigner {
    kind: SignerKind,
    settings: Settings,
}

#[pymethods]
impl CoreSigner {
    #[staticmethod]
    fn minhash(functions: u16, settings: Settings) -> PyResult<CoreSigner> {
        if functions == 0 {
            return Err(PyValueError::new_err("a sketch needs at least one function"));
        }
        CoreSigner::new(SignerKind::MinHash(MinHash::new(functions.into())), settings)
    }

    #[staticmethod]
    fn simhash(bits: usize, settings: Settings) -> PyResult<CoreSigner> {
        if settings.bag {
            return Err(PyValueError::new_err("bag does not apply to a simhash, which counts every occurrence anyway"));
        }
        SimHash::new(bits).map_err(wrong)?;
        CoreSigner::new(SignerKind::SimHash(bits), settings)
    }

    #[staticmethod]
    fn features(filter: &str, settings: Settings) -> PyResult<CoreSigner> {
        CoreSigner::new(SignerKind::Features(filter.parse().map_err(wrong)?), settings)
    }

    /// Bytes of a signature.
    #[getter]
    fn nbytes(&self) -> usize {
        self.kind.bytes()
    }

    /// The signature of each text, or none if a text has no token.
    fn sign<'py>(&self, py: Python<'py>, texts: Vec<Option<String>>) -> PyResult<Vec<Option<Bound<'py, PyBytes>>>> {
        let signed = py.detach(|| {
            let mut signer = Signer::new(&self.kind, self.settings.recipe()).map_err(wrong)?;
            let (mut extractor, mut numbers) = (Extractor::new(self.settings.extraction()), Vec::new());
            let mut sign = |text: &Option<String>| {
                let mut bytes = Vec::new();
                let content = Content::Text(text.as_deref()?);
                let Extracted::Document(mut document) = extractor.extract(&content) else { return None };
                signer.sign_bytes(&mut document, &mut numbers, &mut bytes).then_some(bytes)
            };
            Ok::<_, PyErr>(texts.iter().map(&mut sign).collect::<Vec<Option<Vec<u8>>>>())
        })?;
        Ok(signed.into_iter().map(|bytes| bytes.map(|bytes| PyBytes::new(py, &bytes))).collect())
    }
}

impl CoreSigner {
    fn new(kind: SignerKind, settings: Settings) -> PyResult<CoreSigner> {
        Signer::new(&kind, settings.recipe()).map_err(wrong)?;
        Ok(CoreSigner { kind, settings })
    }
}

fn wrong(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Chooses a filter of features for a threshold, and says what it finds and what it costs.
#[pyfunction]
pub fn design_filter<'py>(
    py: Python<'py>,
    threshold: f64,
    recall: f64,
    bytes: Option<usize>,
    features: Option<&str>,
) -> PyResult<Bound<'py, PyDict>> {
    let plan = match features {
        Some(filter) => Plan::of(filter.parse::<Filter>().map_err(wrong)?, threshold, Prior::default()),
        None => {
            let usual = Wish::new(threshold, recall);
            let wish = Wish { bytes: bytes.unwrap_or(usual.bytes), ..usual };
            Plan::choose(&wish).map_err(wrong)?
        }
    };
    let (answer, filter) = (PyDict::new(py), plan.filter);
    answer.set_item("k", filter.k())?;
    answer.set_item("s", filter.s())?;
    answer.set_item("r", filter.r())?;
    answer.set_item("functions", filter.functions())?;
    answer.set_item("nbytes", filter.bytes())?;
    answer.set_item("recall_at_threshold", plan.recall)?;
    answer.set_item("recall_above_threshold", plan.recall_above)?;
    answer.set_item("useless_share", plan.useless)?;
    Ok(answer)
}
