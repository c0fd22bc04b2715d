//! What the log holds, as JSON.

use lookalike::Verdict;
use serde::{Deserialize, Serialize};

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "op", rename_all = "lowercase")]
pub enum Entry {
    /// A document came.
    Add(Box<Added>),
    /// A document was deleted.
    Remove {
        /// Which.
        id: String,
    },
}

/// The same, to be written.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(tag = "op", rename_all = "lowercase")]
pub(crate) enum EntryRef<'a> {
    Add(&'a Added),
    Remove { id: &'a str },
}

/// A document as it came, and what was thought of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Added {
    /// Its number among all that came.
    pub number: u64,
    /// What was thought of it.
    #[serde(flatten)]
    pub answer: Verdict,
    /// Its own time, in milliseconds of Unix.
    pub time: i64,
    /// Where it came from, if that was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// What it says.
    pub text: String,
    /// Whether later documents are compared with it.
    pub taken: bool,
}
