//! Which fields does a document have? It is a JSON object, of which only some fields are read.

use std::fmt;

use lookalike_io::mend_surrogates;
use lookalike_io::read::FieldKey;
use serde::de::{Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};

use super::scalar::Scalar;
use crate::api::errors::ApiError;

/// The names of a document's fields.
#[derive(Clone, Debug)]
pub struct FieldNames {
    /// The id.
    pub id: String,
    /// The time.
    pub time: String,
    /// The text; several fields are joined. Empty if documents are always pages.
    pub text: Vec<String>,
    /// The web page that may replace the text.
    pub html: Option<String>,
    /// The URL of the page.
    pub url: String,
    /// Where the document comes from.
    pub source: String,
}

impl Default for FieldNames {
    fn default() -> FieldNames {
        FieldNames {
            id: "id".to_string(),
            time: "time".to_string(),
            text: vec!["text".to_string()],
            html: Some("html".to_string()),
            url: "url".to_string(),
            source: "source".to_string(),
        }
    }
}

/// The names of fields by role, and all of them without repetition.
pub(in crate::api) struct Names {
    pub(super) of: FieldNames,
    all: Vec<String>,
}

impl Names {
    pub(in crate::api) fn new(of: FieldNames) -> Names {
        let mut all: Vec<String> = Vec::new();
        for name in of.text.iter().chain(&of.html).chain([&of.id, &of.time, &of.url, &of.source]) {
            if !all.contains(name) {
                all.push(name.clone());
            }
        }
        Names { of, all }
    }

    /// The error message for a document without a text.
    pub(super) fn needed(&self) -> String {
        let text = self.of.text.join("', '");
        match &self.of.html {
            Some(html) if text.is_empty() => format!("a document needs the string field '{html}'"),
            Some(html) => format!("a document needs the string field '{text}' or '{html}', and not both"),
            None => format!("a document needs the string field '{text}'"),
        }
    }
}

/// The values of the fields that are read.
pub(super) struct Sent<'a> {
    names: &'a [String],
    values: Vec<Option<Scalar>>,
}

impl<'a> Sent<'a> {
    /// Parses a document. Half a surrogate pair becomes the replacement character, as in files.
    pub(super) fn read(bytes: &[u8], names: &'a Names) -> Result<Sent<'a>, ApiError> {
        let names = &names.all;
        let bad = |reason: String| ApiError::bad("bad_json", format!("invalid JSON: {reason}"));
        let json = std::str::from_utf8(bytes)
            .map_err(|error| bad(format!("invalid UTF-8 at byte {}", error.valid_up_to() + 1)))?;
        if let Some(other) = other_than_object(json) {
            return Err(ApiError::bad("bad_json", format!("a document must be a JSON object, but this is {other}")));
        }
        let read = parse(json, names).or_else(|error| match mend_surrogates(json) {
            Some(mended) => parse(&mended, names),
            None => Err(error),
        });
        let values = read.map_err(|error| bad(error.to_string()))?;
        Ok(Sent { names, values })
    }

    /// The value of a field, if it has one.
    pub(super) fn get(&self, name: &str) -> Option<&Scalar> {
        self.values[self.place(name)?].as_ref()
    }

    /// Takes the text of a field out, if it has one.
    pub(super) fn take_text(&mut self, name: &str) -> Result<Option<String>, ApiError> {
        let value = self.place(name).and_then(|place| self.values[place].take());
        match value {
            None => Ok(None),
            Some(Scalar::Text(text)) => Ok(Some(text)),
            Some(_) => Err(ApiError::bad("bad_json", format!("the field '{name}' is not a string"))),
        }
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }
}

/// The type of a JSON value that is clearly not an object.
fn other_than_object(json: &str) -> Option<&'static str> {
    match json.trim_ascii_start().bytes().next()? {
        b'[' => Some("an array"),
        b'"' => Some("a string"),
        b'-' | b'0'..=b'9' => Some("a number"),
        _ => match json.trim_ascii() {
            "null" => Some("null"),
            "true" | "false" => Some("a boolean"),
            _ => None,
        },
    }
}

fn parse(json: &str, names: &[String]) -> serde_json::Result<Vec<Option<Scalar>>> {
    let mut from = serde_json::Deserializer::from_str(json);
    let values = from.deserialize_map(Object(names))?;
    from.end()?;
    Ok(values)
}

struct Object<'a>(&'a [String]);

impl<'de> Visitor<'de> for Object<'_> {
    type Value = Vec<Option<Scalar>>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut seen = vec![false; self.0.len()];
        let mut values: Self::Value = self.0.iter().map(|_| None).collect();
        while let Some(field) = map.next_key_seed(FieldKey(self.0))? {
            match field {
                None => _ = map.next_value::<IgnoredAny>()?,
                Some(field) if seen[field] => {
                    return Err(A::Error::custom(format!("the field '{}' occurs twice", self.0[field])));
                }
                Some(field) => {
                    seen[field] = true;
                    values[field] = map.next_value()?;
                }
            }
        }
        Ok(values)
    }
}
