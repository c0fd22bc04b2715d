//! WARC: the archives of web crawlers, record by record.
//!
//! A file is cut into records by one thread at a time (`cut.rs`), which needs a record's own header and the first lines of what it
//! holds. What a page's bytes are (`payload.rs`: HTTP, its chunks, its compression) any thread finds out.

mod cut;
mod header;
mod payload;

pub(super) use cut::{Kind, RecordBlocks, WarcRecords};
pub(super) use header::Header;
pub(super) use payload::Payload;
