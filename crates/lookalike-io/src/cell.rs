//! What can a column that lookalike writes have in it?

use std::borrow::Cow;

/// What a new column has in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// UTF-8 strings.
    Text,
    /// 64-bit integers with sign.
    Int,
    /// 64-bit floating-point numbers.
    Float,
    /// True or false.
    Bool,
    /// So many bytes, no more and no fewer.
    Bytes(u16),
}

/// What a row has in a new column.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell<'a> {
    /// Nothing, for a nullable column of any kind.
    Null,
    /// For [`Kind::Text`].
    Text(Cow<'a, str>),
    /// For [`Kind::Int`].
    Int(i64),
    /// For [`Kind::Float`].
    Float(f64),
    /// For [`Kind::Bool`].
    Bool(bool),
    /// For [`Kind::Bytes`]; hexadecimal where bytes cannot be written.
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
