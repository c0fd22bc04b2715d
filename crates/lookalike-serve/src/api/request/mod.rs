//! How does the body of a request become a document?

mod body;
mod document;
mod extractors;
mod fields;
mod scalar;

pub(super) use body::{Arriving, too_large};
pub(super) use document::LONG;
pub(super) use extractors::Extractors;
pub use fields::FieldNames;
pub(super) use fields::Names;
