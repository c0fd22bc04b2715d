//! A column of values, from Arrow or from a Python list.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Date64Type, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, LargeStringArray};
use arrow_buffer::{NullBufferBuilder, OffsetBuffer, ScalarBuffer};
use arrow_schema::{DataType, TimeUnit};
use lookalike_io::Value;
use pyo3::exceptions::{PyKeyError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyFloat, PyInt, PyString};

use crate::data::capsule::arrays_of;

/// The values of one column. Strings of Arrow arrays are not copied.
#[pyclass(frozen)]
pub struct Column {
    chunks: Vec<Chunk>,
    /// The first row of each chunk, and the number of rows.
    starts: Vec<usize>,
}

enum Chunk {
    Array(ArrayRef),
    /// Codes into an array of distinct values. A null has the code of none.
    Codes(Vec<usize>, ArrayRef),
    Values(Vec<Owned>),
}

/// A value of a Python list with more than strings.
enum Owned {
    Missing,
    Text(Box<str>),
    Int(i128),
    Float(f64),
    Bool(bool),
    Other,
}

#[pymethods]
impl Column {
    /// A column of Arrow data, or of a list of values. `name` is for messages.
    #[staticmethod]
    pub fn of(values: &Bound<'_, PyAny>, name: &str) -> PyResult<Column> {
        match arrays_of(values)? {
            Some(arrays) => Column::of_arrays(arrays),
            None => Column::of_list(values, name),
        }
    }

    /// The columns of an Arrow stream of rows: their names, and the columns.
    #[staticmethod]
    fn of_rows(rows: &Bound<'_, PyAny>, wanted: Vec<String>) -> PyResult<Vec<Column>> {
        let arrays = arrays_of(rows)?.ok_or_else(|| PyTypeError::new_err("the data has no Arrow stream"))?;
        let column = |name: &String| {
            let of = |array: &ArrayRef| {
                let rows =
                    array.as_struct_opt().ok_or_else(|| PyTypeError::new_err("the Arrow data has no columns"))?;
                let names = || rows.column_names().join(", ");
                rows.column_by_name(name)
                    .cloned()
                    .ok_or_else(|| PyKeyError::new_err(format!("no column '{name}' (columns: {})", names())))
            };
            Column::of_arrays(arrays.iter().map(of).collect::<PyResult<Vec<ArrayRef>>>()?)
        };
        wanted.iter().map(column).collect()
    }

    fn __len__(&self) -> usize {
        self.len()
    }

    /// Raises an exception unless all values are strings or null, or bytes if these are allowed.
    fn require_text(&self, name: &str) -> PyResult<()> {
        for (chunk, &start) in self.chunks.iter().zip(&self.starts) {
            let wrong = match chunk {
                Chunk::Array(array) | Chunk::Codes(_, array) => (!is_text(array.data_type())
                    && array.null_count() < array.len())
                .then(|| format!("column '{name}' has values of the type {}", array.data_type())),
                Chunk::Values(values) => {
                    let odd = values.iter().position(|value| !matches!(value, Owned::Missing | Owned::Text(_)));
                    odd.map(|row| format!("row {} of '{name}' is not a string", start + row))
                }
            };
            if let Some(wrong) = wrong {
                return Err(PyTypeError::new_err(format!("{wrong}; a text must be a string or null")));
            }
        }
        Ok(())
    }
}

impl Column {
    fn new(chunks: Vec<Chunk>) -> Column {
        let mut starts = vec![0];
        for chunk in &chunks {
            let rows = match chunk {
                Chunk::Array(array) => array.len(),
                Chunk::Codes(codes, _) => codes.len(),
                Chunk::Values(values) => values.len(),
            };
            starts.push(starts[starts.len() - 1] + rows);
        }
        Column { chunks, starts }
    }

    fn of_arrays(arrays: Vec<ArrayRef>) -> PyResult<Column> {
        let chunk = |array: ArrayRef| match array.data_type() {
            DataType::Dictionary(..) => {
                let dictionary = array.as_any_dictionary();
                let mut codes = if dictionary.values().is_empty() {
                    vec![usize::MAX; array.len()]
                } else {
                    dictionary.normalized_keys()
                };
                for (row, code) in codes.iter_mut().enumerate() {
                    if dictionary.keys().is_null(row) {
                        *code = usize::MAX;
                    }
                }
                Chunk::Codes(codes, dictionary.values().clone())
            }
            _ => Chunk::Array(array),
        };
        Ok(Column::new(arrays.into_iter().map(chunk).collect()))
    }

