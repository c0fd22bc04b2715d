//! Finds candidates.

use hashbrown::HashSet;
use lookalike::engine::{BadBlob, Candidates, HeavyLists, Meeting, MeetingRule, Node, Role};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::bytes::{compare_of, of_pairs, of_words, pairs, words};
use super::method::{Arguments, Method};
use crate::settings::Settings;

/// The postings of a bucket. See `lookalike::engine::Meeting`.
#[pyclass]
pub struct CoreMeeting(Meeting);

/// Records of candidates, by part.
type Records<'py> = Vec<(usize, Bound<'py, PyBytes>)>;

#[pymethods]
impl CoreMeeting {
    #[new]
    fn new(settings: Settings, threshold: &str, method: Arguments, compare: &str) -> PyResult<CoreMeeting> {
        Ok(CoreMeeting(Meeting::new(rule_of(&settings, threshold, method)?, compare_of(compare)?)))
    }

    fn add(&mut self, blob: &[u8]) -> PyResult<()> {
        self.0.add(blob).map_err(damaged)
    }

    /// Compares the sets of more lists. Returns about `room` candidates, or None at the end.
    fn next<'py>(
        &mut self,
        py: Python<'py>,
        most: u64,
        longest: usize,
        room: usize,
        parts: usize,
    ) -> Option<Records<'py>> {
        let records = py.detach(|| self.0.next(most, longest, room).map(|found| found.take_records(parts)))?;
        let records = records.into_iter().enumerate().filter(|(_, records)| !records.is_empty());
        Some(records.map(|(part, records)| (part, PyBytes::new(py, &records))).collect())
    }

    /// Returns the heavy lists, how many postings they have, all postings, and the pairs of postings that were looked at.
    fn finish<'py>(&mut self, py: Python<'py>) -> (Bound<'py, PyBytes>, u64, u64, u64) {
        let (heavy, heavy_postings) = self.0.heavy();
        let (postings, looked_at) = self.0.counts();
        (PyBytes::new(py, &heavy), heavy_postings, postings, looked_at)
    }
}

/// Sums up the hits of candidates. See `lookalike::engine::Candidates`.
#[pyclass]
pub struct CoreCandidates {
    candidates: Candidates,
    /// The nodes in heavy lists.
    others: HashSet<Node>,
}

#[pymethods]
impl CoreCandidates {
    #[new]
    fn new(others: &[u8]) -> CoreCandidates {
        CoreCandidates { candidates: Candidates::default(), others: words(others).collect() }
    }

    fn add(&mut self, records: &[u8]) -> PyResult<()> {
        self.candidates.add(records).map_err(damaged)
    }

    fn take<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &of_pairs(&self.candidates.take(&self.others)))
    }
}

/// When two sets that meet are candidates.
fn rule_of(settings: &Settings, threshold: &str, method: Arguments) -> PyResult<MeetingRule> {
    let Method { threshold, signatures } = Method::new(settings, threshold, method)?;
    Ok(signatures.map_or(MeetingRule::Elements(threshold), |signatures| signatures.keys.rule))
}

fn damaged(error: BadBlob) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The nodes that are open, kept and later.
type Roles<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>);

/// Heavy lists. See `lookalike::engine::HeavyLists`.
#[pyclass]
pub struct CoreHeavy(HeavyLists);

#[pymethods]
impl CoreHeavy {
    #[new]
    fn new(
        settings: Settings,
        threshold: &str,
        method: Arguments,
        compare: &str,
        roles: Roles,
        room: usize,
    ) -> PyResult<CoreHeavy> {
        let with = |nodes, role| words(nodes).map(move |node| (node, role));
        let (open, kept, later) = (roles.0.as_bytes(), roles.1.as_bytes(), roles.2.as_bytes());
        let roles = with(open, Role::Open).chain(with(kept, Role::Kept)).chain(with(later, Role::Later)).collect();
        Ok(CoreHeavy(HeavyLists::new(rule_of(&settings, threshold, method)?, compare_of(compare)?, roles, room)))
    }

    /// Returns the candidates in the lists of a blob.
    fn compare<'py>(&mut self, py: Python<'py>, blob: &[u8]) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let mut found = Vec::new();
        py.detach(|| self.0.compare(blob, |some| found.push(of_pairs(&some)))).map_err(damaged)?;
        Ok(found.iter().filter(|some| !some.is_empty()).map(|some| PyBytes::new(py, some)).collect())
    }
}

/// Returns the candidates of all blobs, each once.
#[pyfunction]
pub fn merge_candidates<'py>(py: Python<'py>, blobs: Vec<Vec<u8>>) -> Bound<'py, PyBytes> {
    let merged = py.detach(|| {
        let mut all: Vec<_> = blobs.iter().flat_map(|blob| pairs(blob)).collect();
        all.sort_unstable();
        all.dedup();
        of_pairs(&all)
    });
    PyBytes::new(py, &merged)
}

/// Returns the groups of equal documents, on either side, that are in a candidate with another: their nodes on side 0.
#[pyfunction]
pub fn groups_that_meet<'py>(py: Python<'py>, candidates: &[u8]) -> Bound<'py, PyBytes> {
    let different = pairs(candidates).filter(|(a, b)| a >> 1 != b >> 1);
    let mut groups: Vec<u64> = different.flat_map(|(a, b)| [a & !1, b & !1]).collect();
    groups.sort_unstable();
    groups.dedup();
    PyBytes::new(py, &of_words(groups))
}

/// Returns the nodes in a blob of heavy lists, each once.
#[pyfunction]
pub fn heavy_nodes<'py>(
    py: Python<'py>,
    settings: Settings,
    threshold: &str,
    method: Arguments,
    blob: &[u8],
) -> PyResult<Bound<'py, PyBytes>> {
    let nodes = HeavyLists::nodes(&rule_of(&settings, threshold, method)?, blob).map_err(damaged)?;
    Ok(PyBytes::new(py, &of_words(nodes)))
}

/// Returns the numbers of all blobs, ascending, each once.
#[pyfunction]
pub fn merge_nodes<'py>(py: Python<'py>, blobs: Vec<Vec<u8>>) -> Bound<'py, PyBytes> {
    let mut nodes: Vec<u64> = blobs.iter().flat_map(|blob| words(blob)).collect();
    nodes.sort_unstable();
    nodes.dedup();
    PyBytes::new(py, &of_words(nodes))
}
