//! The types and the values of the columns that lookalike writes.

use std::borrow::Cow;

/// The type of a new column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// UTF-8 strings.
    Text,
    /// Signed 64-bit integers.
    Int,
    /// 64-bit floating-point numbers.
    Float,
    /// True or false.
    Bool,
    /// Byte strings of exactly this length.
    Bytes(u16),
}

/// A value in a new column.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell<'a> {
    /// No value; for a nullable column of any kind.
    Null,
    /// For [`Kind::Text`].
    Text(Cow<'a, str>),
    /// For [`Kind::Int`].
    Int(i64),
    /// For [`Kind::Float`].
    Float(f64),
    /// For [`Kind::Bool`].
    Bool(bool),
    /// For [`Kind::Bytes`]. JSON and CSV get hexadecimal digits.
    Bytes(&'a [u8]),
}

impl<'a> From<&'a str> for Cell<'a> {
    fn from(text: &'a str) -> Self {
        Cell::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Cell<'_> {
    fn from(text: String) -> Self {
        Cell::Text(Cow::Owned(text))
    }
}
