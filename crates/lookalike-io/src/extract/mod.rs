//! How a row becomes a text, and a text a set or a signature. All commands that read documents use this module.

mod document;
mod pages;
mod signer;

pub use document::{Document, Extracted, Extraction, Extractor};
pub use pages::{PageTexts, site_of};
pub use signer::{Signer, SignerKind, words};
