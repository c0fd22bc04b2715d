//! The values of the requested fields of a row.

use std::borrow::Cow;
use std::ops::Range;

/// The value of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// Missing or null.
    Missing,
    /// A string.
    Text(&'a str),
    /// A number as it is spelled.
    Number(&'a str),
    /// An integer.
    Int(i128),
    /// A number with a fraction.
    Float(f64),
    /// True or false.
    Bool(bool),
    /// An array, an object, or another type that is not used.
    Other,
}

impl<'a> Value<'a> {
    /// The value as text, if it is a string, a number or a boolean.
    pub fn written(self) -> Option<Cow<'a, str>> {
        match self {
            Value::Text(text) | Value::Number(text) => Some(Cow::Borrowed(text)),
            Value::Int(number) => Some(Cow::Owned(number.to_string())),
            Value::Float(number) => Some(Cow::Owned(number.to_string())),
            Value::Bool(value) => Some(Cow::Owned(value.to_string())),
            Value::Missing | Value::Other => None,
        }
    }
}

/// The requested fields of one row, in buffers that all rows share.
#[derive(Default)]
pub(in crate::read) struct Values {
    strings: String,
    found: Vec<Found>,
    /// By field, whether any row had it since the last call of [`Values::take_seen`].
    seen: Vec<bool>,
}

/// A [`Value`] whose text is in [`Values`].
#[derive(Clone, Debug)]
// Only Parquet has numbers that are not spelled as text.
#[cfg_attr(not(feature = "parquet"), expect(dead_code))]
pub(in crate::read) enum Found {
    Missing,
    Text(Range<usize>),
    Number(Range<usize>),
    Int(i128),
    Float(f64),
    Bool(bool),
    Other,
}

impl Values {
    /// Starts a new row, with `wanted` fields not yet found.
    pub(in crate::read) fn clear(&mut self, wanted: usize) {
        self.strings.clear();
        self.found.clear();
        self.found.resize(wanted, Found::Missing);
        self.seen.resize(wanted, false);
    }

    /// Which fields the rows had since the last call.
    pub(in crate::read) fn take_seen(&mut self) -> Vec<bool> {
        std::mem::take(&mut self.seen)
    }

    pub(in crate::read) fn set(&mut self, field: usize, found: Found) {
        self.found[field] = found;
        self.seen[field] = true;
    }

    pub(in crate::read) fn set_text(&mut self, field: usize, text: &str) {
        let start = self.strings.len();
        self.strings.push_str(text);
        self.set(field, Found::Text(start..self.strings.len()));
    }

    /// The offset of the next text.
    pub(in crate::read) fn text_start(&self) -> usize {
        self.strings.len()
    }

    /// The buffer of texts, to append one.
    pub(in crate::read) fn strings(&mut self) -> &mut String {
        &mut self.strings
    }

    /// Drops the text that begins at `start`.
    pub(in crate::read) fn forget_text(&mut self, start: usize) {
        self.strings.truncate(start);
    }

    pub(in crate::read) fn set_number(&mut self, field: usize, digits: &str) {
        let start = self.strings.len();
        self.strings.push_str(digits);
        self.set(field, Found::Number(start..self.strings.len()));
    }

    pub(in crate::read) fn get(&self, field: usize) -> Value<'_> {
        match &self.found[field] {
            Found::Missing => Value::Missing,
            Found::Text(range) => Value::Text(&self.strings[range.clone()]),
            Found::Number(range) => Value::Number(&self.strings[range.clone()]),
            Found::Int(number) => Value::Int(*number),
            Found::Float(number) => Value::Float(*number),
            Found::Bool(value) => Value::Bool(*value),
            Found::Other => Value::Other,
        }
    }
}
