//! Whole jobs of the command, from files to files. Their reports are JSON.

use std::path::{Path, PathBuf};

use lookalike::Threshold;
use lookalike_engine::{
    Dedup, Error, GrowIndex, Keep, KeptTarget, Outputs, QueryIndex, RemoveFromIndex, Rule, RunOptions, ShowIndex,
    Verify, usual_memory,
};
use lookalike_io::resolve;
use lookalike_io::spill::Space;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::call::{job_exception, run};
use crate::files::Files;
use crate::settings::{Settings, parsed};

/// Options of a job that removes near-duplicates.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Job {
    against: Vec<String>,
    keep: String,
    within: Vec<String>,
    components: bool,
    output: Option<String>,
    removed: Option<PathBuf>,
    pairs: Option<PathBuf>,
    clusters: Option<PathBuf>,
    annotate: Option<PathBuf>,
    bad: Option<PathBuf>,
    force: bool,
    strict: bool,
    index: Option<PathBuf>,
    existing: String,
    run: Option<PathBuf>,
    tmp: Option<PathBuf>,
}

/// Removes near-duplicates from files.
#[pyfunction]
pub fn dedup_files(
    py: Python<'_>,
    files: Files,
    threshold: &str,
    job: Job,
    settings: Settings,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let keep: Keep = parsed(&job.keep)?;
    let load = files.load(&settings, keep.clone(), &job.within)?;
    let against = resolve(&job.against, files.format()?).map_err(|error| job_exception(error.into()))?;
    let existing = parsed(&job.existing)?;
    let mut collector = load.collector;
    collector.strict = job.strict;
    collector.memory = settings.memory.map(|bytes| bytes as u64).or_else(usual_memory);
    collector.space = job.tmp.map_or_else(Space::default, Space::new);
    let dedup = Dedup {
        inputs: load.inputs,
        against,
        collector,
        threshold: Threshold::new(settings.measure, threshold)
            .map_err(|error| job_exception(Error::Usage(error.to_string())))?,
        keep,
        rule: if job.components { Rule::Components } else { Rule::Survivors },
        verify: Verify::Threshold,
        index: job.index.map(|folder| GrowIndex { folder, existing }),
        outputs: Outputs {
            kept: job.output.map(|output| target(&output)),
            removed: job.removed,
            pairs: job.pairs,
            clusters: job.clusters,
            annotate: job.annotate,
            bad: job.bad,
            force: job.force,
        },
        run: job.run.map(|folder| RunOptions { folder, restart: false }),
    };
    let report = run(py, progress, |handle| dedup.run(handle), job_exception)?;
    json(&report)
}

/// A name that ends in a slash is a folder.
fn target(output: &str) -> KeptTarget {
    match output.strip_suffix('/') {
        Some(folder) => KeptTarget::Folder(PathBuf::from(if folder.is_empty() { "/" } else { folder })),
        None => KeptTarget::File(PathBuf::from(output)),
    }
}

/// Finds the documents of an index that those of files resemble.
#[pyfunction]
pub fn query_index(
    py: Python<'_>,
    folder: PathBuf,
    files: Files,
    output: PathBuf,
    threshold: Option<String>,
    settings: Settings,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let load = files.load(&settings, Keep::First, &[])?;
    let query = QueryIndex { folder, inputs: load.inputs, collector: load.collector, threshold, output, force: true };
    let report = run(py, progress, |handle| query.run(handle), job_exception)?;
    json(&report)
}

/// Takes documents out of an index.
#[pyfunction]
pub fn remove_from_index(py: Python<'_>, folder: PathBuf, ids: Vec<String>) -> PyResult<String> {
    let report = run(py, None, |_| RemoveFromIndex { folder, ids }.run(), job_exception)?;
    json(&report)
}

/// Describes an index, if there is one in the folder.
#[pyfunction]
pub fn show_index(py: Python<'_>, folder: PathBuf) -> PyResult<Option<String>> {
    if !has_index(&folder) {
        return Ok(None);
    }
    let report = run(py, None, |_| ShowIndex { folder }.run(), job_exception)?;
    json(&report).map(Some)
}

fn has_index(folder: &Path) -> bool {
    folder.read_dir().is_ok_and(|mut entries| entries.next().is_some())
}

fn json(report: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(report).map_err(|error| PyRuntimeError::new_err(error.to_string()))
}
