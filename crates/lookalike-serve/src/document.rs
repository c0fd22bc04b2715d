//! What a document is when it comes in, and when it has a verdict.

use lookalike::Verdict;
use serde::{Deserialize, Serialize};

/// A document to be judged.
#[derive(Clone, Debug)]
pub struct Incoming {
    /// The user's id.
    pub id: String,
    /// The time of the document, in Unix milliseconds.
    pub time: i64,
    /// Where the document comes from.
    pub source: Option<String>,
    /// The text.
    pub text: String,
    /// The set of the text.
    pub set: Vec<u64>,
}

/// A document with its verdict, as the log stores it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stored {
    /// The sequence number: documents are numbered from 0 in the order in which they came.
    pub number: u64,
    /// The verdict.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The time of the document, in Unix milliseconds.
    pub time: i64,
    /// Where the document comes from, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The text.
    pub text: String,
    /// Whether later documents are compared with this one.
    pub taken: bool,
}
