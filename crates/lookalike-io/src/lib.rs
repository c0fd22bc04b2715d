//! Documents in and out of files.
//!
//! [`Source`]s are what the user named, resolved: files, folders, globs, standard input. [`Blocks`] reads them as blocks of rows,
//! one after another; a [`RowReader`] turns a block into [`Row`]s, on any thread. What is written goes through an [`Output`], which is
//! whole or not there at all.

mod at_once;
mod cell;
mod error;

mod codec;
#[cfg(not(feature = "zstd"))]
mod no_zstd;
mod source;

pub mod extract;
#[cfg(feature = "parquet")]
pub mod parquet;

pub mod read;

pub mod spill;

pub mod write;

pub use at_once::discard_at_once;
pub use error::Error;
pub use read::{Block, Blocks, Content, Fields, Page, PageBody, Raw, Row, RowReader, Seen, Value, mend_surrogates};
pub use source::{Format, Source, resolve, resolve_live};
pub use write::{Output, discard_unfinished};
