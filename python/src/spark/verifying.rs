//! Compares the sets of candidates.

use std::collections::{BTreeSet, HashMap};

use lookalike::engine::{Difference, Node, SetMaker, common, differences};
use lookalike_engine::{MOST_TERMS, Signed};
use lookalike_io::extract::words;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::bytes::{of_words, pairs, threshold_of, words as words_of};
use super::method::{Arguments, Method, Nodes};
use super::shipping::open_parcel;
use super::twins::unpack_pairs;
use crate::settings::Settings;

/// The candidates of a place, and their sets.
#[pyclass]
pub struct CoreVerifier {
    method: Method,
    maker: SetMaker,
    nodes: Nodes,
    /// Makes sequences of words, if pairs are to say in how many words they differ.
    words: Option<SetMaker>,
    candidates: Vec<(Node, Node)>,
    sets: HashMap<Node, Arrived>,
}

/// A document that has arrived.
struct Arrived {
    set: Vec<u64>,
    within: u64,
    numbers: Vec<u64>,
    site: u64,
    words: Vec<u64>,
}

/// The pairs: the two nodes, common elements, and the two sizes. What is beside them: super-shingles and bits that are equal, and words
/// that differ. And the groups of equal documents, on either side, that are in a candidate whose signatures passed: their nodes on side 0.
type Found<'py> = [Bound<'py, PyBytes>; 3];

#[pymethods]
impl CoreVerifier {
    #[new]
    fn new(
        settings: Settings,
        threshold: &str,
        method: Arguments,
        own: bool,
        seed: u64,
        beside: bool,
    ) -> PyResult<CoreVerifier> {
        let (method, recipe) = (Method::new(&settings, threshold, method)?, settings.recipe());
        let (maker, words) = (SetMaker::new(recipe), beside.then(|| words(recipe)));
        let nodes = Nodes { own, seed };
        Ok(CoreVerifier { method, maker, nodes, words, candidates: Vec::new(), sets: HashMap::new() })
    }

    fn add_candidates(&mut self, candidates: &[u8]) {
        self.candidates.extend(pairs(candidates));
    }

    fn add_parcel(&mut self, py: Python<'_>, parcel: &[u8]) -> PyResult<()> {
        let damaged = |error| PyValueError::new_err(format!("a parcel is damaged: {error}"));
        let CoreVerifier { method, maker, nodes, words, sets, .. } = self;
        py.detach(|| {
            open_parcel(parcel, |mark, within, text| {
                let set = maker.set_within(text, within);
                let marked = method.mark(text, set, mark, *nodes);
                sets.entry(marked.node).or_insert_with(|| Arrived {
                    set: set.to_vec(),
                    within,
                    numbers: marked.signed.numbers.to_vec(),
                    site: mark.site,
                    words: words.as_mut().map_or_else(Vec::new, |words| words.sequence(text).to_vec()),
                });
            })
        })
        .map_err(damaged)
    }

    /// Returns the pairs among the candidates. Fails if a set has not arrived.
    fn finish<'py>(&mut self, py: Python<'py>) -> PyResult<Found<'py>> {
        let (candidates, sets) = (std::mem::take(&mut self.candidates), std::mem::take(&mut self.sets));
        if !candidates.iter().all(|(a, b)| sets.contains_key(a) && sets.contains_key(b)) {
            return Err(PyValueError::new_err(
                "a row that was there when it was first read has changed or is gone: the data frame must give the same rows each time \
                 (write it to a file first)",
            ));
        }
        let (mut out, mut beside, mut met) = (Vec::new(), Vec::new(), BTreeSet::new());
        py.detach(|| {
            for (a, b) in candidates {
                let (one, two) = (&sets[&a], &sets[&b]);
                if !self.passes(one, two) {
                    continue;
                }
                if a >> 1 != b >> 1 {
                    met.extend([a & !1, b & !1]);
                }
                let (shared, sizes) = (common(&one.set, &two.set), [one.set.len() as u32, two.set.len() as u32]);
                let reaches = !self.method.must_reach() || self.method.threshold.reaches(shared, sizes[0], sizes[1]);
                // Signatures that are not made from sets ignore what documents are compared within.
                if !reaches || one.within != two.within {
                    continue;
                }
                [a, b].iter().for_each(|node| out.extend_from_slice(&node.to_le_bytes()));
                [shared, sizes[0], sizes[1]].iter().for_each(|number| out.extend_from_slice(&number.to_le_bytes()));
                let numbers = self.beside(one, two);
                numbers.iter().flatten().for_each(|number| beside.extend_from_slice(&number.to_le_bytes()));
            }
        });
        let met = if self.method.signatures.is_some() { of_words(met) } else { Vec::new() };
        Ok([out, beside, met].map(|bytes| PyBytes::new(py, &bytes)))
    }
}

impl CoreVerifier {
    fn passes(&self, one: &Arrived, two: &Arrived) -> bool {
        self.method
            .signatures
            .as_ref()
            .is_none_or(|signatures| signatures.method.signing.passes(one.signed(), two.signed()))
    }

    /// Super-shingles and bits that are equal, and words that differ; the greatest number if these are too many to count.
    fn beside(&self, one: &Arrived, two: &Arrived) -> Option<[u32; 3]> {
        self.words.as_ref()?;
        let pages = self.method.signatures.as_ref()?.method.signing.of_pages(one.signed(), two.signed())?;
        let found = differences(&one.words, &two.words, MOST_TERMS);
        let terms = found.map_or(u32::MAX, |found| found.iter().map(Difference::tokens).sum::<usize>() as u32);
        Some([pages.b_similarity, pages.c_similarity, terms])
    }
}

impl Arrived {
    fn signed(&self) -> Signed<'_> {
        Signed { numbers: &self.numbers, site: self.site }
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
    let [a, b, common, size_a, size_b] = unpack_pairs(py, pairs);
    let pairs = pairs.as_chunks::<28>().0;
    let number =
        |pair: &[u8; 28], at: usize| u32::from_le_bytes(pair[at..at + 4].try_into().expect("it has four bytes"));
    let similarity = |pair: &[u8; 28]| threshold.similarity(number(pair, 16), number(pair, 20), number(pair, 24));
    let similarities: Vec<u8> = pairs.iter().flat_map(|pair| similarity(pair).to_le_bytes()).collect();
    Ok([a, b, common, size_a, size_b, PyBytes::new(py, &similarities)])
}

/// Divides what is beside pairs, as `CoreVerifier` returns it, into columns.
#[pyfunction]
pub fn columns_of_beside<'py>(py: Python<'py>, beside: &[u8]) -> [Bound<'py, PyBytes>; 3] {
    let rows = beside.as_chunks::<12>().0;
    let column = |at: usize| rows.iter().flat_map(|row| row[at..at + 4].to_vec()).collect::<Vec<u8>>();
    [0, 4, 8].map(|at| PyBytes::new(py, &column(at)))
}

/// Returns the nodes of pairs, as `CoreVerifier` returns them, each once.
#[pyfunction]
pub fn nodes_of_pairs<'py>(py: Python<'py>, pairs: &[u8]) -> Bound<'py, PyBytes> {
    let nodes: BTreeSet<u64> = pairs.as_chunks::<28>().0.iter().flat_map(|pair| words_of(&pair[..16])).collect();
    PyBytes::new(py, &of_words(nodes))
}
