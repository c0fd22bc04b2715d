//! Which of the fields that the user named exist, and how to report a missing one.

use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::requested::Fields;
use crate::error::Error;
use crate::read::warc::Header;

/// The most fields that a message lists.
const MOST: usize = 20;
/// The most characters of a name in a message.
const LONGEST: usize = 60;

/// Which fields some rows had.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Whether there were any rows.
    pub(in crate::read) has_rows: bool,
    /// Whether a row had one of the fields of the text, or needs none.
    pub(in crate::read) has_text: bool,
    /// By field.
    pub(in crate::read) found: Vec<bool>,
    /// The fields of a row that lacks a field that the user named.
    pub(in crate::read) available: Vec<String>,
}

impl Seen {
    /// Adds the fields of later rows.
    pub fn add(&mut self, more: Seen) {
        self.has_rows |= more.has_rows;
        self.has_text |= more.has_text;
        if self.found.len() < more.found.len() {
            self.found.resize(more.found.len(), false);
        }
        self.found.iter_mut().zip(more.found).for_each(|(found, more)| *found |= more);
        if self.available.is_empty() {
            self.available = more.available;
        }
    }
}

impl Seen {
    fn lack(&self, field: &str, of: &str, advice: &'static str) -> Error {
        let available = if self.available.is_empty() {
            "the rows have no fields".to_string()
        } else {
            format!("fields: {}", list(&self.available))
        };
        Error::NoField { of: of.to_string(), field: field.to_string(), available, advice }
    }
}

impl Fields {
    /// Fails if the user named a field that no row has. Otherwise it would be ignored silently: rows would get other ids, or be compared by
    /// a part of their text, or not at all. `of` names the rows in the message. The key is checked only if `needs_key`. That rows have
    /// none of the fields of the text is not checked here, because some callers do not need a text: see [`Fields::check_text_seen`].
    pub fn check_seen(&self, seen: &Seen, of: &str, needs_key: bool) -> Result<(), Error> {
        if !seen.has_rows {
            return Ok(());
        }
        let names = self.names();
        let is_found = |name: &String| {
            let place = names.iter().position(|known| known == name);
            place.is_some_and(|place| seen.found.get(place).copied().unwrap_or(false))
        };
        // Files without fields have a text, but none of several fields of the text.
        let parts = self.text.iter().filter(|_| self.text.iter().any(is_found));
        match parts.chain(self.named(needs_key)).find(|name| !is_found(name)) {
            None => Ok(()),
            Some(field) => Err(seen.lack(field, of, self.advice(field))),
        }
    }

    /// Fails if no row has a field of the text, so that nothing would be compared.
    pub fn check_text_seen(&self, seen: &Seen, of: &str) -> Result<(), Error> {
        match self.text.first() {
            Some(first) if seen.has_rows && !seen.has_text => {
                Err(seen.lack(&self.text.join("', '"), of, self.advice(first)))
            }
            _ => Ok(()),
        }
    }
}

/// A row that lacks a field.
#[derive(Clone, Copy)]
pub enum Lacking<'a> {
    /// A line of JSON.
    Json(&'a [u8]),
    /// A record of a CSV file that has the column.
    Csv,
    /// A row of a file that has the column.
    Columns,
}

impl Lacking<'_> {
    /// A message that the row has none of the fields `names`, and which it has. `advice` tells the user what to do.
    pub fn explain(self, names: &[&str], advice: &str) -> String {
        let missing = names.join("', '");
        match self {
            Lacking::Json(line) => match serde_json::from_slice(line) {
                Ok(Keys::NoObject) => format!("no field '{missing}': the row is not a JSON object"),
                Ok(Keys::Of(keys)) if keys.is_empty() => format!("no field '{missing}': the row has no fields"),
                Ok(Keys::Of(keys)) if names.iter().any(|name| keys.iter().any(|key| key == name)) => null(&missing),
                Ok(Keys::Of(keys)) => format!("no field '{missing}' (fields: {}). {advice}", list(&keys)),
                Err(_) => format!("no field '{missing}'"),
            },
            Lacking::Csv => format!("no field '{missing}': the row has fewer fields than the header"),
            Lacking::Columns => null(&missing),
        }
    }
}

fn null(missing: &str) -> String {
    format!("field '{missing}' is null")
}

/// The field names of a JSON line. Empty if it is no object.
pub(in crate::read) fn names_of_line(line: &[u8]) -> Vec<String> {
    match serde_json::from_slice(line) {
        Ok(Keys::Of(keys)) => keys,
        _ => Vec::new(),
    }
}

/// The field names of a record's header.
pub(in crate::read) fn names_of_header(header: Header) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in header.names() {
        if !names.iter().any(|known| *known == name) {
            names.push(name.into_owned());
        }
    }
    names
}

