//! Reads WARC files, the archives of web crawlers, record by record.
//!
//! One thread at a time cuts a file into records (`cut.rs`). It parses the header of a record and the start of its block. Any thread then
//! extracts the page from a record (`payload.rs`): HTTP header, chunks, compression.

mod cut;
mod header;
mod payload;

pub(super) use cut::{Kind, RecordBlocks, WarcRecords};
pub(super) use header::Header;
pub(super) use payload::Payload;
