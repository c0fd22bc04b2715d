//! In which format is a file?

use std::path::Path;
use std::str::FromStr;

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
    type Err = String;

    fn from_str(name: &str) -> Result<Format, String> {
        use Format::{Csv, Html, Jsonl, Lines, Parquet, Text, Tsv, Warc};
        let all = [Jsonl, Csv, Tsv, Parquet, Text, Html, Warc, Lines];
        let known = all.into_iter().find(|format| format.name() == name);
        known
            .ok_or_else(|| format!("'{name}' is not a format. Use jsonl, csv, tsv, parquet, text, html, warc or lines"))
    }
}
