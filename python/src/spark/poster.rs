//! Posts the sets of rows, or their signatures.

use lookalike::engine::{ElementOrder, Poster, SignaturePoster};
use lookalike_engine::SignatureKeys;
use lookalike_io::extract::Extractor;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::bytes::{halves, of_halves, of_words, words};
use super::method::{Arguments, Mark, Method, Nodes};
use super::rows::Rows;
use crate::settings::Settings;

/// Makes sets and posts them, or their signatures. See `lookalike::engine::Poster`.
#[pyclass]
pub struct CorePoster {
    settings: Settings,
    extractor: Extractor,
    method: Method,
    poster: Posters,
    nodes: Nodes,
}

enum Posters {
    Elements(Poster),
    Signatures(SignaturePoster, SignatureKeys),
}

/// The nodes of rows, the sizes of their sets, and what tells two sets with one node apart. A row without a set has the size 0. If
/// signatures are compared, also the hashes of their sites, and hashes of the sets: bytes that sort as these do.
type Posted<'py> = [Bound<'py, PyBytes>; 5];

#[pymethods]
impl CorePoster {
    #[new]
    fn new(
        settings: Settings,
        threshold: &str,
        method: Arguments,
        frequent: &[u8],
        buckets: u32,
        own: bool,
        seed: u64,
    ) -> PyResult<CorePoster> {
        let method = Method::new(&settings, threshold, method)?;
        let poster = match &method.signatures {
            None => {
                let order = ElementOrder::new(&halves(frequent).collect::<Vec<u32>>());
                Posters::Elements(Poster::new(method.threshold, order, buckets))
            }
            Some(signatures) => Posters::Signatures(SignaturePoster::new(buckets), signatures.keys.clone()),
        };
        let extractor = Extractor::new(settings.extraction());
        Ok(CorePoster { settings, extractor, method, poster, nodes: Nodes { own, seed } })
    }

    /// Posts rows. `keys` has the hashes of their keys, `sides` a byte for each.
    fn add<'py>(&mut self, py: Python<'py>, rows: Rows, keys: &[u8], sides: &[u8]) -> PyResult<Posted<'py>> {
        let read = rows.read()?;
        let keys: Vec<u64> = words(keys).collect();
        let CorePoster { settings, extractor, method, poster, nodes: how } = self;
        let signed = method.signatures.as_ref().map(|signatures| signatures.method.signing);
        let columns = py.detach(|| {
            let (mut nodes, mut sizes, mut checks) = (vec![0; read.len()], vec![0; read.len()], vec![0; read.len()]);
            let mut beside = vec![(0, 0); if signed.is_some() { read.len() } else { 0 }];
            read.for_each(
                extractor,
                settings,
                |_| true,
                true,
                |row| {
                    if row.set.is_empty() {
                        return;
                    }
                    let mark =
                        Mark { key: keys[row.number], side: sides[row.number], site: read.site(row.number, method) };
                    let marked = method.mark(row.text, row.set, mark, *how);
                    checks[row.number] = marked.check;
                    (nodes[row.number], sizes[row.number]) = (marked.node, row.set.len() as u32);
                    match (&mut *poster, &signed) {
                        (Posters::Signatures(poster, keys), Some(signing)) => {
                            beside[row.number] = (mark.site, marked.set_hash);
                            if marked.is_comparable {
                                signing.post(keys, marked.signed, |features, pieces, simhash| {
                                    let (features, pieces) = (features.iter().copied(), pieces.iter().copied());
                                    poster.post(marked.node, features, pieces, simhash);
                                });
                            }
                        }
                        (Posters::Elements(poster), _) => poster.post(marked.node, row.set),
                        (Posters::Signatures(..), None) => (),
                    }
                },
            );
            let prints = beside.iter().flat_map(|(_, print)| print.to_be_bytes()).collect();
            let sites = of_words(beside.iter().map(|(site, _)| *site));
            [of_words(nodes), of_halves(sizes), of_halves(checks), sites, prints]
        });
        Ok(columns.map(|column: Vec<u8>| PyBytes::new(py, &column)))
    }

    /// Bytes that are waiting.
    fn waiting(&self) -> usize {
        match &self.poster {
            Posters::Elements(poster) => poster.bytes(),
            Posters::Signatures(poster, _) => poster.bytes(),
        }
    }

    /// Takes waiting blobs with their buckets: about this many bytes, or nothing if none wait.
    fn take<'py>(&mut self, py: Python<'py>, most: usize) -> Vec<(u32, Bound<'py, PyBytes>)> {
        let taken = match &mut self.poster {
            Posters::Elements(poster) => poster.take(most),
            Posters::Signatures(poster, _) => poster.take(most),
        };
        taken.into_iter().map(|(bucket, blob)| (bucket, PyBytes::new(py, &blob))).collect()
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
