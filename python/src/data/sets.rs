//! Sets of the caller: of integers, or of tokens.

use std::time::Instant;

use lookalike::engine::hash_token;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyString};

use crate::call::PERIOD;
use crate::data::column::{is_null, kind_of, text_of};

/// After how many sets and elements an interrupt is looked for.
const OFTEN: usize = 1 << 14;

/// Returns the elements of every set. A null has none. `progress` is called as [`run`](crate::call::run) does.
pub fn elements(sets: &Bound<'_, PyAny>, progress: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Vec<u64>>> {
    let mut all = Vec::new();
    let mut are_numbers = None;
    let mut watch = Watch { progress, total: sets.len().unwrap_or(0), read: 0, told: Instant::now() };
    for (row, set) in sets.try_iter()?.enumerate() {
        let set = set?;
        // A set counts too, so that an interrupt is seen among many that are empty.
        watch.look(sets.py(), row)?;
        if is_null(&set) {
            all.push(Vec::new());
            continue;
        }
        if set.cast::<PyString>().is_ok() {
            return Err(PyTypeError::new_err(format!(
                "row {row} is a str, but others are sets; give texts or sets, not both"
            )));
        }
        let mut elements = Vec::new();
        for element in set.try_iter()? {
            let element = element?;
            watch.look(sets.py(), row)?;
            let (is_number, element) = if let Ok(number) = element.cast::<PyInt>() {
                (true, number_of(number, row)?)
            } else if let Ok(token) = element.cast::<PyString>() {
                (false, hash_token(text_of(token, "sets", row)?.as_bytes()))
            } else if let Ok(token) = element.cast::<PyBytes>() {
                (false, hash_token(token.as_bytes()))
            } else if element.hasattr("__index__")? {
                (true, number_of(element.call_method0("__index__")?.cast::<PyInt>()?, row)?)
            } else {
                return Err(PyTypeError::new_err(format!(
                    "row {row}: a set has an element of the type {}; use int, str or bytes",
                    kind_of(&element)
                )));
            };
            if *are_numbers.get_or_insert(is_number) != is_number {
                return Err(PyTypeError::new_err(format!(
                    "row {row}: some elements are numbers and others tokens; use one kind"
                )));
            }
            elements.push(element);
        }
        all.push(elements);
    }
    Ok(all)
}

/// Looks for an interrupt and reports progress, on the thread that reads the sets: they are objects of Python.
struct Watch<'a, 'py> {
    progress: Option<&'a Bound<'py, PyAny>>,
    /// The number of sets, or 0 if it is unknown.
    total: usize,
    /// Sets and elements so far.
    read: usize,
    told: Instant,
}

impl Watch<'_, '_> {
    /// Counts one more. Raises KeyboardInterrupt if Ctrl-C was pressed, or what the callback raises.
    fn look(&mut self, py: Python<'_>, row: usize) -> PyResult<()> {
        self.read += 1;
        if !self.read.is_multiple_of(OFTEN) {
            return Ok(());
        }
        py.check_signals()?;
        if let Some(progress) = self.progress.filter(|_| self.told.elapsed() >= PERIOD) {
            self.told = Instant::now();
            progress.call1(("reading", row, self.total))?;
        }
        Ok(())
    }
}

/// Negative numbers are those of 64 bits with a sign.
fn number_of(number: &Bound<'_, PyInt>, row: usize) -> PyResult<u64> {
    let number: i128 = number.extract().unwrap_or(i128::MAX);
    u64::try_from(number).or_else(|_| i64::try_from(number).map(|number| number as u64)).map_err(|_| {
        PyOverflowError::new_err(format!("row {row}: a set has a number of more than 64 bits; use its str instead"))
    })
}
