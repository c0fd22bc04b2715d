//! A JSON line is valid if serde_json says so, and its fields have the values that serde_json finds. The fast reader says the same as
//! the general one, or nothing.
#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use lookalike_io::Value;
use lookalike_io::read::fuzz::{flat_json_line, json_line};
use serde_json::value::RawValue;

fuzz_target!(|bytes: &[u8]| {
    // The first byte says how many of the fields are meant to be strings.
    let (choice, line) = bytes.split_first().unwrap_or((&0, &[]));
    let names = ["text", "id", "n"].map(String::from);
    let texts = usize::from(choice % 4);
    let json = str::from_utf8(line).ok().filter(|line| serde_json::from_str::<&RawValue>(line).is_ok());
    json_line(line, &names, texts, |read| {
        assert_eq!(read.is_ok(), json.is_some(), "{read:?}");
        let (Ok(values), Some(json)) = (read, json) else { return };
        // Keys that are no text, and what is no object, have no fields here.
        let Ok(fields) = serde_json::from_str::<BTreeMap<String, &RawValue>>(json) else { return };
        for (field, (name, value)) in names.iter().zip(values).enumerate() {
            compare(value, fields.get(name).map_or("null", |raw| raw.get()), field < texts);
        }
    });
    if let Ok(line) = str::from_utf8(line) {
        flat_json_line(line, &names, texts, |flat| {
            if let Some(flat) = flat {
                json_line(line.as_bytes(), &names, texts, |general| assert_eq!(Ok(flat), general));
            }
        });
    }
});

fn compare(value: Value, raw: &str, is_text: bool) {
    match (value, raw.as_bytes()[0]) {
        (Value::Missing, b'n') => {}
        (Value::Text(text), b'"') => match serde_json::from_str::<String>(raw) {
            Ok(expected) => assert_eq!(text, expected),
            // Half a surrogate pair.
            Err(_) => assert!(text.contains('\u{fffd}'), "{raw}"),
        },
        (Value::Number(digits), b'-' | b'0'..=b'9') => assert_eq!(digits, raw),
        (Value::Bool(value), b't' | b'f') => assert_eq!(value.to_string(), raw),
        (Value::Other, b'[' | b'{') => {}
        (Value::Other, b'-' | b'0'..=b'9' | b't' | b'f') if is_text => {}
        (value, _) => panic!("{raw} is read as {value:?}"),
    }
}
