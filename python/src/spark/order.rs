//! Values of columns as bytes that sort as the rows do.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BinaryArray};
use arrow_row::{RowConverter, SortField};
use arrow_schema::SortOptions;
use lookalike::engine::hash_token;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::bytes::of_words;
use crate::data::capsule::arrays_of;

/// Keys of rows: one after the other, and where each begins.
type Keys<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>);

/// Returns a key for every row of a batch, whose columns are those to order by, and for each whether it descends and whether nulls are
/// first.
#[pyfunction]
pub fn order_keys<'py>(py: Python<'py>, batch: &Bound<'_, PyAny>, orders: Vec<(bool, bool)>) -> PyResult<Keys<'py>> {
    let arrays = arrays_of(batch)?.unwrap_or_default();
    let broken = |error| PyValueError::new_err(format!("rows cannot be ordered by these columns: {error}"));
    let (mut data, mut offsets) = (Vec::new(), vec![0_i32]);
    for array in arrays {
        let rows = array.as_struct_opt().ok_or_else(|| PyTypeError::new_err("the Arrow data has no columns"))?;
        let fields = rows.columns().iter().zip(&orders).map(|(column, &(descending, nulls_first))| {
            SortField::new_with_options(column.data_type().clone(), SortOptions { descending, nulls_first })
        });
        let converter = RowConverter::new(fields.collect()).map_err(broken)?;
        let keys = converter.convert_columns(rows.columns()).map_err(broken)?;
        for key in &keys {
            data.extend_from_slice(key.as_ref());
            offsets.push(
                i32::try_from(data.len()).map_err(|_| PyValueError::new_err("the keys of a batch are too long"))?,
            );
        }
    }
    let offsets: Vec<u8> = offsets.into_iter().flat_map(i32::to_le_bytes).collect();
    Ok((PyBytes::new(py, &data), PyBytes::new(py, &offsets)))
}

/// Returns the hash of every key.
#[pyfunction]
pub fn hash_keys<'py>(py: Python<'py>, keys: &Bound<'_, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    let arrays: Vec<ArrayRef> = arrays_of(keys)?.unwrap_or_default();
    let mut hashes = Vec::new();
    for array in &arrays {
        let keys: &Arc<dyn Array> = array;
        let keys: &BinaryArray = keys.as_binary_opt::<i32>().ok_or_else(|| PyTypeError::new_err("keys are binary"))?;
        hashes.extend(keys.iter().map(|key| hash_token(key.unwrap_or_default())));
    }
    Ok(PyBytes::new(py, &of_words(hashes)))
}