/// Lists names in a message. They are untrusted: limits their number and length, and escapes control characters.
fn list(names: &[String]) -> String {
    let short = |name: &String| match name.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", name[..end].escape_debug()),
        None => name.escape_debug().to_string(),
    };
    let mut listed = names.iter().take(MOST).map(short).collect::<Vec<_>>().join(", ");
    if names.len() > MOST {
        listed += &format!(" and {} more", names.len() - MOST);
    }
    listed
}

/// The keys of a JSON value, each once.
enum Keys {
    Of(Vec<String>),
    NoObject,
}

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Keys, D::Error> {
        struct AnyKeys;

        impl<'de> Visitor<'de> for AnyKeys {
            type Value = Keys;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a JSON value")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Keys, A::Error> {
                let mut keys: Vec<String> = Vec::new();
                while let Some((key, IgnoredAny)) = map.next_entry::<String, IgnoredAny>()? {
                    if !keys.contains(&key) {
                        keys.push(key);
                    }
                }
                Ok(Keys::Of(keys))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Keys, A::Error> {
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Keys::NoObject)
            }

            fn visit_str<E>(self, _: &str) -> Result<Keys, E> {
                Ok(Keys::NoObject)
            }

            fn visit_bool<E>(self, _: bool) -> Result<Keys, E> {
                Ok(Keys::NoObject)
            }

            fn visit_u64<E>(self, _: u64) -> Result<Keys, E> {
                Ok(Keys::NoObject)
            }

            fn visit_i64<E>(self, _: i64) -> Result<Keys, E> {
                Ok(Keys::NoObject)
            }

            fn visit_f64<E>(self, _: f64) -> Result<Keys, E> {
                Ok(Keys::NoObject)
            }

            fn visit_unit<E>(self) -> Result<Keys, E> {
                Ok(Keys::NoObject)
            }
        }

        json.deserialize_any(AnyKeys)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn why_a_field_is_missing() {
        let explain = |line: &str, names: &[&str]| Lacking::Json(line.as_bytes()).explain(names, "Do this.");
        assert_eq!(explain(r#"{"id":1,"a":{"b":2},"id":2}"#, &["text"]), "no field 'text' (fields: id, a). Do this.");
        assert_eq!(explain(r#"{"id":1,"text":null}"#, &["text"]), "field 'text' is null");
        assert_eq!(explain("{}", &["title", "text"]), "no field 'title', 'text': the row has no fields");
        for other in ["[1]", "\"x\"", "null", "true", "1", "-1", "1.5"] {
            assert_eq!(explain(other, &["text"]), "no field 'text': the row is not a JSON object");
        }
        let long = format!("{{\"{}\\n\":1,\"\\u001b[31m\":2}}", "é".repeat(61));
        assert_eq!(
            explain(&long, &["x"]),
            format!("no field 'x' (fields: {}…, \\u{{1b}}[31m). Do this.", "é".repeat(60))
        );
        let many: Vec<String> = (0..23).map(|n| format!("\"k{n}\":0")).collect();
        assert!(explain(&format!("{{{}}}", many.join(",")), &["x"]).contains("k19 and 3 more"));
    }

    #[test]
    fn fields_that_no_row_has() {
        let fields =
            Fields { text: vec!["text".into()], id: Some("uid".into()), key: Some("n".into()), ..Fields::default() };
        let seen = |found: &[bool]| Seen {
            has_rows: true,
            has_text: false,
            found: found.to_vec(),
            available: vec!["id".into()],
        };
        let check =
            |seen: &Seen, needs_key| fields.check_seen(seen, "the inputs", needs_key).map_err(|e| e.to_string());
        assert_eq!(check(&Seen::default(), true), Ok(()));
        assert_eq!(check(&seen(&[false, true, true]), true), Ok(()));
        assert_eq!(check(&seen(&[true, true, false]), false), Ok(()));
        let error = check(&seen(&[true, true, false]), true).unwrap_err();
        assert_eq!(error, "no row of the inputs has a field 'n' (fields: id)");
        let mut both = seen(&[true, false, false]);
        assert!(check(&both, false).unwrap_err().contains("'uid'"));
        both.add(seen(&[false, true, false]));
        assert_eq!(check(&both, false), Ok(()));
        let text = |seen: &Seen| fields.check_text_seen(seen, "the inputs").map_err(|e| e.to_string());
        assert_eq!(text(&Seen::default()), Ok(()));
        assert_eq!(
            text(&both).unwrap_err(),
            "no row of the inputs has a field 'text' (fields: id); use --text to name the text field"
        );
        both.add(Seen { has_text: true, ..Seen::default() });
        assert_eq!(text(&both), Ok(()));
        let plain = Seen { has_rows: true, ..Seen::default() };
        assert_eq!(
            check(&plain, true).unwrap_err(),
            "no row of the inputs has a field 'uid' (the rows have no fields)"
        );
    }
}
