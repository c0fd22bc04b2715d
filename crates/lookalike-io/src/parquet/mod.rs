//! Reads and writes Parquet files at the level of their physical columns.
//!
//! The `parquet` crate is used without its `arrow` half. Rows must pass through unchanged whatever their logical type, and the physical
//! level (values with their definition and repetition levels) is the same for every column. It also keeps the dependency small.
//!
//! * [`Fields`] reads a few columns of a file.
//! * [`Copier`] copies chosen rows to another file.
//! * [`TableWriter`] writes a new table.

mod column;
mod copy;
mod guard;
mod leaf;
mod open;
mod pages;
mod read;
mod schema;
mod strict;
mod table;
mod value;

pub use ::parquet::errors::ParquetError;
pub use ::parquet::file::reader::{ChunkReader, FileReader};

pub use crate::cell::{Cell, Kind};
pub use column::Column;
pub use copy::Copier;
pub use guard::Result;
pub use open::open;
pub use read::{Batch, Fields, OpenError};
pub use schema::schema_difference;
pub use table::TableWriter;
pub use value::Value;
