//! Sets of the caller: of integers, or of tokens.

use lookalike::engine::hash_token;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyString};

use crate::data::column::{is_null, kind_of, text_of};

/// Returns the elements of every set. A null has none.
pub fn elements(sets: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<u64>>> {
    let mut all = Vec::new();
    let mut are_numbers = None;
    let mut read = 0_usize;
    for (row, set) in sets.try_iter()?.enumerate() {
        let set = set?;
        // A set counts too, so that an interrupt is seen among many that are empty.
        look_for_interrupt(sets.py(), &mut read)?;
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
            look_for_interrupt(sets.py(), &mut read)?;
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

/// Counts one more, and raises KeyboardInterrupt if Ctrl-C was pressed.
fn look_for_interrupt(py: Python<'_>, read: &mut usize) -> PyResult<()> {
    *read += 1;
    if read.is_multiple_of(1 << 16) { py.check_signals() } else { Ok(()) }
}

/// Negative numbers are those of 64 bits with a sign.
fn number_of(number: &Bound<'_, PyInt>, row: usize) -> PyResult<u64> {
    let number: i128 = number.extract().unwrap_or(i128::MAX);
    u64::try_from(number).or_else(|_| i64::try_from(number).map(|number| number as u64)).map_err(|_| {
        PyOverflowError::new_err(format!("row {row}: a set has a number of more than 64 bits; use its str instead"))
    })
}
