//! Whole jobs of the command, from files to files, described by the command's own arguments.

use std::ffi::OsString;
use std::sync::Arc;

use lookalike_cli::{dedup_job, print_for_program};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::call::{job_exception, run};
use crate::result;

/// Runs a command, and returns its exit status, what it prints, and its messages.
#[pyfunction]
pub fn run_job(
    py: Python<'_>,
    arguments: Vec<OsString>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(u8, String, String)> {
    let printed = run(py, progress, |handle| print_for_program(arguments, Arc::new(handle.clone())), job_exception)?;
    Ok((printed.status, printed.text, printed.messages))
}

/// Runs `dedup`, and returns its report with what was decided on each document.
#[pyfunction]
pub fn decide_job<'py>(
    py: Python<'py>,
    arguments: Vec<OsString>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(String, Bound<'py, PyDict>)> {
    let job = dedup_job(arguments).map_err(job_exception)?;
    let report = run(py, progress, |handle| job.run(handle), job_exception)?;
    Ok((result::json(&report)?, result::fates(py, &report)?))
}
