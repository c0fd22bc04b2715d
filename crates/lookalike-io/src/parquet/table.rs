//! Writes a new table.

use std::io::Write;
use std::sync::Arc;

use ::parquet::basic::Compression;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::SerializedFileWriter;
use ::parquet::schema::types::Type;

use super::column::{Buffer, Column};
use super::guard::{Result, error};
use super::schema;
use crate::cell::Cell;

/// The most rows of a row group, and the bytes of text that end it early.
const GROUP_ROWS: usize = 65_536;
const GROUP_BYTES: usize = 64 << 20;

/// Writes a new table row by row.
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
        let schema = schema::extended(&root, columns)?;
        let properties = WriterProperties::builder().set_compression(Compression::ZSTD(Default::default())).build();
        Ok(TableWriter {
            writer: SerializedFileWriter::new(out, schema, Arc::new(properties))?,
            columns: columns.iter().cloned().map(Buffer::new).collect(),
            rows: 0,
        })
    }

    /// Adds a row. If it does not fit the columns, returns an error and adds nothing.
    pub fn row(&mut self, cells: &[Cell]) -> Result<()> {
        if cells.len() != self.columns.len() {
            let (have, want) = (cells.len(), self.columns.len());
            return Err(error(format!("a row has {have} cells, but the table has {want} columns")));
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

    /// Writes the last rows and the footer, and returns the inner writer.
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
