//! Writes a value as a JSON line.

use serde::Serialize;

/// Appends a value as a JSON line.
///
/// # Panics
///
/// If a map has a key that is not a string.
pub fn json_line(value: &impl Serialize, line: &mut Vec<u8>) {
    serde_json::to_writer(&mut *line, value).expect("plain data");
    line.push(b'\n');
}
