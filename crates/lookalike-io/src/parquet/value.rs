//! The values of a column, whatever its physical type.

use std::collections::VecDeque;

use ::parquet::basic::{ConvertedType, LogicalType, Type as Physical};
use ::parquet::column::reader::ColumnReader;
use ::parquet::data_type::{ByteArray, DataType};
use ::parquet::file::reader::FileReader;
use ::parquet::schema::types::ColumnDescriptor;

use super::guard::{Result, error};
use super::leaf::{self, Leaf};

/// A value in a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// No value.
    Null,
    /// The bytes of a string, JSON, enum or plain byte array, not checked to be UTF-8. They are a slice of a page of the file. Cloning is
    /// cheap, but keeps the whole page in memory: copy the bytes that you keep for long.
    Text(ByteArray),
    /// An integer. Dates, times and decimals are the integer they are stored as.
    Int(i64),
    /// An unsigned integer too large for [`Value::Int`]. Smaller ones are `Int`, so that every number has one form.
    UInt(u64),
    /// A floating-point number of either size.
    Float(f64),
    /// True or false.
    Bool(bool),
    /// A value of a type that is not read: list, struct, map (even if null), fixed-length bytes, INT96.
    Other,
}

impl Value {
    /// The bytes of a text.
    pub fn text(&self) -> Option<&[u8]> {
        match self {
            Value::Text(bytes) => Some(bytes.data()),
            _ => None,
        }
    }

    fn from_u64(number: u64) -> Self {
        i64::try_from(number).map_or(Value::UInt(number), Value::Int)
    }

    /// Approximate bytes in memory.
    pub(super) fn size(&self) -> usize {
        size_of::<Self>() + self.text().map_or(0, <[u8]>::len)
    }
}

/// Reads a leaf column of a row group as values.
pub(super) trait Source: Send {
    /// Adds the next run of values, at least one.
    fn read(&mut self, values: &mut VecDeque<Value>) -> Result<()>;
}

struct Typed<T: DataType> {
    leaf: Leaf<T>,
    value: fn(T::T) -> Value,
}

impl<T: DataType> Source for Typed<T> {
    fn read(&mut self, values: &mut VecDeque<Value>) -> Result<()> {
        let run = self.leaf.next()?.ok_or_else(|| error("a column ends before the row group does"))?;
        let mut there = run.values.drain(..).map(self.value);
        if run.definition.is_empty() {
            values.extend(there);
        } else {
            // In a top-level column, level 1 is a value and level 0 a null.
            let levels = run.definition.iter();
            values.extend(levels.map(|&level| match level {
                0 => Value::Null,
                _ => there.next().unwrap_or(Value::Null),
            }));
        }
        Ok(())
    }
}

/// Column `leaf` of row group `group`, which has `rows` rows.
pub(super) fn source(file: &dyn FileReader, group: usize, leaf: usize, rows: usize) -> Result<Box<dyn Source>> {
    let column = file.metadata().file_metadata().schema_descr().column(leaf);
    let unsigned = is_unsigned(&column);
    let text = is_text(&column);
    macro_rules! typed {
        ($reader:expr, $value:expr) => {
            Box::new(Typed { leaf: Leaf::new($reader, column, rows), value: $value })
        };
    }
    Ok(match leaf::open(file, group, leaf)? {
        ColumnReader::BoolColumnReader(r) => typed!(r, Value::Bool),
        ColumnReader::Int32ColumnReader(r) if unsigned => {
            typed!(r, |v| Value::Int((v as u32).into()))
        }
        ColumnReader::Int32ColumnReader(r) => typed!(r, |v| Value::Int(v.into())),
        ColumnReader::Int64ColumnReader(r) if unsigned => typed!(r, |v| Value::from_u64(v as u64)),
        ColumnReader::Int64ColumnReader(r) => typed!(r, Value::Int),
        ColumnReader::FloatColumnReader(r) => typed!(r, |v| Value::Float(v.into())),
        ColumnReader::DoubleColumnReader(r) => typed!(r, Value::Float),
        ColumnReader::ByteArrayColumnReader(r) if text => typed!(r, Value::Text),
        ColumnReader::ByteArrayColumnReader(r) => typed!(r, |_| Value::Other),
        ColumnReader::Int96ColumnReader(r) => typed!(r, |_| Value::Other),
        ColumnReader::FixedLenByteArrayColumnReader(r) => typed!(r, |_| Value::Other),
    })
}

fn is_unsigned(column: &ColumnDescriptor) -> bool {
    match column.logical_type_ref() {
        Some(LogicalType::Integer(integer)) => !integer.is_signed,
        _ => matches!(
            column.converted_type(),
            ConvertedType::UINT_8 | ConvertedType::UINT_16 | ConvertedType::UINT_32 | ConvertedType::UINT_64
        ),
    }
}

/// Whether the bytes are text. Those of a decimal or a geometry are not.
fn is_text(column: &ColumnDescriptor) -> bool {
    column.physical_type() == Physical::BYTE_ARRAY
        && match column.logical_type_ref() {
            Some(logical) => {
                matches!(logical, LogicalType::String | LogicalType::Json | LogicalType::Enum)
            }
            None => matches!(
                column.converted_type(),
                ConvertedType::NONE | ConvertedType::UTF8 | ConvertedType::JSON | ConvertedType::ENUM
            ),
        }
}
