//! How does a row become a text, and a text a set or a signature? Everything that reads documents goes through here.

mod document;
mod pages;
mod signer;

pub use document::{Document, Extracted, Extraction, Extractor};
pub use pages::{PageTexts, site_of};
pub use signer::{Signer, SignerKind, words};
