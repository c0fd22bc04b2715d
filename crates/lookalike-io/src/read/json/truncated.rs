//! Tests: do truncated JSON lines read as serde_json reads them?

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::{read_flat, read_line};
use crate::read::fields::{Value, Values};

/// Lines with everything: numbers of all forms, escapes, surrogates, nested values, literals, white space.
const RICH: [&str; 14] = [
    r#"{"n":-"#,
    r#"{"n":-0,"text":0,"id":-12}"#,
    r#"{"n":-12.50e+3,"text":"x","id":1E-7}"#,
    r#"{"n":0.5,"text":1e999,"id":18446744073709551616}"#,
    r#"{"n":007,"text":"x"}"#,
    r#"{"n":-a,"id":--1,"text":+1}"#,
    r#"{"text":"a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00z","id":"\u0041","n":"\x"}"#,
    r#"{"text":"a\ud800b\udc00","id":"\\ud800","n":"\ud83d\u0041"}"#,
    r#"{"\u0074ext":"escaped key","id":"a\u00","n":null}"#,
    r#"{"a":{"text":[1,{"id":"x"},[]]},"text":{"b":null},"id":[true,false],"n":""}"#,
    " \t{ \"text\" : \"漢字 é 😀, longer than sixteen bytes\" ,\r \"id\" : true , \"n\" : false } \n",
    r#"{"text":1,"text":"last","id":"a","id":null,"n":tru,"n":nul}"#,
    "{\"text\":\"a tab\there\",\"id\":\"\u{7f}\"}",
    r#"[{"text":"x"},-1.5e3,"y",null] {}"#,
];

/// The value of a field according to serde_json. For a field that should be a string, only whether it is one.
fn expected(fields: &BTreeMap<String, &RawValue>, name: &str, is_text: bool) -> String {
    let raw = fields.get(name).map_or("null", |raw| raw.get());
    match raw.as_bytes()[0] {
        b'n' => "Missing".to_string(),
        b'"' => match serde_json::from_str::<String>(raw) {
            Ok(text) => format!("{:?}", Value::Text(&text)),
            Err(_) => "half a surrogate pair".to_string(),
        },
        _ if is_text => "no string".to_string(),
        b'-' | b'0'..=b'9' => format!("{:?}", Value::Number(raw)),
        b't' => "Bool(true)".to_string(),
        b'f' => "Bool(false)".to_string(),
        _ => "Other".to_string(),
    }
}

fn found(value: Value, is_text: bool) -> String {
    match value {
        Value::Text(text) if text.contains('\u{fffd}') => "half a surrogate pair".to_string(),
        Value::Text(_) | Value::Missing => format!("{value:?}"),
        _ if is_text => "no string".to_string(),
        _ => format!("{value:?}"),
    }
}

#[test]
fn every_line_that_breaks_off_is_what_serde_json_says() {
    let names = ["text", "id", "n"].map(String::from);
    let mut flat_lines = 0;
    for line in RICH {
        for end in 0..=line.len() {
            // Cut at any byte, even inside a character.
            let bytes = &line.as_bytes()[..end];
            let json = str::from_utf8(bytes).ok().filter(|line| serde_json::from_str::<&RawValue>(line).is_ok());
            for texts in 0..=names.len() {
                let case = format!("{} of {line}, {texts} texts", end);
                let mut values = Values::default();
                let flat =
                    str::from_utf8(bytes).is_ok_and(|line| read_flat(line, &names, texts, &mut values).is_some());
                assert!(!flat || json.is_some(), "{case}");
                flat_lines += usize::from(flat);
                let read = read_line(bytes, &names, texts, &mut values);
                assert_eq!(read.is_ok(), json.is_some(), "{case}: {read:?}");
                let fields = json.and_then(|json| serde_json::from_str::<BTreeMap<String, &RawValue>>(json).ok());
                let Some(fields) = fields else { continue };
                for (field, name) in names.iter().enumerate() {
                    let is_text = field < texts;
                    assert_eq!(found(values.get(field), is_text), expected(&fields, name, is_text), "{case}: {name}");
                }
            }
        }
    }
    assert!(flat_lines > 0, "the fast reader read nothing");
}

/// The same for lines with one byte removed.
#[test]
fn every_line_without_one_of_its_bytes_is_what_serde_json_says() {
    let names = ["text", "id", "n"].map(String::from);
    let mut values = Values::default();
    for line in RICH {
        for at in 0..line.len() {
            let bytes = [&line.as_bytes()[..at], &line.as_bytes()[at + 1..]].concat();
            let is_json = str::from_utf8(&bytes).is_ok_and(|line| serde_json::from_str::<&RawValue>(line).is_ok());
            assert_eq!(read_line(&bytes, &names, 1, &mut values).is_ok(), is_json, "{at} of {line}");
        }
    }
}
