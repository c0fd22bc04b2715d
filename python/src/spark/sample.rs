//! Which elements are frequent, and how much will there be to post?

use lookalike::Threshold;
use lookalike::engine::place_of;
use lookalike_io::extract::Extractor;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use super::bytes::{halves, of_halves, threshold_of};
use super::rows::Rows;
use crate::settings::Settings;

/// Reads a sample, and sends the places of its elements to those who count them.
#[pyclass]
pub struct CoreSampler {
    settings: Settings,
    threshold: Threshold,
    extractor: Extractor,
    blobs: Vec<Vec<u8>>,
    /// Elements that were taken.
    taken: u64,
    #[pyo3(get)]
    documents: u64,
    #[pyo3(get)]
    elements: u64,
    #[pyo3(get)]
    posted: u64,
}

#[pymethods]
impl CoreSampler {
    #[new]
    fn new(settings: Settings, threshold: &str, buckets: usize) -> PyResult<CoreSampler> {
        let (threshold, extractor) = (threshold_of(&settings, threshold)?, Extractor::new(settings.extraction()));
        let blobs = vec![Vec::new(); buckets];
        Ok(CoreSampler { settings, threshold, extractor, blobs, taken: 0, documents: 0, elements: 0, posted: 0 })
    }

    fn add(&mut self, py: Python<'_>, rows: Rows) -> PyResult<()> {
        let read = rows.read()?;
        let CoreSampler { settings, threshold, extractor, blobs, documents, elements, posted, .. } = self;
        py.detach(|| {
            read.for_each(
                extractor,
                settings,
                |_| true,
                true,
                |row| {
                    *documents += 1;
                    *elements += row.set.len() as u64;
                    *posted += u64::from(threshold.long_prefix(row.set.len() as u32)).min(row.set.len() as u64);
                    for &element in row.set {
                        let place = place_of(element);
                        let bucket = (u64::from(place) * blobs.len() as u64) >> 32;
                        blobs[bucket as usize].extend_from_slice(&place.to_le_bytes());
                    }
                },
            );
        });
        Ok(())
    }

    /// Bytes that wait to be taken.
    #[getter]
    fn waiting(&self) -> u64 {
        (self.elements - self.taken) * size_of::<u32>() as u64
    }

    /// Takes the places of elements, by bucket.
    fn take<'py>(&mut self, py: Python<'py>) -> Vec<(usize, Bound<'py, PyBytes>)> {
        self.taken = self.elements;
        let blobs = self.blobs.iter_mut().map(std::mem::take).enumerate();
        blobs.filter(|(_, blob)| !blob.is_empty()).map(|(bucket, blob)| (bucket, PyBytes::new(py, &blob))).collect()
    }
}

/// Counts places. Returns those that occur at least this often, each with its count.
#[pyfunction]
pub fn count_places<'py>(py: Python<'py>, blobs: Vec<PyBackedBytes>, least: u32) -> Bound<'py, PyBytes> {
    let counted = py.detach(|| {
        let mut places: Vec<u32> = blobs.iter().flat_map(|blob| halves(blob)).collect();
        places.sort_unstable();
        let lists = places.chunk_by(|one, two| one == two).filter(|list| list.len() >= least as usize);
        of_halves(lists.flat_map(|list| [list[0], list.len() as u32]))
    });
    PyBytes::new(py, &counted)
}
