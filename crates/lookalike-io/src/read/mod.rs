//! How files become rows. One thread at a time cuts a file into blocks; any thread reads a block into rows.

mod blocks;
mod column_names;
mod csv;
mod fields;
#[cfg(fuzzing)]
pub mod fuzz;
mod json;
mod lines;
#[cfg(not(feature = "parquet"))]
mod no_parquet;
mod page;
#[cfg(feature = "parquet")]
mod parquet;
mod recognise;
mod row;
mod rows;
mod single;
mod warc;

#[cfg(not(feature = "parquet"))]
use no_parquet as parquet;

pub use blocks::{Block, Blocks, Raw};
pub use column_names::columns;
pub use csv::header;
pub use fields::{Fields, Lacking, Seen, Value, milliseconds, time_of};
pub use json::{FieldKey, mend_surrogates};
pub use page::{Page, PageBody};
pub use parquet::schema_difference;
pub use row::{Content, Row};
pub use rows::RowReader;
pub use single::SingleLines;
