//! New tables, and the buffer behind every column that is not a copy.

use std::borrow::Cow;
use std::io::Write;
use std::sync::Arc;

use ::parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use ::parquet::column::writer::ColumnWriter;
use ::parquet::data_type::{ByteArray, FixedLenByteArray};
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::SerializedFileWriter;
use ::parquet::schema::types::Type;

use super::{Result, error};

/// Rows of a row group, and bytes of text that end it early.
const GROUP_ROWS: usize = 65_536;
const GROUP_BYTES: usize = 64 << 20;

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

/// A new column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What it has in it.
    pub kind: Kind,
    /// Whether rows may have a null in it.
    pub nullable: bool,
}

impl Column {
    /// A column that may have nulls.
    pub fn new(name: &str, kind: Kind) -> Self {
        Column { name: name.to_string(), kind, nullable: true }
    }

    /// A column that has a value in every row.
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

/// The cells of a new column that are not written yet.
pub(super) struct Buffer {
    column: Column,
    values: Values,
    /// 1 for a value, 0 for a null; empty if there can be no nulls.
    definition: Vec<i16>,
    /// Bytes of texts and the like.
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

    /// Whether [`push`](Self::push) would take `cell`.
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
            false => Err(error(format!("column {name} of {kind:?} cannot have {cell:?}"))),
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

    /// Writes what is there to `to`, and forgets it.
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
                return Err(error(format!("column {} is in the wrong place", self.column.name)));
            }
        }
        self.definition.clear();
        self.bytes = 0;
        Ok(())
    }
}

/// Writes a table of new columns, row by row.
pub struct TableWriter<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    columns: Vec<Buffer>,
    /// Rows in the buffers.
    rows: usize,
}

impl<W: Write + Send> TableWriter<W> {
    /// Starts a table with these columns.
    pub fn create(out: W, columns: &[Column]) -> Result<Self> {
        let root = Arc::new(Type::group_type_builder("schema").build()?);
        let schema = super::schema::extended(&root, columns)?;
        let properties = WriterProperties::builder().set_compression(Compression::ZSTD(Default::default())).build();
        Ok(TableWriter {
            writer: SerializedFileWriter::new(out, schema, Arc::new(properties))?,
            columns: columns.iter().cloned().map(Buffer::new).collect(),
            rows: 0,
        })
    }

    /// Adds a row. A row that does not fit the columns is an error and adds
    /// nothing.
    pub fn row(&mut self, cells: &[Cell]) -> Result<()> {
        if cells.len() != self.columns.len() {
            let (have, want) = (cells.len(), self.columns.len());
            return Err(error(format!("a row of {have} cells for {want} columns")));
        }
        for (column, cell) in self.columns.iter().zip(cells) {
            column.check(cell)?;
        }
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            column.push(cell)?;
        }
        self.rows += 1;
        let bytes: usize = self.columns.iter().map(|column| column.bytes).sum();
        if self.rows >= GROUP_ROWS || bytes >= GROUP_BYTES {
            self.write_group()?;
        }
        Ok(())
    }

    /// Writes the last rows and the footer, and gives the writer back.
    pub fn finish(mut self) -> Result<W> {
        self.write_group()?;
        self.writer.into_inner()
    }

    fn write_group(&mut self) -> Result<()> {
        if self.rows == 0 {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        for column in &mut self.columns {
            let Some(mut to) = group.next_column()? else {
                break;
            };
            column.write(to.untyped())?;
            to.close()?;
        }
        group.close()?;
        self.rows = 0;
        Ok(())
    }
}
