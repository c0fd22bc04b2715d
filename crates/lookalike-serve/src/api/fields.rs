//! The fields of a document as it is sent: a JSON object of which a few are wanted.

use std::fmt;

use lookalike_io::mend_surrogates;
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};

use super::ApiError;
use super::scalar::Scalar;

/// What the fields of a document are called.
#[derive(Clone, Debug)]
pub struct FieldNames {
    /// The id.
    pub id: String,
    /// The time.
    pub time: String,
    /// The text; several are read one after another. None if there is only a page.
    pub text: Vec<String>,
    /// The web page that may stand in place of the text.
    pub html: Option<String>,
    /// The page's address.
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

/// The same, and all that are wanted: one that has two roles is there once.
pub(super) struct Names {
    pub(super) of: FieldNames,
    all: Vec<String>,
}

impl Names {
    pub(super) fn new(of: FieldNames) -> Names {
        let mut all: Vec<String> = Vec::new();
        for name in of.text.iter().chain(&of.html).chain([&of.id, &of.time, &of.url, &of.source]) {
            if !all.contains(name) {
                all.push(name.clone());
            }
        }
        Names { of, all }
    }

    /// What a document must have to be compared.
    pub(super) fn needed(&self) -> String {
        let text = self.of.text.join("', '");
        match &self.of.html {
            Some(html) if text.is_empty() => format!("a document has a '{html}', a string"),
            Some(html) => format!("a document has a '{text}' or an '{html}', a string, and not both"),
            None => format!("a document has a '{text}', a string"),
        }
    }
}

/// The values of the wanted fields.
pub(super) struct Sent<'a> {
    names: &'a [String],
    values: Vec<Option<Scalar>>,
}

impl<'a> Sent<'a> {
    /// Reads a document. Half a surrogate pair is no character, and reads as the replacement character, as in files.
    pub(super) fn read(bytes: &[u8], names: &'a Names) -> Result<Sent<'a>, ApiError> {
        let names = &names.all;
        let bad = |reason: String| ApiError::bad("bad_json", format!("this is not a document in JSON: {reason}"));
        let json = std::str::from_utf8(bytes)
            .map_err(|error| bad(format!("invalid UTF-8 at byte {}", error.valid_up_to() + 1)))?;
        if let Some(other) = other_than_object(json) {
            return Err(ApiError::bad("bad_json", format!("a document is a JSON object, and this is {other}")));
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

    /// The text of a field, if it has one, which is not there any more then.
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

/// What stands in place of an object, if nothing else can be meant.
fn other_than_object(json: &str) -> Option<&'static str> {
    match json.trim_ascii_start().bytes().next()? {
        b'[' => Some("an array"),
        b'"' => Some("a string"),
        b'-' | b'0'..=b'9' => Some("a number"),
        _ => match json.trim_ascii() {
            "null" => Some("null"),
            "true" | "false" => Some("a truth value"),
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
        while let Some(field) = map.next_key_seed(Key(self.0))? {
            match field {
                None => _ = map.next_value::<IgnoredAny>()?,
                Some(field) if seen[field] => {
                    return Err(A::Error::custom(format!("the field '{}' is there twice", self.0[field])));
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

/// Which of the wanted fields a key is.
struct Key<'a>(&'a [String]);

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Option<usize>, D::Error> {
        json.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<Option<usize>, E> {
        Ok(self.0.iter().position(|name| name == key))
    }
}
