//! Signatures of a few bytes, as `lookalike sketch` writes them.

use std::ops::Range;

use lookalike::engine::{Cancelled, Stage};
use lookalike::sketch::{MinHash, SimHash};
use lookalike::{Error, Handle};
use lookalike_io::extract::{Extracted, Extractor, Signer, SignerKind};
use lookalike_io::{Content, Value};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::call::{exception, run};
use crate::data::blocks::by_blocks;
use crate::data::column::Column;
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

    /// The signature of a text, or none if it has no token.
    fn sign<'py>(&self, py: Python<'py>, text: Option<&str>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let signed = py.detach(|| {
            let mut signing = self.signing().map_err(wrong)?;
            let mut bytes = Vec::new();
            Ok::<_, PyErr>(signing.push(text, &mut bytes).then_some(bytes))
        })?;
        Ok(signed.map(|bytes| PyBytes::new(py, &bytes)))
    }

    /// The signature of each text.
    fn sign_all<'py>(
        &self,
        py: Python<'py>,
        texts: &Column,
        threads: Option<usize>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Option<Bound<'py, PyBytes>>>> {
        let threads = Settings { threads, ..self.settings.clone() }.threads();
        let call = |handle: &Handle| {
            let stage = Stage::begin(handle, "signing", texts.len());
            by_blocks(texts.len(), threads, &stage, || {
                let mut signing = self.signing();
                move |rows: Range<usize>| -> PyResult<Block> {
                    let signing = signing.as_mut().map_err(wrong)?;
                    let mut bytes = Vec::new();
                    let text = |row| if let Value::Text(text) = texts.value(row) { Some(text) } else { None };
                    let signed = rows.map(|row| signing.push(text(row), &mut bytes)).collect();
                    Ok(Block { signed, bytes })
                }
            })
        };
        let blocks = run(py, progress, call, |Cancelled| exception(Error::Cancelled))?;
        let blocks: Vec<Block> = blocks.into_iter().collect::<PyResult<_>>()?;
        let mut signatures = Vec::with_capacity(texts.len());
        // A block is freed as soon as its bytes are Python's.
        for Block { signed, bytes } in blocks {
            let mut each = bytes.chunks_exact(self.kind.bytes());
            let sign = |is_signed: bool| is_signed.then(|| each.next()).flatten().map(|bytes| PyBytes::new(py, bytes));
            signatures.extend(signed.into_iter().map(sign));
        }
        Ok(signatures)
    }
}

impl CoreSigner {
    fn new(kind: SignerKind, settings: Settings) -> PyResult<CoreSigner> {
        let signer = CoreSigner { kind, settings };
        signer.signing().map_err(wrong)?;
        Ok(signer)
    }

    fn signing(&self) -> Result<Signing, String> {
        let signer = Signer::new(&self.kind, self.settings.recipe()).map_err(|error| error.to_string())?;
        Ok(Signing { signer, extractor: Extractor::new(self.settings.extraction()), numbers: Vec::new() })
    }
}

/// What one thread needs to make signatures.
struct Signing {
    signer: Signer,
    extractor: Extractor,
    numbers: Vec<u64>,
}

impl Signing {
    /// Appends the signature of a text, and returns whether it has one.
    fn push(&mut self, text: Option<&str>, bytes: &mut Vec<u8>) -> bool {
        let Some(text) = text else { return false };
        match self.extractor.extract_content(&Content::Text(text), None) {
            Extracted::Document(mut document) => self.signer.sign_bytes(&mut document, &mut self.numbers, bytes),
            Extracted::Unusable(_) | Extracted::Unreadable(_) => false,
        }
    }
}

/// The signatures of some rows: which of them have one, and the bytes of those, one after another.
struct Block {
    signed: Vec<bool>,
    bytes: Vec<u8>,
}

fn wrong(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}
