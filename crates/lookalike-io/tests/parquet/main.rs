//! Whether Parquet files are read and copied exactly: copies are compared with what the `parquet` crate itself reads, leaf by leaf and
//! level by level.

mod copies;
mod damaged;
mod fields;
mod fixture;