    /// A list of strings becomes one array. Another list keeps its values.
    fn of_list(values: &Bound<'_, PyAny>, name: &str) -> PyResult<Column> {
        let (mut bytes, mut ends, mut nulls) = (Vec::new(), vec![0_i64], NullBufferBuilder::new(0));
        let mut others: Option<Vec<Owned>> = None;
        let iterator = values.try_iter().map_err(|_| {
            PyTypeError::new_err(format!("cannot read '{name}': {} is no list or Arrow array", kind_of(values)))
        })?;
        let mut looked = 0;
        for (row, value) in iterator.enumerate() {
            let value = value?;
            // Many rows or long ones: either takes long.
            let read = 256 * row + bytes.len();
            if read >= looked {
                values.py().check_signals()?;
                looked = read + (1 << 24);
            }
            let text = value.cast::<PyString>().ok().map(|text| text_of(text, name, row)).transpose()?;
            match (&mut others, text) {
                (None, Some(text)) => {
                    bytes.extend_from_slice(text.as_bytes());
                    nulls.append_non_null();
                }
                (None, None) if is_null(&value) => nulls.append_null(),
                (None, None) => {
                    let mut all: Vec<Owned> = Vec::with_capacity(row + 1);
                    let valid = nulls.finish();
                    for before in 0..row {
                        let range = ends[before] as usize..ends[before + 1] as usize;
                        let is_text = valid.as_ref().is_none_or(|valid| valid.is_valid(before));
                        let text = String::from_utf8_lossy(&bytes[range]);
                        all.push(if is_text { Owned::Text(text.into()) } else { Owned::Missing });
                    }
                    all.push(owned(&value, name, row)?);
                    others = Some(all);
                }
                (Some(others), Some(text)) => others.push(Owned::Text(text.into())),
                (Some(others), None) => others.push(owned(&value, name, row)?),
            }
            ends.push(bytes.len() as i64);
        }
        if let Some(values) = others {
            return Ok(Column::new(vec![Chunk::Values(values)]));
        }
        let offsets = OffsetBuffer::new(ScalarBuffer::from(ends));
        let array = LargeStringArray::try_new(offsets, bytes.into(), nulls.finish());
        let array = array.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Column::new(vec![Chunk::Array(std::sync::Arc::new(array))]))
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.starts[self.starts.len() - 1]
    }

    /// The value of a row.
    pub fn value(&self, row: usize) -> Value<'_> {
        let chunk = self.starts.partition_point(|&start| start <= row) - 1;
        let row = row - self.starts[chunk];
        match &self.chunks[chunk] {
            Chunk::Array(array) => value_of(array, row),
            Chunk::Codes(codes, _) if codes[row] == usize::MAX => Value::Missing,
            Chunk::Codes(codes, array) => value_of(array, codes[row]),
            Chunk::Values(values) => match &values[row] {
                Owned::Missing => Value::Missing,
                Owned::Text(text) => Value::Text(text),
                Owned::Int(number) => Value::Int(*number),
                Owned::Float(number) => Value::Float(*number),
                Owned::Bool(value) => Value::Bool(*value),
                Owned::Other => Value::Other,
            },
        }
    }

    /// The bytes of the strings of lists, which this column holds itself.
    pub fn memory(&self) -> usize {
        let of = |chunk: &Chunk| match chunk {
            Chunk::Array(array) => array.get_array_memory_size(),
            Chunk::Codes(codes, array) => 8 * codes.len() + array.get_array_memory_size(),
            Chunk::Values(values) => 32 * values.len(),
        };
        self.chunks.iter().map(of).sum()
    }
}

/// Returns the text of a Python string.
pub fn text_of<'a>(text: &'a Bound<'_, PyString>, name: &str, row: usize) -> PyResult<&'a str> {
    text.to_str().map_err(|_| {
        PyValueError::new_err(format!(
            "row {row} of '{name}' is no valid text: it has half of a surrogate pair; repair it with \
             text.encode('utf-16', 'surrogatepass').decode('utf-16', 'replace')"
        ))
    })
}

