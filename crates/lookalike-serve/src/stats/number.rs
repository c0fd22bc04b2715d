//! How a number is written in JSON.

use serde::Serializer;

/// Writes a number without a fraction as an integer.
pub(crate) fn serialize_whole<S: Serializer>(number: &f64, out: S) -> Result<S::Ok, S::Error> {
    if number.fract() == 0.0 { out.serialize_i64(*number as i64) } else { out.serialize_f64(*number) }
}
