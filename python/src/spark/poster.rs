//! Posts the sets of rows.

use lookalike::engine::{ElementOrder, Poster, hash_set, node_of};
use lookalike_io::extract::Extractor;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::bytes::{halves, of_halves, of_words, threshold_of, words};
use super::rows::Rows;
use crate::settings::Settings;

/// Makes sets and posts them. See `lookalike::engine::Poster`.
#[pyclass]
pub struct CorePoster {
    settings: Settings,
    extractor: Extractor,
    poster: Poster,
    /// Whether equal sets are different nodes.
    own: bool,
    seed: u64,
}

/// The nodes of rows, the sizes of their sets, and what tells two sets with one node apart. A row without a set has the size 0.
type Nodes<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>);

#[pymethods]
impl CorePoster {
    #[new]
    fn new(
        settings: Settings,
        threshold: &str,
        frequent: &[u8],
        buckets: u32,
        own: bool,
        seed: u64,
    ) -> PyResult<CorePoster> {
        let order = ElementOrder::new(&halves(frequent).collect::<Vec<u32>>());
        let poster = Poster::new(threshold_of(&settings, threshold)?, order, buckets);
        Ok(CorePoster { settings, extractor: Extractor::new(settings.extraction()), poster, own, seed })
    }

    /// Posts rows. `keys` has the hashes of their keys, `sides` a byte for each.
    fn add<'py>(&mut self, py: Python<'py>, rows: Rows, keys: &[u8], sides: &[u8]) -> PyResult<Nodes<'py>> {
        let read = rows.read()?;
        let keys: Vec<u64> = words(keys).collect();
        let CorePoster { settings, extractor, poster, own, seed } = self;
        let (nodes, sizes, checks) = py.detach(|| {
            let (mut nodes, mut sizes, mut checks) = (vec![0; read.len()], vec![0; read.len()], vec![0; read.len()]);
            read.for_each(
                extractor,
                settings,
                |_| true,
                true,
                |row| {
                    let key = own.then(|| keys[row.number]);
                    let hash = hash_set(row.set);
                    let node = node_of(hash, key, sides[row.number].into(), *seed);
                    checks[row.number] = (hash >> 64) as u32;
                    (nodes[row.number], sizes[row.number]) = (node, row.set.len() as u32);
                    poster.post(node, row.set);
                },
            );
            (nodes, sizes, checks)
        });
        Ok((
            PyBytes::new(py, &of_words(nodes)),
            PyBytes::new(py, &of_halves(sizes)),
            PyBytes::new(py, &of_halves(checks)),
        ))
    }

    /// Bytes that are waiting.
    fn waiting(&self) -> usize {
        self.poster.bytes()
    }

    /// Takes the waiting blobs, by bucket.
    fn take<'py>(&mut self, py: Python<'py>) -> Vec<(u32, Bound<'py, PyBytes>)> {
        self.poster.take().map(|(bucket, blob)| (bucket, PyBytes::new(py, &blob))).collect()
    }
}

/// Returns the bucket of every node, counted from `first`.
#[pyfunction]
pub fn buckets_of<'py>(py: Python<'py>, nodes: &[u8], buckets: u64, first: u32) -> Bound<'py, PyBytes> {
    PyBytes::new(py, &of_halves(words(nodes).map(|node| first + bucket_of(node, buckets))))
}

/// Divides hashes by bucket.
#[pyfunction]
pub fn divide_hashes<'py>(py: Python<'py>, hashes: &[u8], buckets: u64) -> Vec<(u32, Bound<'py, PyBytes>)> {
    let mut blobs = vec![Vec::new(); buckets as usize];
    for hash in words(hashes) {
        blobs[bucket_of(hash, buckets) as usize].extend_from_slice(&hash.to_le_bytes());
    }
    let blobs = (0..).zip(blobs).filter(|(_, blob)| !blob.is_empty());
    blobs.map(|(bucket, blob)| (bucket, PyBytes::new(py, &blob))).collect()
}

/// Returns the hashes that occur more than once.
#[pyfunction]
pub fn repeated_hashes<'py>(py: Python<'py>, blobs: Vec<Vec<u8>>) -> Bound<'py, PyBytes> {
    let mut hashes: Vec<u64> = blobs.iter().flat_map(|blob| words(blob)).collect();
    hashes.sort_unstable();
    let repeated = hashes.chunk_by(|one, two| one == two).filter(|list| list.len() > 1).map(|list| list[0]);
    PyBytes::new(py, &of_words(repeated))
}

/// The bucket of a hash, by its first bits.
fn bucket_of(hash: u64, buckets: u64) -> u32 {
    ((u128::from(hash) * u128::from(buckets)) >> 64) as u32
}
