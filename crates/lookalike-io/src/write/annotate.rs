//! Writes every row with the decision on it.

use std::path::Path;

use super::table::{delimiter, push_field, push_members};
use super::{Cell, Finished, Kind, Output, RowWriter};
use crate::error::Error;
use crate::format::Format;

/// The decision on a row.
#[derive(Clone, Copy, Debug)]
pub struct Annotation<'a> {
    /// Its cluster, if it is in one.
    pub cluster: Option<i64>,
    /// Whether it is kept.
    pub kept: bool,
    /// The kept row that it resembles.
    pub twin: Option<&'a str>,
    /// The similarity to the twin.
    pub similarity: Option<f64>,
}

impl<'a> Annotation<'a> {
    /// The columns added to a row. The name of the last shows whether similarities were verified.
    pub fn columns(verified: bool) -> [(&'static str, Kind); 4] {
        let similarity = if verified { "lookalike_similarity" } else { "lookalike_unverified_similarity" };
        [
            ("lookalike_cluster", Kind::Int),
            ("lookalike_kept", Kind::Bool),
            ("lookalike_twin", Kind::Text),
            (similarity, Kind::Float),
        ]
    }

    /// The values of the columns.
    pub fn cells(&self) -> [Cell<'a>; 4] {
        [
            self.cluster.map_or(Cell::Null, Cell::Int),
            Cell::Bool(self.kept),
            self.twin.map_or(Cell::Null, Cell::from),
            self.similarity.map_or(Cell::Null, Cell::Float),
        ]
    }
}

/// Writes rows with the decisions on them, in the rows' own format.
pub struct AnnotatedRows {
    rows: RowWriter,
    format: Format,
    verified: bool,
    line: Vec<u8>,
}

impl AnnotatedRows {
    /// Creates a file for rows of this format.
    pub fn create(path: &Path, format: Format, verified: bool) -> Result<AnnotatedRows, Error> {
        Ok(AnnotatedRows { rows: RowWriter::new(Output::create(path)?), format, verified, line: Vec::new() })
    }

    /// Writes the header of CSV rows.
    pub fn put_header(&mut self, header: &[u8]) -> Result<(), Error> {
        let names = Annotation::columns(self.verified).map(|(name, _)| Cell::from(name));
        self.put_fields(header, 0, &names)
    }

    /// Writes a row. `missing` is how many fewer fields it has than the header.
    pub fn put(&mut self, row: &[u8], missing: usize, annotation: &Annotation) -> Result<(), Error> {
        if self.format == Format::Jsonl {
            self.put_members(row, annotation)
        } else {
            self.put_fields(row, missing, &annotation.cells())
        }
    }

    fn put_fields(&mut self, row: &[u8], missing: usize, cells: &[Cell]) -> Result<(), Error> {
        let delimiter = delimiter(self.format).unwrap_or(b',');
        let (fields, end) = split_end(row);
        self.line.clear();
        self.line.extend_from_slice(fields);
        self.line.extend(std::iter::repeat_n(delimiter, missing));
        for cell in cells {
            self.line.push(delimiter);
            push_field(cell, delimiter, &mut self.line);
        }
        self.line.extend_from_slice(end);
        self.rows.put(&self.line)
    }

    /// Adds the members before the last brace of a JSON object. Any other value becomes the member `value` of a new object.
    fn put_members(&mut self, row: &[u8], annotation: &Annotation) -> Result<(), Error> {
        let (json, end) = split_end(row);
        let json = json.trim_ascii_end();
        self.line.clear();
        match json.strip_suffix(b"}") {
            Some(open) if json.trim_ascii_start().starts_with(b"{") => {
                self.line.extend_from_slice(open);
                if open.trim_ascii() != b"{" {
                    self.line.push(b',');
                }
            }
            _ => {
                self.line.extend_from_slice(b"{\"value\":");
                self.line.extend_from_slice(json.trim_ascii_start());
                self.line.push(b',');
            }
        }
        let names = Annotation::columns(self.verified).map(|(name, _)| name).into_iter();
        push_members(names.zip(&annotation.cells()), &mut self.line);
        self.line.push(b'}');
        self.line.extend_from_slice(end);
        self.rows.put(&self.line)
    }

    /// Ends the file.
    pub fn finish(self) -> Result<Finished, Error> {
        self.rows.finish()
    }
}

/// Splits a row from its line end.
fn split_end(row: &[u8]) -> (&[u8], &[u8]) {
    let end = row.iter().rev().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
    row.split_at(row.len() - end)
}
