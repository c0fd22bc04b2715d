//! How does the body of a request become a document?

mod body;
mod document;
mod extractors;
mod fields;
mod limits;
mod scalar;

pub(super) use body::{Arriving, too_large};
pub(super) use document::{LONG, read_document};
pub(super) use extractors::Extractors;
pub use fields::FieldNames;
pub(super) use fields::Names;
pub use limits::Limits;
