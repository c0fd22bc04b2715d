//! What is kept of all documents, and how is it put together from blocks?

mod assembly;
mod collection;
mod documents;

pub(super) use assembly::Assembly;
pub(crate) use collection::Collection;
pub(crate) use documents::{Documents, place_of};
