//! Answers as Python objects: numbers as bytes, which `array` and numpy take without a loop.

use lookalike::{Broken, Corpus, Deduped, Pair};
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

/// Pairs, with the counts behind their similarities.
pub fn pairs<'py>(py: Python<'py>, pairs: &[Pair], own: &Corpus, other: &Corpus) -> PyResult<Bound<'py, PyDict>> {
    let answer = PyDict::new(py);
    answer.set_item("a", integers(py, pairs.iter().map(|pair| pair.a)))?;
    answer.set_item("b", integers(py, pairs.iter().map(|pair| pair.b)))?;
    answer.set_item("similarities", floats(py, pairs.iter().map(|pair| pair.similarity)))?;
    answer.set_item("common", integers(py, pairs.iter().map(|pair| pair.common)))?;
    answer.set_item("size_a", integers(py, pairs.iter().map(|pair| own.size(pair.a))))?;
    answer.set_item("size_b", integers(py, pairs.iter().map(|pair| other.size(pair.b))))?;
    Ok(answer)
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
