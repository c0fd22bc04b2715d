//! Reads documents from files and writes files.
//!
//! [`resolve`] turns the files, folders and globs that the user named into [`Source`]s. [`Blocks`] reads them one after another as blocks
//! of rows. A [`RowReader`] turns a block into [`Row`]s, on any thread. Everything is written through an [`Output`], which appears
//! complete under its name or not at all.
//!
//! Two Cargo features, both on by default: `parquet` for Parquet files, `zstd` for files compressed with Zstandard.

mod at_once;
mod cell;
mod error;

#[cfg(not(feature = "zstd"))]
mod no_zstd;

mod codec;
mod format;

pub mod spill;

mod source;

#[cfg(feature = "parquet")]
pub mod parquet;

pub mod read;

pub mod write;

pub mod extract;

pub mod index;

pub use at_once::discard_at_once;
pub use error::Error;
pub use format::Format;
pub use read::{
    Block, Blocks, Content, Fields, Page, PageBody, Raw, Row, RowReader, Seen, SingleLines, Value, mend_surrogates,
};
pub use source::{Source, resolve, resolve_in, resolve_live};
pub use write::{Output, discard_unfinished};
