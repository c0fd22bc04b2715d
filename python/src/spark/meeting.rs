//! Finds candidates.

use std::path::PathBuf;

use lookalike::engine::{
    BadBlob, Bucket, Candidates, HeavyBlob, HeavyLists, MeetingRule, NodeFilter, Role, Roles, TiledList,
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
        Ok(Some(records_of(py, &records.into_iter().enumerate().collect::<Vec<_>>())))
    }

    /// Takes the heavy lists that were met since the last call: 0, 0 and whole lists, or the number of a list, that of a tile, and the tile.
    fn take_heavy<'py>(&mut self, py: Python<'py>) -> Vec<(u64, u32, Bound<'py, PyBytes>)> {
        let heavy = self.0.take_heavy().into_iter();
        heavy.map(|HeavyBlob { list, tile, blob }| (list, tile, PyBytes::new(py, &blob))).collect()
    }

    /// Returns how many postings there were, how many pairs of them were looked at, postings in heavy lists, those of them in tiles, and the
    /// pairs of postings in lists that come in tiles.
    fn counts(&self) -> (u64, u64, u64, u64, u64) {
        let counts = self.0.counts();
        (counts.postings, counts.looked_at, counts.heavy, counts.tiled, counts.tiled_pairs)
    }
}

/// Sums up the hits of candidates. See `lookalike::engine::Candidates`.
#[pyclass]
pub struct CoreCandidates {
    candidates: Candidates,
    /// The nodes in heavy lists that are compared elsewhere.
    others: NodeFilter,
}

#[pymethods]
impl CoreCandidates {
    #[new]
    fn new(others: Vec<u8>) -> CoreCandidates {
        CoreCandidates { candidates: Candidates::default(), others: others.into() }
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

/// The nodes that are open and kept, and a filter of the later ones.
type RolesOf<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>);

fn roles_of((open, kept, later): &RolesOf) -> Roles {
    let nodes = |bytes: &Bound<'_, PyBytes>| words(bytes.as_bytes()).collect();
    Roles::new(nodes(open), nodes(kept), later.as_bytes().to_vec().into())
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
pub struct CoreTiledList {
    list: Option<TiledList>,
    /// The number of parts into which records of hits are divided. 0: pairs of nodes are returned, as part 0.
    parts: usize,
}

#[pymethods]
impl CoreTiledList {
    #[new]
    fn new(
        settings: Settings,
        threshold: &str,
        method: Arguments,
        compare: &str,
        room: usize,
        parts: usize,
    ) -> PyResult<CoreTiledList> {
        let (rule, compare) = (rule_of(&settings, threshold, method)?, compare_of(compare)?);
        Ok(CoreTiledList { list: Some(TiledList::new(rule, compare, room)), parts })
    }

    /// Adds sets of a tile with one role: 0 open, 1 kept, 2 later. Returns candidates.
    fn add<'py>(&mut self, py: Python<'py>, role: usize, blob: &[u8]) -> PyResult<Records<'py>> {
        let role = [Role::Open, Role::Kept, Role::Later].get(role).copied();
        let (Some(role), Some(list)) = (role, &mut self.list) else { return Ok(Vec::new()) };
        let (mut found, parts) = (Vec::new(), self.parts);
        py.detach(|| list.add(role, blob, |some| take_into(&mut found, some, parts))).map_err(damaged)?;
        Ok(records_of(py, &found))
    }

    /// Returns the candidates that are left.
    fn finish<'py>(&mut self, py: Python<'py>) -> Records<'py> {
        let (mut found, list, parts) = (Vec::new(), self.list.take(), self.parts);
        py.detach(|| list.into_iter().for_each(|list| list.finish(|some| take_into(&mut found, some, parts))));
        records_of(py, &found)
    }
}

/// Takes candidates as records in so many parts, or as pairs of nodes.
fn take_into(found: &mut Vec<(usize, Vec<u8>)>, candidates: &mut Candidates, parts: usize) {
    if parts == 0 {
        found.push((0, of_pairs(&candidates.take_all())));
    } else {
        found.extend(candidates.take_records(parts).into_iter().enumerate());
    }
}

fn records_of<'py>(py: Python<'py>, found: &[(usize, Vec<u8>)]) -> Records<'py> {
    let found = found.iter().filter(|(_, records)| !records.is_empty());
    found.map(|(part, records)| (*part, PyBytes::new(py, records))).collect()
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

/// Returns a filter of nodes. If the nodes of this bucket of several are given, as `divide_hashes` makes them, it is that part of the filter
/// of all.
#[pyfunction]
pub fn node_filter<'py>(py: Python<'py>, nodes: &[u8], bytes: usize, buckets: u64) -> Bound<'py, PyBytes> {
    let mut filter = NodeFilter::new(bytes);
    // Within a bucket, the rest of the number tells nodes apart.
    words(nodes).for_each(|node| filter.insert(node.wrapping_mul(buckets)));
    PyBytes::new(py, &filter.into_bytes())
}

/// Returns the numbers of all blobs, ascending, each once.
#[pyfunction]
pub fn merge_nodes<'py>(py: Python<'py>, blobs: Vec<Vec<u8>>) -> Bound<'py, PyBytes> {
    let mut nodes: Vec<u64> = blobs.iter().flat_map(|blob| words(blob)).collect();
    nodes.sort_unstable();
    nodes.dedup();
    PyBytes::new(py, &of_words(nodes))
}
