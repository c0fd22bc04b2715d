//! Files to rows: blocks are cut off a file by one thread at a time, and read into rows by any.

mod blocks;
mod csv;
mod jsonl;
mod lines;
mod parquet;
mod rows;
mod values;

pub use blocks::{Block, Blocks};
pub use csv::header;
pub use parquet::schema_difference;
pub use rows::{Content, Fields, Row, RowReader};
pub use values::Value;
