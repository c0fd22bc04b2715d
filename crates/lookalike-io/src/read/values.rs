use std::borrow::Cow;
use std::ops::Range;

/// A field of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// Not there, or null.
    Missing,
    /// A string.
    Text(&'a str),
    /// A number as it is written.
    Number(&'a str),
    /// A whole number.
    Int(i128),
    /// Another number.
    Float(f64),
    /// True or false.
    Bool(bool),
    /// An array, an object, a type that means nothing here.
    Other,
}

impl<'a> Value<'a> {
    /// As it is written, if it is a plain value and there is one.
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

/// The wanted fields of one row, in memory that serves for all rows.
#[derive(Default)]
pub(super) struct Values {
    strings: String,
    found: Vec<Found>,
    /// By field, whether any row had it since this was last asked.
    seen: Vec<bool>,
}

/// A [`Value`] whose text lies in [`Values`].
#[derive(Clone, Debug)]
// Only Parquet has numbers that are not text.
#[cfg_attr(not(feature = "parquet"), expect(dead_code))]
pub(super) enum Found {
    Missing,
    Text(Range<usize>),
    Number(Range<usize>),
    Int(i128),
    Float(f64),
    Bool(bool),
    Other,
}

impl Values {
    /// Forgets the row before; none of `wanted` fields has been found.
    pub(super) fn clear(&mut self, wanted: usize) {
        self.strings.clear();
        self.found.clear();
        self.found.resize(wanted, Found::Missing);
        self.seen.resize(wanted, false);
    }

    /// Which fields the rows had since this was last asked.
    pub(super) fn take_seen(&mut self) -> Vec<bool> {
        std::mem::take(&mut self.seen)
    }

    pub(super) fn set(&mut self, field: usize, found: Found) {
        self.found[field] = found;
        self.seen[field] = true;
    }

    pub(super) fn set_text(&mut self, field: usize, text: &str) {
        let start = self.strings.len();
        self.strings.push_str(text);
        self.set(field, Found::Text(start..self.strings.len()));
    }

    /// Where the next text will start.
    pub(super) fn text_start(&self) -> usize {
        self.strings.len()
    }

    /// Where texts are kept: what is appended to it is one.
    pub(super) fn strings(&mut self) -> &mut String {
        &mut self.strings
    }

    /// Drops a text that nobody wants, from its start on.
    pub(super) fn forget_text(&mut self, start: usize) {
        self.strings.truncate(start);
    }

    pub(super) fn set_number(&mut self, field: usize, digits: &str) {
        let start = self.strings.len();
        self.strings.push_str(digits);
        self.set(field, Found::Number(start..self.strings.len()));
    }

    pub(super) fn get(&self, field: usize) -> Value<'_> {
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
