//! A new column, and the buffer of its cells.

use ::parquet::basic::{LogicalType, Repetition, Type as Physical};
use ::parquet::column::writer::ColumnWriter;
use ::parquet::data_type::{ByteArray, FixedLenByteArray};
use ::parquet::schema::types::Type;

use super::guard::{Result, error};
use crate::cell::{Cell, Kind};

/// The name and type of a new column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// The type of its values.
    pub kind: Kind,
    /// Whether it may have nulls.
    pub nullable: bool,
}

impl Column {
    /// A column that may have nulls.
    pub fn new(name: &str, kind: Kind) -> Self {
        Column { name: name.to_string(), kind, nullable: true }
    }

    /// A column without nulls.
    pub fn required(name: &str, kind: Kind) -> Self {
        Column { nullable: false, ..Column::new(name, kind) }
    }

    pub(super) fn schema(&self) -> Result<Type> {
        let physical = match self.kind {
            Kind::Text => Physical::BYTE_ARRAY,
            Kind::Int => Physical::INT64,
            Kind::Float => Physical::DOUBLE,
            Kind::Bool => Physical::BOOLEAN,
            Kind::Bytes(_) => Physical::FIXED_LEN_BYTE_ARRAY,
        };
        let length = match self.kind {
            Kind::Bytes(length) => length.into(),
            _ => 0,
        };
        let repetition = match self.nullable {
            true => Repetition::OPTIONAL,
            false => Repetition::REQUIRED,
        };
        Type::primitive_type_builder(&self.name, physical)
            .with_repetition(repetition)
            .with_length(length)
            .with_logical_type((self.kind == Kind::Text).then_some(LogicalType::String))
            .build()
    }
}

/// The cells of a new column that are not written yet.
pub(super) struct Buffer {
    column: Column,
    values: Values,
    /// 1 for a value, 0 for a null. Empty if the column has no nulls.
    definition: Vec<i16>,
    /// Bytes of texts and byte strings.
    pub bytes: usize,
}

enum Values {
    Text(Vec<ByteArray>),
    Int(Vec<i64>),
    Float(Vec<f64>),
    Bool(Vec<bool>),
    Bytes(Vec<FixedLenByteArray>),
}

impl Buffer {
    pub fn new(column: Column) -> Self {
        let values = match column.kind {
            Kind::Text => Values::Text(Vec::new()),
            Kind::Int => Values::Int(Vec::new()),
            Kind::Float => Values::Float(Vec::new()),
            Kind::Bool => Values::Bool(Vec::new()),
            Kind::Bytes(_) => Values::Bytes(Vec::new()),
        };
        Buffer { column, values, definition: Vec::new(), bytes: 0 }
    }

    pub fn column(&self) -> &Column {
        &self.column
    }

    /// Fails if [`push`](Self::push) would refuse `cell`.
    pub fn check(&self, cell: &Cell) -> Result<()> {
        let fits = match cell {
            Cell::Null => self.column.nullable,
            Cell::Text(_) => self.column.kind == Kind::Text,
            Cell::Int(_) => self.column.kind == Kind::Int,
            Cell::Float(_) => self.column.kind == Kind::Float,
            Cell::Bool(_) => self.column.kind == Kind::Bool,
            Cell::Bytes(bytes) => u16::try_from(bytes.len()).is_ok_and(|len| self.column.kind == Kind::Bytes(len)),
        };
        let Column { name, kind, .. } = &self.column;
        match fits {
            true => Ok(()),
            false => Err(error(format!("column {name} has the type {kind:?} and cannot store {cell:?}"))),
        }
    }

    pub fn push(&mut self, cell: &Cell) -> Result<()> {
        self.check(cell)?;
        if self.column.nullable {
            self.definition.push(i16::from(*cell != Cell::Null));
        }
        match (&mut self.values, cell) {
            (Values::Text(values), Cell::Text(text)) => {
                self.bytes += text.len();
                values.push(ByteArray::from(&**text));
            }
            (Values::Int(values), Cell::Int(number)) => values.push(*number),
            (Values::Float(values), Cell::Float(number)) => values.push(*number),
            (Values::Bool(values), Cell::Bool(truth)) => values.push(*truth),
            (Values::Bytes(values), Cell::Bytes(bytes)) => {
                self.bytes += bytes.len();
                values.push(FixedLenByteArray::from(bytes.to_vec()));
            }
            _ => {}
        }
        Ok(())
    }

    /// Writes the buffered cells to `to` and clears the buffer.
    pub fn write(&mut self, to: &mut ColumnWriter<'_>) -> Result<()> {
        let levels = self.column.nullable.then_some(&self.definition[..]);
        match (&mut self.values, to) {
            (Values::Text(values), ColumnWriter::ByteArrayColumnWriter(to)) => {
                to.write_batch(values, levels, None)?;
                values.clear();
            }
            (Values::Int(values), ColumnWriter::Int64ColumnWriter(to)) => {
                to.write_batch(values, levels, None)?;
                values.clear();
            }
            (Values::Float(values), ColumnWriter::DoubleColumnWriter(to)) => {
                to.write_batch(values, levels, None)?;
                values.clear();
            }
            (Values::Bool(values), ColumnWriter::BoolColumnWriter(to)) => {
                to.write_batch(values, levels, None)?;
                values.clear();
            }
            (Values::Bytes(values), ColumnWriter::FixedLenByteArrayColumnWriter(to)) => {
                to.write_batch(values, levels, None)?;
                values.clear();
            }
            _ => {
                return Err(error(format!("the writer of column {} has a different type", self.column.name)));
            }
        }
        self.definition.clear();
        self.bytes = 0;
        Ok(())
    }
}
