//! Reads the requested fields of a JSON line without building the rest.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::flat;
use super::key::FieldKey;
use crate::read::fields::{Found, Values};

/// Reads the requested fields of a line. The first `texts` of them should be strings. The error is a message for the user.
pub(in crate::read) fn read(line: &[u8], names: &[String], texts: usize, values: &mut Values) -> Result<(), String> {
    let line = simdutf8::compat::from_utf8(line)
        .map_err(|error| format!("invalid UTF-8 at byte {}", error.valid_up_to() + 1))?;
    if flat::read(line, names, texts, values).is_some() {
        return Ok(());
    }
    let Err(error) = parse(line, names, texts, values) else { return Ok(()) };
    // A line that fails may still be valid JSON: a number may exceed a double, or a string may have half a surrogate pair, which reads as
    // the replacement character.
    let mended = mend_surrogates(line);
    parse_exactly(mended.as_deref().unwrap_or(line), names, values).map_err(|_| explain(&error))
}

fn parse(line: &str, names: &[String], texts: usize, values: &mut Values) -> serde_json::Result<()> {
    values.clear(names.len());
    let mut json = serde_json::Deserializer::from_str(line);
    (&mut json).deserialize_any(Object { names, texts, values })?;
    json.end()
}

/// Checks that the line is JSON before it reads any value.
fn parse_exactly(line: &str, names: &[String], values: &mut Values) -> serde_json::Result<()> {
    let value: &RawValue = serde_json::from_str(line)?;
    if value.get().starts_with('{') {
        return parse(line, names, 0, values);
    }
    values.clear(names.len());
    Ok(())
}

/// The message without the line number of serde_json, which is always 1.
fn explain(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let reason = message.split(" at line ").next().unwrap_or_default();
    format!("malformed JSON at column {}: {reason}", error.column())
}

/// Replaces lone halves of surrogate pairs (`\ud800`) by replacement characters. `None` if there are none.
pub fn mend_surrogates(line: &str) -> Option<String> {
    let unit = |at: usize| {
        let escape = line.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(escape, 16).ok()
    };
    let mut mended = String::with_capacity(line.len());
    let (mut at, mut copied) = (0, 0);
    while let Some(found) = line[at..].find('\\') {
        at += found;
        match unit(at) {
            Some(0xd800..=0xdbff) if matches!(unit(at + 6), Some(0xdc00..=0xdfff)) => at += 12,
            Some(0xd800..=0xdfff) => {
                mended.push_str(&line[copied..at]);
                mended.push_str("\\ufffd");
                at += 6;
                copied = at;
            }
            // An escaped backslash must not start another escape.
            _ => at += 1 + line[at + 1..].chars().next().map_or(0, char::len_utf8),
        }
    }
    mended.push_str(&line[copied..]);
    (copied > 0).then_some(mended)
}

struct Object<'a> {
    names: &'a [String],
    texts: usize,
    values: &'a mut Values,
}

impl<'de> Visitor<'de> for Object<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(field) = map.next_key_seed(FieldKey(self.names))? {
            match field {
                Some(field) if field < self.texts => map.next_value_seed(Text { field, values: self.values })?,
                Some(field) => put_exactly(map.next_value()?, field, self.values).map_err(A::Error::custom)?,
                None => _ = map.next_value::<IgnoredAny>()?,
            }
        }
        Ok(())
    }

    // Any other value is valid JSON without fields.
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}

/// Stores a value as it is spelled, so that a number keeps its digits. If a key is repeated, the last value counts.
fn put_exactly(value: &RawValue, field: usize, values: &mut Values) -> serde_json::Result<()> {
    let text = value.get();
    match text.as_bytes().first() {
        Some(b'"') => values.set_text(field, &serde_json::from_str::<Cow<str>>(text)?),
        Some(b'-' | b'0'..=b'9') => values.set_number(field, text),
        Some(b't') => values.set(field, Found::Bool(true)),
        Some(b'f') => values.set(field, Found::Bool(false)),
        Some(b'n') => values.set(field, Found::Missing),
        _ => values.set(field, Found::Other),
    }
    Ok(())
}

/// Reads a field that should be a string in one pass.
struct Text<'a> {
    field: usize,
    values: &'a mut Values,
}

