//! Decides at the driver which sets are kept.

use std::collections::{HashMap, HashSet};

use lookalike::engine::{Node, NodePair, Settling};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::bytes::{halves, of_words, threshold_of, words};
use crate::settings::Settings;

/// Sets in keep order. See `lookalike::engine::Settling`.
#[pyclass]
pub struct CoreSettling {
    settling: Settling,
    nodes: Vec<Node>,
    places: HashMap<Node, u32>,
    /// Those in heavy lists.
    heavy: HashSet<Node>,
    /// The block that is being settled: its end, and its sets without a match.
    end: u32,
    open: Vec<u32>,
    matched: Vec<u32>,
}

type Two<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>);
/// Nodes, twins, and similarities as 64-bit floats.
type Removed<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>);

#[pymethods]
impl CoreSettling {
    /// Takes nodes in keep order with the sizes of their sets. The first `pinned` are references.
    #[new]
    fn new(
        settings: Settings,
        threshold: &str,
        nodes: &[u8],
        sizes: &[u8],
        pinned: u32,
        heavy: &[u8],
    ) -> PyResult<CoreSettling> {
        let settling = Settling::new(threshold_of(&settings, threshold)?, halves(sizes).collect(), pinned);
        let nodes: Vec<Node> = words(nodes).collect();
        let places = nodes.iter().copied().zip(0..).collect();
        let heavy = words(heavy).collect();
        Ok(CoreSettling { settling, nodes, places, heavy, end: pinned, open: Vec::new(), matched: Vec::new() })
    }

    /// Adds pairs, as `CoreVerifier` returns them.
    fn add(&mut self, pairs: &[u8]) {
        let CoreSettling { settling, places, .. } = self;
        settling.add(pairs.as_chunks::<28>().0.iter().map(|pair| {
            let node = |at: usize| u64::from_le_bytes(pair[at..at + 8].try_into().expect("it has eight bytes"));
            let common = u32::from_le_bytes(pair[16..20].try_into().expect("it has four bytes"));
            let (a, b) = (places[&node(0)], places[&node(8)]);
            NodePair { later: a.max(b), earlier: a.min(b), common }
        }));
    }

    /// Returns the references in heavy lists, and all others there: these are compared first.
    fn begin<'py>(&self, py: Python<'py>) -> Two<'py> {
        let (kept, later) = self.nodes.split_at(self.end as usize);
        let heavy = |nodes: &[Node]| of_words(nodes.iter().copied().filter(|node| self.heavy.contains(node)));
        (PyBytes::new(py, &heavy(kept)), PyBytes::new(py, &heavy(later)))
    }

    /// Begins the next block, with at most this many open sets of heavy lists, and returns these. None if all are settled.
    fn begin_block<'py>(&mut self, py: Python<'py>, most: usize) -> Option<Bound<'py, PyBytes>> {
        let start = self.end;
        if start as usize >= self.nodes.len() {
            return None;
        }
        self.open.clear();
        self.matched.clear();
        while (self.end as usize) < self.nodes.len() && self.open.len() < most.max(1) {
            if self.heavy.contains(&self.nodes[self.end as usize]) {
                let list = if self.settling.is_kept(self.end) { &mut self.open } else { &mut self.matched };
                list.push(self.end);
            }
            self.end += 1;
        }
        Some(PyBytes::new(py, &of_words(self.open.iter().map(|&place| self.nodes[place as usize]))))
    }

    /// Settles the block. Returns those of its open sets that are kept, and those in heavy lists to be compared with them.
    fn end_block<'py>(&mut self, py: Python<'py>) -> Two<'py> {
        self.settling.settle(self.end);
        let kept = self.open.iter().filter(|&&place| self.settling.is_kept(place));
        let kept = of_words(kept.map(|&place| self.nodes[place as usize]));
        let after = self.nodes[self.end as usize..].iter().copied().filter(|node| self.heavy.contains(node));
        let later = self.matched.iter().map(|&place| self.nodes[place as usize]).chain(after);
        let later = if kept.is_empty() { Vec::new() } else { of_words(later) };
        (PyBytes::new(py, &kept), PyBytes::new(py, &later))
    }

    /// Returns the removed sets.
    fn removed<'py>(&self, py: Python<'py>) -> Removed<'py> {
        let node = |place: u32| self.nodes[place as usize];
        let nodes = of_words(self.settling.removed().map(|(place, ..)| node(place)));
        let twins = of_words(self.settling.removed().map(|(_, twin, _)| node(twin)));
        let similarities = self.settling.removed().flat_map(|(.., similarity)| similarity.to_le_bytes());
        (PyBytes::new(py, &nodes), PyBytes::new(py, &twins), PyBytes::new(py, &similarities.collect::<Vec<u8>>()))
    }
}
