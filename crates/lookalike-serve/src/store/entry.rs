//! What the records of the log hold, as JSON.

use serde::{Deserialize, Serialize};

use crate::document::Stored;

/// One change of the store.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "op", rename_all = "lowercase")]
pub(super) enum Entry {
    /// A document was added.
    Add(Box<Stored>),
    /// A document was deleted.
    Remove { id: String },
}

/// An [`Entry`] to be written.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(tag = "op", rename_all = "lowercase")]
pub(super) enum EntryRef<'a> {
    Add(&'a Stored),
    Remove { id: &'a str },
}
