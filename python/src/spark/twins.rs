//! Pairs as columns, and the twins of removed documents, if these are decided by tasks.

use lookalike::Threshold;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::bytes::{halves, of_words, threshold_of, words};
use crate::settings::Settings;

/// Finds for each document the best of those that it resembles.
#[pyclass]
pub struct CoreTwins {
    threshold: Threshold,
    /// The document at hand.
    open: Option<Open>,
    found: Vec<(u64, u64, f64)>,
}

/// A document, and the best so far of those that it resembles.
struct Open {
    later: u64,
    size: u32,
    twin: u64,
    common: u32,
    size_twin: u32,
}

/// Documents, twins, and similarities as 64-bit floats.
type Found<'py> = [Bound<'py, PyBytes>; 3];

#[pymethods]
impl CoreTwins {
    #[new]
    fn new(settings: Settings, threshold: &str) -> PyResult<CoreTwins> {
        Ok(CoreTwins { threshold: threshold_of(&settings, threshold)?, open: None, found: Vec::new() })
    }

    /// Adds pairs. Those of one document come one after another, in the order of the other document.
    fn add(&mut self, later: &[u8], earlier: &[u8], common: &[u8], size_later: &[u8], size_earlier: &[u8]) {
        let documents = words(later).zip(halves(size_later));
        let others = words(earlier).zip(halves(common).zip(halves(size_earlier)));
        for ((later, size), (twin, (common, size_twin))) in documents.zip(others) {
            let pair = Open { later, size, twin, common, size_twin };
            match &mut self.open {
                Some(open) if open.later == later => {
                    // Of equals the earliest is the twin.
                    let order = self.threshold.compare(size, (common, size_twin), (open.common, open.size_twin));
                    if order.is_gt() {
                        *open = pair;
                    }
                }
                _ => {
                    self.close();
                    self.open = Some(pair);
                }
            }
        }
    }

    /// Takes the documents that are done.
    fn take<'py>(&mut self, py: Python<'py>) -> Found<'py> {
        let found = std::mem::take(&mut self.found);
        let similarities: Vec<u8> = found.iter().flat_map(|one| one.2.to_le_bytes()).collect();
        let columns = [of_words(found.iter().map(|one| one.0)), of_words(found.iter().map(|one| one.1)), similarities];
        columns.map(|column| PyBytes::new(py, &column))
    }

    /// Takes what is left.
    fn finish<'py>(&mut self, py: Python<'py>) -> Found<'py> {
        self.close();
        self.take(py)
    }
}

impl CoreTwins {
    fn close(&mut self) {
        if let Some(Open { later, size, twin, common, size_twin }) = self.open.take() {
            self.found.push((later, twin, self.threshold.similarity(common, size, size_twin)));
        }
    }
}

/// Divides pairs, as `CoreVerifier` returns them, into columns: a, b, common, size of a, size of b.
#[pyfunction]
pub fn unpack_pairs<'py>(py: Python<'py>, pairs: &[u8]) -> [Bound<'py, PyBytes>; 5] {
    let pairs = pairs.as_chunks::<28>().0;
    [0..8, 8..16, 16..20, 20..24, 24..28].map(|range| {
        let column: Vec<u8> = pairs.iter().flat_map(|pair| pair[range.clone()].to_vec()).collect();
        PyBytes::new(py, &column)
    })
}

/// Makes pairs of such columns.
#[pyfunction]
pub fn pack_pairs<'py>(
    py: Python<'py>,
    a: &[u8],
    b: &[u8],
    common: &[u8],
    size_a: &[u8],
    size_b: &[u8],
) -> Bound<'py, PyBytes> {
    let mut pairs = Vec::with_capacity(28 * a.len() / 8);
    for row in 0..a.len() / 8 {
        [a, b].iter().for_each(|column| pairs.extend_from_slice(&column[8 * row..8 * row + 8]));
        [common, size_a, size_b].iter().for_each(|column| pairs.extend_from_slice(&column[4 * row..4 * row + 4]));
    }
    PyBytes::new(py, &pairs)
}