impl Text<'_> {
    fn other<E>(self) -> Result<(), E> {
        self.values.set(self.field, Found::Other);
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Text<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Text<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        self.values.set_text(self.field, text);
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.values.set(self.field, Found::Missing);
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        self.other()
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        self.other()
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        self.other()
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        self.other()
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        self.other()
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        self.other()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::fields::Value;
    use proptest::prelude::*;

    fn text(line: &str) -> Result<String, String> {
        let mut values = Values::default();
        let names = ["text".to_string()];
        read(line.as_bytes(), &names, 1, &mut values)?;
        let as_text = format!("{:?}", values.get(0));
        read(line.as_bytes(), &names, 0, &mut values)?;
        assert_eq!(format!("{:?}", values.get(0)).starts_with("Text"), as_text.starts_with("Text"));
        Ok(as_text)
    }

    #[test]
    fn values_of_a_line() {
        assert_eq!(text(r#"{"a":[1,{"text":2}],"text":"x\ny"}"#).unwrap(), format!("{:?}", Value::Text("x\ny")));
        assert_eq!(text(r#"{"text":1,"text":"last"}"#).unwrap(), format!("{:?}", Value::Text("last")));
        assert_eq!(text(r#"{"text":null}"#).unwrap(), "Missing");
        assert_eq!(text(r#"{"text":{"a":1}}"#).unwrap(), "Other");
        for number in ["1", "-0", "18446744073709551616", "1e999", "1.50"] {
            assert!(!text(&format!("{{\"text\":{number}}}")).unwrap().starts_with("Text"));
            let mut values = Values::default();
            read(format!("{{\"id\":{number}}}").as_bytes(), &["id".to_string()], 0, &mut values).unwrap();
            assert_eq!(values.get(0), Value::Number(number));
        }
        for other in ["[1,2]", "1", "\"x\"", "null", "true", "-1", "1.5", "1e999"] {
            assert_eq!(text(other).unwrap(), "Missing", "{other}");
        }
    }

    proptest! {
        /// The fast reader agrees with the general one, or declines.
        #[test]
        fn the_fast_way_is_the_plain_way(line in LINE, cut in any::<prop::sample::Index>(), texts in 0..=2usize) {
            // Every other line is truncated.
            let line = line.get(..cut.index(2 * line.len() + 1)).unwrap_or(&line);
            let names = ["text".to_string(), "id".to_string()];
            let (mut fast, mut plain) = (Values::default(), Values::default());
            if flat::read(line, &names, texts, &mut fast).is_some() {
                prop_assert!(parse(line, &names, texts, &mut plain).is_ok(), "{}", line);
                prop_assert_eq!(fast.get(0), plain.get(0), "{}", line);
                prop_assert_eq!(fast.get(1), plain.get(1), "{}", line);
            }
        }

        #[test]
        fn any_string_goes_the_fast_way(text in "\\PC{0,40}", key in "[a-z]{1,3}") {
            let line = serde_json::json!({ key: 12, "text": text, "z": text, "n": null }).to_string();
            let mut values = Values::default();
            flat::read(&line, &["text".to_string()], 1, &mut values).unwrap();
            prop_assert_eq!(values.get(0), Value::Text(&text));
        }
    }

    /// Lines that are JSON or nearly so.
    const LINE: &str = r#"[ {]{1,2}"(text|id|x)" ?: ?("[a\\"nu0-9d8é漢\x1f]{0,12}"|-?[0-9]{0,3}|1\.5|1e9|null|true|fals|\[1\]|"(\\u[d0][8c0][0-9a-f]{2}|\\[nt"\\/bfrx]|a){0,4}")( ?, ?"(id|text)":("x{0,40}"|7|true|null))?[} ]{1,2}"#;

    #[test]
    fn what_cannot_be_read() {
        assert_eq!(text(r#"{"text":"x""#).unwrap_err(), "malformed JSON at column 11: EOF while parsing an object");
        assert!(text("{} {}").unwrap_err().starts_with("malformed JSON at column 4: trailing"));
        let mut values = Values::default();
        let error = read(b"{\"a\":\"\xff\"}", &[], 0, &mut values).unwrap_err();
        assert_eq!(error, "invalid UTF-8 at byte 7");
    }

    #[test]
    fn lone_surrogates() {
        let replaced = format!("{:?}", Value::Text("a\u{fffd}b"));
        assert_eq!(text(r#"{"text":"a\ud800b"}"#).unwrap(), replaced);
        assert_eq!(text(r#"{"text":"a\uDC00b"}"#).unwrap(), replaced);
        assert_eq!(text(r#"{"text":"\ud83d\ude00"}"#).unwrap(), format!("{:?}", Value::Text("😀")));
        assert_eq!(text(r#"{"text":"\\ud800\ud800"}"#).unwrap(), format!("{:?}", Value::Text("\\ud800\u{fffd}")));
        assert!(text(r#"{"text":"\\ud800}"#).is_err());
    }
}
