//! Writes a table as JSON lines, CSV, TSV or Parquet, depending on the file name.

use std::path::Path;

use super::output::{Finished, Output};
use super::parquet::{self, ParquetTable};
use super::place::check_uncompressed;
use crate::cell::{Cell, Kind};
use crate::error::Error;
use crate::format::Format;

/// A table being written.
pub struct Table {
    columns: Vec<(&'static str, Kind)>,
    rows: TableRows,
}

enum TableRows {
    /// JSON lines, or with a delimiter CSV or TSV.
    Lines {
        output: Output,
        delimiter: Option<u8>,
        line: Vec<u8>,
    },
    Parquet(ParquetTable),
}

impl Table {
    /// Checks that a table can have this name.
    pub fn check(path: &Path) -> Result<(), Error> {
        table_format(path).map(|_| ())
    }

    /// Creates a table with these columns.
    pub fn create(path: &Path, columns: &[(&'static str, Kind)]) -> Result<Table, Error> {
        let format = table_format(path)?;
        let output = Output::create(path)?;
        let columns = columns.to_vec();
        if format == Format::Parquet {
            let rows = TableRows::Parquet(ParquetTable::create(output, &columns)?);
            return Ok(Table { columns, rows });
        }
        let delimiter = delimiter(format);
        let names: Vec<Cell> = columns.iter().map(|(name, _)| Cell::from(*name)).collect();
        let mut table = Table { columns, rows: TableRows::Lines { output, delimiter, line: Vec::new() } };
        if delimiter.is_some() {
            table.put(&names)?;
        }
        Ok(table)
    }

    /// Whether it goes to a pipe and the reader has closed it, so that no more rows are needed.
    pub fn is_closed(&self) -> bool {
        matches!(&self.rows, TableRows::Lines { output, .. } if output.is_closed())
    }

    /// Writes a row with one cell per column.
    pub fn put(&mut self, cells: &[Cell]) -> Result<(), Error> {
        debug_assert_eq!(cells.len(), self.columns.len());
        let (output, delimiter, line) = match &mut self.rows {
            TableRows::Lines { output, delimiter, line } => (output, *delimiter, line),
            TableRows::Parquet(table) => return table.put(cells),
        };
        line.clear();
        match delimiter {
            Some(delimiter) => {
                for (at, cell) in cells.iter().enumerate() {
                    if at > 0 {
                        line.push(delimiter);
                    }
                    push_field(cell, delimiter, line);
                }
            }
            None => {
                line.push(b'{');
                push_members(self.columns.iter().map(|(name, _)| *name).zip(cells), line);
                line.push(b'}');
            }
        }
        line.push(b'\n');
        output.put(line)
    }

    /// Ends the table.
    pub fn finish(self) -> Result<Finished, Error> {
        match self.rows {
            TableRows::Lines { output, .. } => output.finish(),
            TableRows::Parquet(table) => table.finish(),
        }
    }
}

/// The format of a table by its file name. Standard output gets JSON lines.
fn table_format(path: &Path) -> Result<Format, Error> {
    if path == Path::new("-") {
        return Ok(Format::Jsonl);
    }
    match Format::of_name(path) {
        Some(Format::Parquet) => {
            check_uncompressed(path)?;
            parquet::check(path).map(|()| Format::Parquet)
        }
        Some(format @ (Format::Jsonl | Format::Csv | Format::Tsv)) => Ok(format),
        _ => Err(Error::output(
            path,
            "its name must end in .jsonl, .csv, .tsv or .parquet (all but .parquet may be followed by .gz or .zst)",
        )),
    }
}

pub(super) fn delimiter(format: Format) -> Option<u8> {
    match format {
        Format::Csv => Some(b','),
        Format::Tsv => Some(b'\t'),
        _ => None,
    }
}

/// Appends `"name":value` for every member, with commas between.
pub(super) fn push_members<'a>(members: impl Iterator<Item = (&'a str, &'a Cell<'a>)>, line: &mut Vec<u8>) {
    for (at, (name, cell)) in members.enumerate() {
        if at > 0 {
            line.push(b',');
        }
        push_json(&Cell::from(name), line);
        line.push(b':');
        push_json(cell, line);
    }
}

fn push_json(cell: &Cell, line: &mut Vec<u8>) {
    let written = match cell {
        Cell::Null => serde_json::to_writer(line, &()),
        Cell::Text(text) => serde_json::to_writer(line, text),
        Cell::Int(number) => serde_json::to_writer(line, number),
        Cell::Float(number) => serde_json::to_writer(line, number),
        Cell::Bool(value) => serde_json::to_writer(line, value),
        Cell::Bytes(bytes) => return push_hexadecimal(bytes, line),
    };
    written.expect("a plain value is JSON, and a vector takes it");
}

/// Appends the bytes as hexadecimal digits in quotation marks.
fn push_hexadecimal(bytes: &[u8], line: &mut Vec<u8>) {
    line.push(b'"');
    push_digits(bytes, line);
    line.push(b'"');
}

fn push_digits(bytes: &[u8], line: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    line.extend(bytes.iter().flat_map(|byte| [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]));
}

/// Appends a CSV field, quoted if necessary. Null is an empty field.
pub(super) fn push_field(cell: &Cell, delimiter: u8, line: &mut Vec<u8>) {
    let text = match cell {
        Cell::Text(text) => text,
        Cell::Null => return,
        Cell::Bytes(bytes) => return push_digits(bytes, line),
        _ => return push_json(cell, line),
    };
    if text.bytes().any(|byte| byte == delimiter || matches!(byte, b'"' | b'\n' | b'\r')) {
        line.push(b'"');
        line.extend_from_slice(text.replace('"', "\"\"").as_bytes());
        line.push(b'"');
    } else {
        line.extend_from_slice(text.as_bytes());
    }
}
