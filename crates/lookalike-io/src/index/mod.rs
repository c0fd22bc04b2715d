//! An index in a folder: a collection that grows, and that survives crashes.
//!
//! The folder holds parts, each written once, and a manifest that names them. The manifest is replaced as a whole, so a reader sees a batch
//! whole or not at all. One writer at a time holds a lock. To back an index up, copy the folder while nothing writes to it.
//! docs/reference/index-format.md describes the bytes.

mod answer;
#[cfg(test)]
mod cancelling;
mod error;
mod files;
mod folder;
mod lock;
mod manifest;
mod settings;
#[cfg(test)]
mod tests;
mod writer;

pub use answer::{Answer, AnswerRow, AnswerTwin};
pub use error::IndexError;
pub use files::MappedFile;
pub use folder::{BatchSummary, IndexFolder, PartSummary};
pub use settings::Settings;
pub use writer::{IndexWriter, Staged};
