//! Signatures of a few bytes, as `lookalike sketch` writes them.

use lookalike::sketch::{MinHash, SimHash};
use lookalike_io::Content;
use lookalike_io::extract::{Extracted, Extractor, Signer, SignerKind};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

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
                let Extracted::Document(mut document) = extractor.extract_content(&content, None) else { return None };
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
