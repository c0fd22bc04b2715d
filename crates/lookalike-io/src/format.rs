//! In which format is a file?

use std::path::Path;
use std::str::FromStr;

use lookalike::NameError;

use crate::codec::{Codec, extension};

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One JSON object per line.
    Jsonl,
    /// Comma-separated, with a header.
    Csv,
    /// Tab-separated, with a header.
    Tsv,
    /// One document per row.
    Parquet,
    /// The whole file is a document.
    Text,
    /// The whole file is a web page.
    Html,
    /// A web archive, with one page per record.
    Warc,
    /// Every line is a document.
    Lines,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 8] = [
        Format::Jsonl,
        Format::Csv,
        Format::Tsv,
        Format::Parquet,
        Format::Html,
        Format::Warc,
        Format::Text,
        Format::Lines,
    ];

    /// The format by the file name, ignoring a compression suffix.
    pub fn of_name(path: &Path) -> Option<Format> {
        match extension(Codec::of_name(path).1).as_deref() {
            Some("jsonl" | "ndjson" | "json") => Some(Format::Jsonl),
            Some("csv") => Some(Format::Csv),
            Some("tsv") => Some(Format::Tsv),
            Some("parquet" | "pq") => Some(Format::Parquet),
            Some("html" | "htm" | "xhtml" | "xml") => Some(Format::Html),
            Some("warc") => Some(Format::Warc),
            _ => None,
        }
    }

    /// Whether the whole file is one document. Such a document has no fields, and its id is the file name.
    pub fn is_whole(self) -> bool {
        matches!(self, Format::Text | Format::Html)
    }

    /// Whether rows have fields. Whole files and plain lines have none.
    pub fn has_fields(self) -> bool {
        !self.is_whole() && self != Format::Lines
    }

    /// Whether documents are web pages, whatever fields the user names.
    pub fn is_pages(self) -> bool {
        matches!(self, Format::Html | Format::Warc)
    }

    /// Its name, as `--format` takes it.
    pub fn name(self) -> &'static str {
        match self {
            Format::Jsonl => "jsonl",
            Format::Csv => "csv",
            Format::Tsv => "tsv",
            Format::Parquet => "parquet",
            Format::Text => "text",
            Format::Html => "html",
            Format::Warc => "warc",
            Format::Lines => "lines",
        }
    }
}

impl FromStr for Format {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Format, NameError> {
        let known = Format::ALL.into_iter().find(|format| format.name() == name);
        known.ok_or_else(|| NameError::new(name, Format::ALL.map(Format::name)))
    }
}
