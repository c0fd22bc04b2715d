//! Signatures of a few bytes, as `lookalike sketch` writes them.

use std::ops::Range;

use lookalike::engine::{Cancelled, Stage};
use lookalike::sketch::{MinHash, SimHash};
use lookalike::{Error, Handle};
use lookalike_io::Content;
use lookalike_io::extract::{Extracted, Extraction, Extractor, Signer, SignerKind};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::call::{exception, run};
use crate::data::blocks::by_blocks;
use crate::data::documents::Buffers;
use crate::data::rows::CoreRows;
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

    /// The signature of a text that is read already, or none if it has no token.
    fn sign<'py>(&self, py: Python<'py>, text: &str) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let signed = py.detach(|| {
            let mut signing = self.signing(Extraction { recipe: self.settings.recipe(), ..Extraction::default() })?;
            let (content, mut bytes) = (Content::Text(text), Vec::new());
            let Signing { signer, extractor, numbers } = &mut signing;
            let is_signed = append(signer, extractor.extract_content(&content, None), numbers, &mut bytes);
            Ok::<_, String>(is_signed.then_some(bytes))
        });
        Ok(signed.map_err(wrong)?.map(|bytes| PyBytes::new(py, &bytes)))
    }

    /// The signature of each row, or none if it has no token.
    fn sign_all<'py>(
        &self,
        py: Python<'py>,
        rows: &CoreRows,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Option<Bound<'py, PyBytes>>>> {
        let CoreRows { documents, settings } = rows;
        let call = |handle: &Handle| {
            let stage = Stage::begin(handle, "signing", documents.len());
            by_blocks(documents.len(), settings.threads(), &stage, || {
                let (mut signing, mut buffers) = (self.signing(settings.extraction()), Buffers::default());
                move |rows: Range<usize>| -> PyResult<Block> {
                    let signing = signing.as_mut().map_err(wrong)?;
                    let mut bytes = Vec::new();
                    let Signing { signer, extractor, numbers } = signing;
                    let sign = |row| {
                        let row = documents.row(row, settings, &mut buffers);
                        append(signer, extractor.extract(&row), numbers, &mut bytes)
                    };
                    let signed = rows.map(sign).collect();
                    Ok(Block { signed, bytes })
                }
            })
        };
        let blocks = run(py, progress, call, |Cancelled| exception(Error::Cancelled))?;
        let blocks: Vec<Block> = blocks.into_iter().collect::<PyResult<_>>()?;
        let mut signatures = Vec::with_capacity(documents.len());
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
        Signer::new(&kind, settings.recipe()).map_err(wrong)?;
        Ok(CoreSigner { kind, settings })
    }

    fn signing(&self, extraction: Extraction) -> Result<Signing, String> {
        let signer = Signer::new(&self.kind, self.settings.recipe()).map_err(|error| error.to_string())?;
        Ok(Signing { signer, extractor: Extractor::new(extraction), numbers: Vec::new() })
    }
}

/// What one thread needs to make signatures.
struct Signing {
    signer: Signer,
    extractor: Extractor,
    numbers: Vec<u64>,
}

/// Appends the signature of what was extracted, and returns whether it has one.
fn append(signer: &mut Signer, extracted: Extracted, numbers: &mut Vec<u64>, bytes: &mut Vec<u8>) -> bool {
    match extracted {
        Extracted::Document(mut document) => signer.sign_bytes(&mut document, numbers, bytes),
        Extracted::Unusable(_) | Extracted::Unreadable(_) => false,
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
