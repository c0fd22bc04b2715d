//! Which of the requested fields is a key?

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Visitor};

/// Deserializes a key as its index among the requested fields, without copying it.
pub struct FieldKey<'a>(pub &'a [String]);

impl<'de> DeserializeSeed<'de> for FieldKey<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Option<usize>, D::Error> {
        json.deserialize_str(self)
    }
}

impl Visitor<'_> for FieldKey<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<Option<usize>, E> {
        Ok(self.0.iter().position(|name| name == key))
    }
}
