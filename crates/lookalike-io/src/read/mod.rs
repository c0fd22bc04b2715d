//! Files to rows: blocks are cut off a file by one thread at a time, and read into rows by any.

mod blocks;
mod combine;
mod csv;
mod fields;
mod flat_json;
#[cfg(fuzzing)]
pub mod fuzz;
mod jsonl;
mod lines;
mod page;
mod parquet;
pub(crate) mod recognise;
mod rows;
mod seen;
mod time;
#[cfg(test)]
mod truncated_json;
mod values;
mod warc;

pub use blocks::{Block, Blocks, Raw};
pub use csv::header;
pub use fields::Fields;
pub use jsonl::mend_surrogates;
pub use page::{Page, PageBody};
pub use parquet::schema_difference;
pub use rows::{Content, Row, RowReader};
pub use seen::{Lacking, Seen};
pub use time::{milliseconds, time_of};
pub use values::Value;

use crate::error::Error;
use crate::source::{Format, Source};

/// The names of a file's columns; `None` for a format without any.
pub fn columns(source: &Source) -> Result<Option<Vec<String>>, Error> {
    match source.format() {
        Format::Csv | Format::Tsv => Ok(Some(header(source)?.map_or_else(Vec::new, |header| header.names))),
        Format::Parquet => parquet::names(source).map(Some),
        Format::Jsonl | Format::Text | Format::Html | Format::Warc | Format::Lines => Ok(None),
    }
}