/// Returns the name of an object's type.
pub fn kind_of(object: &Bound<'_, PyAny>) -> String {
    object.get_type().name().map_or_else(|_| "an object".to_string(), |name| name.to_string())
}

/// Whether a value stands for none: None, NaN, pandas' NA and NaT.
pub fn is_null(value: &Bound<'_, PyAny>) -> bool {
    value.is_none()
        || value.cast::<PyFloat>().is_ok_and(|number| number.extract::<f64>().is_ok_and(f64::is_nan))
        || value.get_type().name().is_ok_and(|name| name == "NAType" || name == "NaTType")
}

fn owned(value: &Bound<'_, PyAny>, name: &str, row: usize) -> PyResult<Owned> {
    Ok(if is_null(value) {
        Owned::Missing
    } else if let Ok(value) = value.cast::<PyBool>() {
        Owned::Bool(value.is_true())
    } else if let Ok(number) = value.cast::<PyInt>() {
        let number = number.extract::<i128>();
        Owned::Int(
            number.map_err(|_| PyOverflowError::new_err(format!("row {row} of '{name}' is too large a number")))?,
        )
    } else if let Ok(number) = value.cast::<PyFloat>() {
        Owned::Float(number.extract()?)
    } else if value.cast::<PyBytes>().is_ok() {
        Owned::Other
    } else if value.hasattr("isoformat")? {
        // Dates and times sort as they are written.
        Owned::Text(value.call_method0("isoformat")?.extract::<String>()?.into())
    } else if value.hasattr("item")? {
        // A scalar of numpy.
        return owned(&value.call_method0("item")?, name, row);
    } else {
        Owned::Other
    })
}

fn is_text(kind: &DataType) -> bool {
    matches!(kind, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null)
}

fn value_of(array: &ArrayRef, row: usize) -> Value<'_> {
    if array.is_null(row) {
        return Value::Missing;
    }
    macro_rules! int {
        ($kind:ty) => {
            Value::Int(array.as_primitive::<$kind>().value(row).into())
        };
    }
    match array.data_type() {
        DataType::Utf8 => Value::Text(array.as_string::<i32>().value(row)),
        DataType::LargeUtf8 => Value::Text(array.as_string::<i64>().value(row)),
        DataType::Utf8View => Value::Text(array.as_string_view().value(row)),
        DataType::Boolean => Value::Bool(array.as_boolean().value(row)),
        DataType::Int8 => int!(Int8Type),
        DataType::Int16 => int!(Int16Type),
        DataType::Int32 => int!(Int32Type),
        DataType::Int64 => int!(Int64Type),
        DataType::UInt8 => int!(UInt8Type),
        DataType::UInt16 => int!(UInt16Type),
        DataType::UInt32 => int!(UInt32Type),
        DataType::UInt64 => int!(UInt64Type),
        DataType::Float16 => Value::Float(array.as_primitive::<Float16Type>().value(row).to_f64()),
        DataType::Float32 => float(array.as_primitive::<Float32Type>().value(row).into()),
        DataType::Float64 => float(array.as_primitive::<Float64Type>().value(row)),
        DataType::Date32 => int!(Date32Type),
        DataType::Date64 => int!(Date64Type),
        DataType::Timestamp(unit, _) => timestamp(array, *unit, row),
        DataType::Null => Value::Missing,
        _ => Value::Other,
    }
}

/// A float that is no number is missing.
fn float<'a>(number: f64) -> Value<'a> {
    if number.is_nan() { Value::Missing } else { Value::Float(number) }
}

fn timestamp(array: &ArrayRef, unit: TimeUnit, row: usize) -> Value<'_> {
    use arrow_array::types::{
        TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
    };
    Value::Int(i128::from(match unit {
        TimeUnit::Second => array.as_primitive::<TimestampSecondType>().value(row),
        TimeUnit::Millisecond => array.as_primitive::<TimestampMillisecondType>().value(row),
        TimeUnit::Microsecond => array.as_primitive::<TimestampMicrosecondType>().value(row),
        TimeUnit::Nanosecond => array.as_primitive::<TimestampNanosecondType>().value(row),
    }))
}
