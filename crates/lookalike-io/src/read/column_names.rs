//! Which columns a file has.

use super::csv::header;
use super::parquet;
use crate::error::Error;
use crate::format::Format;
use crate::source::Source;

/// The names of a file's columns; `None` for a format without columns.
pub fn columns(source: &Source) -> Result<Option<Vec<String>>, Error> {
    match source.format() {
        Format::Csv | Format::Tsv => Ok(Some(header(source)?.map_or_else(Vec::new, |header| header.names))),
        Format::Parquet => parquet::names(source).map(Some),
        Format::Jsonl | Format::Text | Format::Html | Format::Warc | Format::Lines => Ok(None),
    }
}
