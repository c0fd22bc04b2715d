use serde::Serialize;

/// Appends something as a line of JSON.
///
/// # Panics
///
/// If it has a key that is no string: then it cannot be JSON.
pub fn json_line(value: &impl Serialize, line: &mut Vec<u8>) {
    serde_json::to_writer(&mut *line, value).expect("plain data");
    line.push(b'\n');
}
