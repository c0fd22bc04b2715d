//! Says where the sets of candidates meet.

use std::collections::HashMap;

use lookalike::engine::{Node, Places};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::bytes::{halves, of_halves, of_pairs, of_words, pairs, words};

/// For each set that moves the hash of its key, where its places begin, places, and the candidates of each place.
type Placed<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>, Vec<Bound<'py, PyBytes>>);

/// Distributes candidates over places of about `usual` elements, with room for `most`. Of each node its size and the hash of its key are
/// known.
#[pyfunction]
pub fn place_candidates<'py>(
    py: Python<'py>,
    candidates: &[u8],
    nodes: &[u8],
    sizes: &[u8],
    hashes: &[u8],
    usual: u64,
    most: u64,
) -> PyResult<Placed<'py>> {
    let known: HashMap<Node, (u32, u64)> = words(nodes).zip(halves(sizes).zip(words(hashes))).collect();
    let candidates: Vec<(Node, Node)> = pairs(candidates).collect();
    let is_known = |node: &Node| known.contains_key(node);
    if !candidates.iter().all(|(a, b)| is_known(a) && is_known(b)) {
        return Err(PyValueError::new_err(
            "a candidate has no document: the data frame must give the same rows each time",
        ));
    }
    let places = py.detach(|| Places::new(&candidates, |node| known[&node].0.into(), usual, most));
    Ok((
        PyBytes::new(py, &of_words(places.nodes.iter().map(|node| known[node].1))),
        PyBytes::new(py, &of_halves(places.starts.iter().copied())),
        PyBytes::new(py, &of_halves(places.places.iter().copied())),
        places.candidates.iter().map(|pairs| PyBytes::new(py, &of_pairs(pairs))).collect(),
    ))
}
