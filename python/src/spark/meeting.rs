//! Finds candidates.

use std::path::PathBuf;

use lookalike::engine::{
    BadBlob, Bucket, Candidates, HeavyBlob, HeavyLists, MeetingRule, Node, Role, Roles, TiledList,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::bytes::{compare_of, of_pairs, of_words, pairs, words};
use super::method::{Arguments, Method};
use super::waiting::Waiting;
use crate::settings::Settings;

/// The postings of a bucket. See `lookalike::engine::Bucket`.
#[pyclass]
pub struct CoreBucket(Bucket<Waiting>);

/// Records of candidates, by part.
type Records<'py> = Vec<(usize, Bound<'py, PyBytes>)>;

#[pymethods]
impl CoreBucket {
    /// Holds about `hold` postings at a time. The others wait in a temporary file in this folder.
    #[new]
    fn new(
        settings: Settings,
        threshold: &str,
        method: Arguments,
        compare: &str,
        hold: usize,
        folder: PathBuf,
    ) -> PyResult<CoreBucket> {
        let (rule, waiting) = (rule_of(&settings, threshold, method)?, Waiting::new(folder));
        Ok(CoreBucket(Bucket::new(rule, compare_of(compare)?, hold, waiting)))
    }

    fn add(&mut self, blob: &[u8]) -> PyResult<()> {
        Ok(self.0.add(blob)?)
    }

    /// Compares the sets of more lists. Returns about `room` candidates, or None at the end.
    fn next<'py>(
        &mut self,
        py: Python<'py>,
        most: u64,
        longest: usize,
        room: usize,
        parts: usize,
    ) -> PyResult<Option<Records<'py>>> {
        let found = py.detach(|| {
            self.0.next(most, longest, room).map(|found| found.map(|candidates| candidates.take_records(parts)))
        })?;
        let Some(records) = found else { return Ok(None) };
        let records = records.into_iter().enumerate().filter(|(_, records)| !records.is_empty());
        Ok(Some(records.map(|(part, records)| (part, PyBytes::new(py, &records))).collect()))
    }

    /// Takes the heavy lists that were met since the last call: 0 and whole lists, or the number of a list and a tile of it.
    fn take_heavy<'py>(&mut self, py: Python<'py>) -> Vec<(u64, Bound<'py, PyBytes>)> {
        let heavy = self.0.take_heavy().into_iter();
        heavy.map(|HeavyBlob { list, blob }| (list, PyBytes::new(py, &blob))).collect()
    }

    /// Returns how many postings there were, how many pairs of them were looked at, postings in heavy lists, and tiles.
    fn counts(&self) -> (u64, u64, u64, u64) {
        let counts = self.0.counts();
        (counts.postings, counts.looked_at, counts.heavy, counts.tiles)
    }
}

/// Sums up the hits of candidates. See `lookalike::engine::Candidates`.
#[pyclass]
pub struct CoreCandidates {
    candidates: Candidates,
    /// The nodes in heavy lists, ascending.
    others: Vec<Node>,
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
type RolesOf<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>);

fn roles_of((open, kept, later): &RolesOf) -> Roles {
    let nodes = |bytes: &Bound<'_, PyBytes>| words(bytes.as_bytes()).collect();
    Roles::new(nodes(open), nodes(kept), nodes(later))
}

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
        roles: RolesOf,
        room: usize,
    ) -> PyResult<CoreHeavy> {
        let (rule, compare) = (rule_of(&settings, threshold, method)?, compare_of(compare)?);
        Ok(CoreHeavy(HeavyLists::new(rule, compare, roles_of(&roles), room)))
    }

    /// Returns the candidates in the lists of a blob.
    fn compare<'py>(&mut self, py: Python<'py>, blob: &[u8]) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let mut found = Vec::new();
        py.detach(|| self.0.compare(blob, |some| found.push(of_pairs(&some)))).map_err(damaged)?;
        Ok(with_content(py, &found))
    }
}

fn with_content<'py>(py: Python<'py>, found: &[Vec<u8>]) -> Vec<Bound<'py, PyBytes>> {
    found.iter().filter(|some| !some.is_empty()).map(|some| PyBytes::new(py, some)).collect()
}

/// Divides the tiles of heavy lists by the roles of their sets. See `lookalike::engine::TiledList`.
#[pyclass]
pub struct CoreRoles {
    rule: MeetingRule,
    roles: Roles,
}

#[pymethods]
impl CoreRoles {
    #[new]
    fn new(settings: Settings, threshold: &str, method: Arguments, roles: RolesOf) -> PyResult<CoreRoles> {
        Ok(CoreRoles { rule: rule_of(&settings, threshold, method)?, roles: roles_of(&roles) })
    }

    /// Divides a tile: the open sets, the kept ones, the later ones.
    fn divide<'py>(&self, py: Python<'py>, blob: &[u8]) -> PyResult<[Bound<'py, PyBytes>; 3]> {
        let divided = py.detach(|| self.roles.divide(&self.rule, blob)).map_err(damaged)?;
        Ok(divided.map(|some| PyBytes::new(py, &some)))
    }
}

/// A list that comes in tiles. See `lookalike::engine::TiledList`.
#[pyclass]
pub struct CoreTiledList(Option<TiledList>);

#[pymethods]
impl CoreTiledList {
    #[new]
    fn new(
        settings: Settings,
        threshold: &str,
        method: Arguments,
        compare: &str,
        room: usize,
    ) -> PyResult<CoreTiledList> {
        Ok(CoreTiledList(Some(TiledList::new(rule_of(&settings, threshold, method)?, compare_of(compare)?, room))))
    }

    /// Adds sets of a tile with one role: 0 open, 1 kept, 2 later. Returns candidates.
    fn add<'py>(&mut self, py: Python<'py>, role: usize, blob: &[u8]) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let role = [Role::Open, Role::Kept, Role::Later].get(role).copied();
        let (Some(role), Some(list)) = (role, &mut self.0) else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        py.detach(|| list.add(role, blob, |some| found.push(of_pairs(&some)))).map_err(damaged)?;
        Ok(with_content(py, &found))
    }

    /// Returns the candidates that are left.
    fn finish<'py>(&mut self, py: Python<'py>) -> Vec<Bound<'py, PyBytes>> {
        let (mut found, list) = (Vec::new(), self.0.take());
        py.detach(|| list.into_iter().for_each(|list| list.finish(|some| found.push(of_pairs(&some)))));
        with_content(py, &found)
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
