//! Decides at the driver which sets are kept.

use std::collections::{HashMap, HashSet};

use lookalike::engine::{Node, NodeFilter, NodePair, Settling};
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

/// Nodes, twins, and similarities as 64-bit floats.
type Removed<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>);

#[pymethods]
impl CoreSettling {
    /// Takes nodes in keep order with the sizes of their sets. The first `pinned` are references, those of `matched` resemble a kept one that
    /// precedes all of them.
    #[new]
    fn new(
        settings: Settings,
        threshold: &str,
        nodes: &[u8],
        sizes: &[u8],
        pinned: u32,
        heavy: &[u8],
        matched: &[u8],
    ) -> PyResult<CoreSettling> {
        let mut settling = Settling::new(threshold_of(&settings, threshold)?, halves(sizes).collect(), pinned);
        let nodes: Vec<Node> = words(nodes).collect();
        let places: HashMap<Node, u32> = nodes.iter().copied().zip(0..).collect();
        words(matched).filter_map(|node| places.get(&node)).for_each(|&place| settling.match_outside(place));
        let heavy = words(heavy).collect();
        Ok(CoreSettling { settling, nodes, places, heavy, end: pinned, open: Vec::new(), matched: Vec::new() })
    }

    /// Adds pairs, as `CoreVerifier` returns them. Those with a set that is settled elsewhere do not count.
    fn add(&mut self, pairs: &[u8]) {
        let CoreSettling { settling, places, .. } = self;
        settling.add(pairs.as_chunks::<28>().0.iter().filter_map(|pair| {
            let node = |at: usize| u64::from_le_bytes(pair[at..at + 8].try_into().expect("it has eight bytes"));
            let common = u32::from_le_bytes(pair[16..20].try_into().expect("it has four bytes"));
            let (a, b) = (*places.get(&node(0))?, *places.get(&node(8))?);
            Some(NodePair { later: a.max(b), earlier: a.min(b), common })
        }));
    }

    /// Returns the references in heavy lists: all others there are compared with them first.
    fn begin<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let references = self.nodes[..self.end as usize].iter().copied();
        PyBytes::new(py, &of_words(references.filter(|node| self.heavy.contains(node))))
    }

    /// Begins the next block, with at most this many open sets of heavy lists, and returns these. None if all are settled. A block that was
    /// begun and not ended is begun again.
    fn begin_block<'py>(&mut self, py: Python<'py>, most: usize) -> Option<Bound<'py, PyBytes>> {
        self.end = self.settling.settled();
        if self.end as usize >= self.nodes.len() {
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

    /// Settles the block. Returns those of its open sets that are kept.
    fn end_block<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.settling.settle(self.end);
        let kept = self.open.iter().filter(|&&place| self.settling.is_kept(place));
        PyBytes::new(py, &of_words(kept.map(|&place| self.nodes[place as usize])))
    }

    /// Returns a filter of the sets in heavy lists that are compared with the kept ones of the block: those of the given filter, and those
    /// here that follow.
    fn later<'py>(&self, py: Python<'py>, filter: Vec<u8>) -> Bound<'py, PyBytes> {
        let mut filter = NodeFilter::from(filter);
        let after = self.nodes[self.end as usize..].iter().copied().filter(|node| self.heavy.contains(node));
        let matched = self.matched.iter().map(|&place| self.nodes[place as usize]);
        matched.chain(after).for_each(|node| filter.insert(node));
        PyBytes::new(py, &filter.into_bytes())
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
