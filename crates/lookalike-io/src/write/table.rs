//! What was found, as a table: JSON lines, CSV, TSV or Parquet, by the file's name.

use std::path::Path;

use super::{Finished, Output};
use crate::error::Error;
use crate::source::Format;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Strings.
    Text,
    /// Whole numbers.
    Int,
    /// Numbers.
    Float,
    /// True or false.
    Bool,
}

/// One value of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'a> {
    /// Nothing.
    Null,
    /// A string.
    Text(&'a str),
    /// A whole number.
    Int(i64),
    /// A number, written so that it reads back as the same.
    Float(f64),
    /// True or false.
    Bool(bool),
}

/// A table being written.
pub struct Table {
    output: Output,
    columns: &'static [(&'static str, Kind)],
    format: Format,
    line: Vec<u8>,
}

impl Table {
    /// Whether a table can have this name.
    pub fn check(path: &Path) -> Result<(), Error> {
        table_format(path).map(|_| ())
    }

    /// Begins a table with these columns.
    pub fn create(path: &Path, columns: &'static [(&'static str, Kind)]) -> Result<Table, Error> {
        let format = table_format(path)?;
        let mut table = Table { output: Output::create(path)?, columns, format, line: Vec::new() };
        if table.delimiter().is_some() {
            let names: Vec<Cell> = columns.iter().map(|(name, _)| Cell::Text(name)).collect();
            table.put(&names)?;
        }
        Ok(table)
    }

    fn delimiter(&self) -> Option<u8> {
        delimiter(self.format)
    }

    /// Writes one row: a cell a column.
    pub fn put(&mut self, cells: &[Cell]) -> Result<(), Error> {
        debug_assert_eq!(cells.len(), self.columns.len());
        self.line.clear();
        match self.delimiter() {
            Some(delimiter) => {
                for (at, cell) in cells.iter().enumerate() {
                    if at > 0 {
                        self.line.push(delimiter);
                    }
                    push_field(*cell, delimiter, &mut self.line);
                }
            }
            None => {
                self.line.push(b'{');
                push_members(self.columns.iter().map(|(name, _)| *name).zip(cells.iter().copied()), &mut self.line);
                self.line.push(b'}');
            }
        }
        self.line.push(b'\n');
        self.output.put(&self.line)
    }

    /// Ends the table.
    pub fn finish(self) -> Result<Finished, Error> {
        self.output.finish()
    }
}

/// The format of a table by its file's name; JSON lines to standard output.
fn table_format(path: &Path) -> Result<Format, Error> {
    if path == Path::new("-") {
        return Ok(Format::Jsonl);
    }
    match Format::of_name(path) {
        Some(format @ (Format::Jsonl | Format::Csv | Format::Tsv | Format::Parquet)) => Ok(format),
        _ => Err(Error::output(path, "its name does not end in .jsonl, .csv, .tsv or .parquet (.gz and .zst may follow)")),
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
pub(super) fn push_members<'a>(members: impl Iterator<Item = (&'a str, Cell<'a>)>, line: &mut Vec<u8>) {
    for (at, (name, cell)) in members.enumerate() {
        if at > 0 {
            line.push(b',');
        }
        push_json(Cell::Text(name), line);
        line.push(b':');
        push_json(cell, line);
    }
}

fn push_json(cell: Cell, line: &mut Vec<u8>) {
    let written = match cell {
        Cell::Null => serde_json::to_writer(line, &()),
        Cell::Text(text) => serde_json::to_writer(line, text),
        Cell::Int(number) => serde_json::to_writer(line, &number),
        Cell::Float(number) => serde_json::to_writer(line, &number),
        Cell::Bool(value) => serde_json::to_writer(line, &value),
    };
    written.expect("a plain value is JSON, and a vector takes it");
}

/// Appends a field, quoted if it must be; nothing for null.
pub(super) fn push_field(cell: Cell, delimiter: u8, line: &mut Vec<u8>) {
    let Cell::Text(text) = cell else {
        if cell != Cell::Null {
            push_json(cell, line);
        }
        return;
    };
    if text.bytes().any(|byte| byte == delimiter || matches!(byte, b'"' | b'\n' | b'\r')) {
        line.push(b'"');
        line.extend_from_slice(text.replace('"', "\"\"").as_bytes());
        line.push(b'"');
    } else {
        line.extend_from_slice(text.as_bytes());
    }
}
