//! What the log holds, as JSON.

use lookalike::window::Kind;
use serde::{Deserialize, Serialize};

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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

/// A document as it came, and what was thought of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Added {
    /// Its number among all that came.
    pub number: u64,
    /// What was thought of it.
    #[serde(flatten)]
    pub answer: Answer,
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

/// A verdict as a client gets it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The document's id.
    pub id: String,
    /// `new`, `exact`, `near`, or `old`.
    pub verdict: String,
    /// The most similar match, the earliest of equals.
    pub of: Option<String>,
    /// How similar it is.
    pub similarity: Option<f64>,
    /// All matches.
    pub matches: Vec<MatchAnswer>,
}

/// One match of a verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchAnswer {
    /// Which document.
    pub id: String,
    /// How similar.
    pub similarity: f64,
    /// How much earlier it is, in seconds; negative if it is later.
    pub age: f64,
}

impl Answer {
    /// Whether the document is a duplicate.
    pub fn is_duplicate(&self) -> bool {
        self.verdict == Kind::Exact.name() || self.verdict == Kind::Near.name()
    }
}
