//! How a row becomes a text, and a text a set or a signature. All commands that read documents use this module.

mod boilerplate;
mod cutter;
mod document;
mod pages;
mod passages;
mod signer;
mod without;

pub use boilerplate::{Boilerplate, BoilerplateRow, BoilerplateSettings};
pub use cutter::{Passage, Passages};
pub use document::{Document, Extracted, Extraction, Extractor};
pub use pages::{PageTexts, site_of};
pub use signer::{Signer, SignerKind, words};
