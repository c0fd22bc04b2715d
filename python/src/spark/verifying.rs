//! Compares the sets of candidates.

use std::collections::HashMap;

use lookalike::Threshold;
use lookalike::engine::{Node, SetMaker, common, hash_set, node_of};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::bytes::{pairs, threshold_of};
use super::shipping::HEAD;
use crate::settings::Settings;

/// The candidates of a place, and their sets.
#[pyclass]
pub struct CoreVerifier {
    threshold: Threshold,
    maker: SetMaker,
    own: bool,
    seed: u64,
    candidates: Vec<(Node, Node)>,
    sets: HashMap<Node, Vec<u64>>,
}

#[pymethods]
impl CoreVerifier {
    #[new]
    fn new(settings: Settings, threshold: &str, own: bool, seed: u64) -> PyResult<CoreVerifier> {
        let (threshold, maker) = (threshold_of(&settings, threshold)?, SetMaker::new(settings.recipe()));
        Ok(CoreVerifier { threshold, maker, own, seed, candidates: Vec::new(), sets: HashMap::new() })
    }

    fn add_candidates(&mut self, candidates: &[u8]) {
        self.candidates.extend(pairs(candidates));
    }

    fn add_parcel(&mut self, py: Python<'_>, parcel: &[u8]) -> PyResult<()> {
        py.detach(|| self.open(parcel)).map_err(|error| PyValueError::new_err(format!("a parcel is damaged: {error}")))
    }

    /// Returns the pairs among the candidates: the two nodes, common elements, and the two sizes. Fails if a set has not arrived.
    fn finish<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let (candidates, sets) = (std::mem::take(&mut self.candidates), std::mem::take(&mut self.sets));
        let mut out = Vec::new();
        for (a, b) in candidates {
            let (Some(one), Some(two)) = (sets.get(&a), sets.get(&b)) else {
                return Err(PyValueError::new_err(
                    "a row that was there when it was first read has changed or is gone: the data frame must give the same rows each time \
                     (write it to a file first)",
                ));
            };
            let (shared, sizes) = (common(one, two) as u32, [one.len() as u32, two.len() as u32]);
            if self.threshold.reaches(shared, sizes[0], sizes[1]) {
                out.extend_from_slice(&a.to_le_bytes());
                out.extend_from_slice(&b.to_le_bytes());
                [shared, sizes[0], sizes[1]].iter().for_each(|number| out.extend_from_slice(&number.to_le_bytes()));
            }
        }
        Ok(PyBytes::new(py, &out))
    }
}

impl CoreVerifier {
    fn open(&mut self, parcel: &[u8]) -> Result<(), String> {
        let parcel = zstd::stream::decode_all(parcel).map_err(|error| error.to_string())?;
        let mut rest = &parcel[..];
        while let Some((head, after)) = rest.split_first_chunk::<HEAD>() {
            let number = |at: usize| u64::from_le_bytes(head[at..at + 8].try_into().expect("it has eight bytes"));
            let (side, key, within) = (head[0], number(1), number(9));
            let length = u32::from_le_bytes(head[17..].try_into().expect("it has four bytes")) as usize;
            let (text, after) = after.split_at_checked(length).ok_or("it is cut off")?;
            let text = str::from_utf8(text).map_err(|error| error.to_string())?;
            let set = self.maker.set_within(text, within);
            let node = node_of(hash_set(set), self.own.then_some(key), side.into(), self.seed);
            self.sets.entry(node).or_insert_with(|| set.to_vec());
            rest = after;
        }
        if rest.is_empty() { Ok(()) } else { Err("it is cut off".to_string()) }
    }
}

/// Nodes, common elements, sizes, and similarities as 64-bit floats.
type Columns<'py> = [Bound<'py, PyBytes>; 6];

/// Divides pairs, as `CoreVerifier` returns them, into columns: a, b, common, size of a, size of b, similarity.
#[pyfunction]
pub fn columns_of_pairs<'py>(
    py: Python<'py>,
    settings: Settings,
    threshold: &str,
    pairs: &[u8],
) -> PyResult<Columns<'py>> {
    let threshold = threshold_of(&settings, threshold)?;
    let pairs = pairs.as_chunks::<28>().0;
    let column = |range: std::ops::Range<usize>| pairs.iter().flat_map(|pair| pair[range.clone()].to_vec()).collect();
    let number =
        |pair: &[u8; 28], at: usize| u32::from_le_bytes(pair[at..at + 4].try_into().expect("it has four bytes"));
    let similarity = |pair: &[u8; 28]| threshold.similarity(number(pair, 16), number(pair, 20), number(pair, 24));
    let similarities: Vec<u8> = pairs.iter().flat_map(|pair| similarity(pair).to_le_bytes()).collect();
    let columns: [Vec<u8>; 6] =
        [column(0..8), column(8..16), column(16..20), column(20..24), column(24..28), similarities];
    Ok(columns.map(|column| PyBytes::new(py, &column)))
}
