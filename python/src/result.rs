//! Answers as Python objects: numbers as bytes, which `array` and numpy take without a loop.

use lookalike::engine::{Clusters, Fate, Progress};
use lookalike::{Broken, Corpus, Deduped, Error, Handle, Pairs};
use lookalike_engine::DedupReport;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// 64-bit integers as bytes of this machine.
fn integers<'py>(py: Python<'py>, numbers: impl Iterator<Item = usize>) -> Bound<'py, PyBytes> {
    let bytes: Vec<u8> = numbers.flat_map(|number| (number as i64).to_ne_bytes()).collect();
    PyBytes::new(py, &bytes)
}

fn floats<'py>(py: Python<'py>, numbers: impl Iterator<Item = f64>) -> Bound<'py, PyBytes> {
    let bytes: Vec<u8> = numbers.flat_map(f64::to_ne_bytes).collect();
    PyBytes::new(py, &bytes)
}

fn truths<'py>(py: Python<'py>, values: impl Iterator<Item = bool>) -> Bound<'py, PyBytes> {
    PyBytes::new(py, &values.map(u8::from).collect::<Vec<u8>>())
}

/// Which documents are kept, and the twins of the others.
pub fn decision<'py>(py: Python<'py>, result: &Deduped, documents: usize) -> PyResult<Bound<'py, PyDict>> {
    let answer = PyDict::new(py);
    answer.set_item("threshold", result.threshold().value().to_string())?;
    answer.set_item("kept", truths(py, (0..documents).map(|document| result.is_kept(document))))?;
    answer.set_item("removed", integers(py, result.removed().map(|removed| removed.document)))?;
    answer.set_item("twins", integers(py, result.removed().map(|removed| removed.twin)))?;
    answer.set_item("references", truths(py, result.removed().map(|removed| removed.is_reference)))?;
    answer.set_item("similarities", floats(py, result.removed().map(|removed| removed.similarity)))?;
    answer.set_item("identical", truths(py, result.removed().map(|removed| removed.identical)))?;
    let members = result.cluster_members();
    answer.set_item("clusters", integers(py, members.iter().map(|&(number, _)| number)))?;
    answer.set_item("members", integers(py, members.iter().map(|&(_, document)| document)))?;
    let bins: Vec<(f64, f64, u64)> = result.histogram().iter().map(|bin| (bin.from, bin.to, bin.count)).collect();
    answer.set_item("histogram", bins)?;
    Ok(answer)
}

/// Which documents a job keeps, and the twins of the others.
pub fn fates<'py>(py: Python<'py>, report: &DedupReport) -> PyResult<Bound<'py, PyDict>> {
    let (answer, documents) = (PyDict::new(py), report.documents as usize);
    let own = &report.fates[..documents];
    let removed: Vec<(usize, usize, f64, bool)> = own
        .iter()
        .enumerate()
        .filter_map(|(document, fate)| match *fate {
            Fate::Removed { twin, similarity, identical } => Some((document, twin as usize, similarity, identical)),
            Fate::Kept => None,
        })
        .collect();
    let twin = |&(_, twin, ..): &(usize, usize, f64, bool)| if twin < documents { twin } else { twin - documents };
    answer.set_item("kept", truths(py, own.iter().map(Fate::is_kept)))?;
    answer.set_item("removed", integers(py, removed.iter().map(|one| one.0)))?;
    answer.set_item("twins", integers(py, removed.iter().map(twin)))?;
    answer.set_item("references", truths(py, removed.iter().map(|one| one.1 >= documents)))?;
    answer.set_item("similarities", floats(py, removed.iter().map(|one| one.2)))?;
    answer.set_item("identical", truths(py, removed.iter().map(|one| one.3)))?;
    let clusters = Clusters::of(&report.fates);
    let members = clusters.members();
    let numbers = members.iter().map(|&member| clusters.number(member).unwrap_or_default() as usize);
    answer.set_item("clusters", integers(py, numbers))?;
    answer.set_item("members", integers(py, members.iter().map(|&member| member as usize)))?;
    let bins: Vec<(f64, f64, u64)> = report.histogram.iter().map(|bin| (bin.from, bin.to, bin.count)).collect();
    answer.set_item("histogram", bins)?;
    Ok(answer)
}

/// A report as JSON.
pub fn json(report: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(report).map_err(|error| PyRuntimeError::new_err(error.to_string()))
}

/// Pairs in columns, with the counts behind their similarities: 28 bytes a pair.
#[derive(Default)]
pub struct Found {
    a: Vec<u32>,
    b: Vec<u32>,
    similarities: Vec<f64>,
    common: Vec<u32>,
    size_a: Vec<u32>,
    size_b: Vec<u32>,
}

impl Found {
    pub fn of(pairs: Pairs, own: &Corpus, other: &Corpus, handle: &Handle) -> Result<Found, Error> {
        let mut found = Found::default();
        let Found { a, b, similarities, common, size_a, size_b } = &mut found;
        [&mut *a, b, common, size_a, size_b].into_iter().for_each(|column| column.reserve_exact(pairs.len()));
        similarities.reserve_exact(pairs.len());
        for (at, pair) in pairs.enumerate() {
            if at.is_multiple_of(1 << 16) && handle.is_cancelled() {
                return Err(Error::Cancelled);
            }
            a.push(pair.a as u32);
            b.push(pair.b as u32);
            similarities.push(pair.similarity);
            common.push(pair.common as u32);
            size_a.push(own.size(pair.a) as u32);
            size_b.push(other.size(pair.b) as u32);
        }
        Ok(found)
    }

    /// Hands over one column after another, so that only one is there twice.
    pub fn columns(self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        let answer = PyDict::new(py);
        let Found { a, b, similarities, common, size_a, size_b } = self;
        let columns = [("a", a), ("b", b), ("common", common), ("size_a", size_a), ("size_b", size_b)];
        for (name, column) in columns {
            answer.set_item(name, filled(py, &column, u32::to_ne_bytes)?)?;
        }
        answer.set_item("similarities", filled(py, &similarities, f64::to_ne_bytes)?)?;
        Ok(answer)
    }
}

/// Numbers as bytes of this machine.
fn filled<'py, T: Copy, const N: usize>(
    py: Python<'py>,
    numbers: &[T],
    bytes: impl Fn(T) -> [u8; N],
) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, N * numbers.len(), |room| {
        room.chunks_exact_mut(N).zip(numbers).for_each(|(place, &number)| place.copy_from_slice(&bytes(number)));
        Ok(())
    })
}

/// A broken promise: its kind, the two documents, whether the second is a reference, and the exact and the stated similarity.
pub type Row = (&'static str, usize, usize, bool, Option<f64>, Option<f64>);

pub fn broken(promises: &[Broken]) -> Vec<Row> {
    let row = |promise: &Broken| match *promise {
        Broken::TwinRemoved { document, twin } => ("twin removed", document, twin, false, None, None),
        Broken::NotSimilar { document, twin, similarity } => {
            ("not similar", document, twin, false, Some(similarity), None)
        }
        Broken::WrongSimilarity { document, twin, stated, similarity } => {
            ("wrong similarity", document, twin, false, Some(similarity), Some(stated))
        }
        Broken::BothKept { a, b, is_reference, similarity } => {
            ("both kept", a, b, is_reference, Some(similarity), None)
        }
        _ => ("other", 0, 0, false, None, None),
    };
    promises.iter().map(row).collect()
}
