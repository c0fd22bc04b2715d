//! Takes arrays from other libraries, without a copy, by Arrow's C interface.
//!
//! An object with `__arrow_c_stream__` or `__arrow_c_array__` returns capsules. A capsule holds a struct of C; moving it out marks the
//! capsule as empty, and the arrays release the memory when they are dropped.

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{ArrayRef, make_array};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

/// Returns the arrays of an object, if it speaks Arrow.
pub fn arrays_of(object: &Bound<'_, PyAny>) -> PyResult<Option<Vec<ArrayRef>>> {
    if object.hasattr("__arrow_c_stream__")? {
        let capsule = object.call_method0("__arrow_c_stream__")?;
        let stream = capsule.cast::<PyCapsule>()?;
        let pointer = stream.pointer_checked(Some(c"arrow_array_stream"))?.as_ptr();
        // SAFETY: a capsule of this name holds such a struct. Reading it out leaves an empty one behind.
        let reader = unsafe { ArrayStreamReader::from_raw(pointer.cast::<FFI_ArrowArrayStream>()) }.map_err(broken)?;
        return reader.collect::<Result<Vec<ArrayRef>, _>>().map(Some).map_err(broken);
    }
    if object.hasattr("__arrow_c_array__")? {
        let both = object.call_method0("__arrow_c_array__")?;
        let both = both.cast::<PyTuple>()?;
        let (schema, array) = (both.get_item(0)?, both.get_item(1)?);
        let schema = schema.cast::<PyCapsule>()?.pointer_checked(Some(c"arrow_schema"))?.as_ptr();
        let array = array.cast::<PyCapsule>()?.pointer_checked(Some(c"arrow_array"))?.as_ptr();
        // SAFETY: capsules of these names hold such structs. The schema is only read, the array is moved out.
        let data = unsafe {
            let array = FFI_ArrowArray::from_raw(array.cast::<FFI_ArrowArray>());
            from_ffi(array, &*schema.cast::<FFI_ArrowSchema>())
        };
        return Ok(Some(vec![make_array(data.map_err(broken)?)]));
    }
    Ok(None)
}

fn broken(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(format!("the Arrow data cannot be read: {error}"))
}
