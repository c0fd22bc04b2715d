//! The result of a check.

use std::fmt;

use super::common::MemoryReport;

/// The result of a check.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// Documents of the inputs.
    pub documents: u64,
    /// Kept documents of the inputs.
    pub kept: u64,
    /// Removed documents of the inputs.
    pub removed: u64,
    /// Bad rows in all files.
    pub bad_rows: u64,
    /// The number of broken promises.
    pub breaches: u64,
    /// The broken promises; of pairs of kept documents, the first 10,000.
    pub failures: Vec<Failure>,
    /// How memory was used.
    pub memory: MemoryReport,
}

/// A broken promise.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// An input row is neither kept nor removed.
    Lost(String),
    /// A kept or removed row is not in the inputs.
    Unknown(String),
    /// A kept row has another text than in the inputs.
    Changed(String),
    /// A row is kept twice, removed twice, or both.
    Twice(String),
    /// Two kept documents reach the threshold.
    KeptPair(String, String, f64),
    /// A removed document's twin is not kept.
    TwinGone(String, String),
    /// A removed document does not reach the threshold with its twin.
    TooFar(String, String, f64),
    /// A stated similarity is wrong.
    Misstated(String, String, f64, f64),
    /// A removed document without a stated twin resembles nothing that is kept.
    NoTwin(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Failure::Lost(id) => write!(f, "{id} is neither kept nor removed"),
            Failure::Unknown(id) => write!(f, "{id} is not in the inputs"),
            Failure::Changed(id) => write!(f, "{id} is kept, but its text differs from the input"),
            Failure::Twice(id) => write!(f, "{id} is kept or removed more than once"),
            Failure::KeptPair(a, b, similarity) => {
                write!(f, "{a} and {b} are both kept, but their similarity is {similarity}")
            }
            Failure::TwinGone(id, twin) => write!(f, "{id} was removed because of {twin}, which is not kept"),
            Failure::TooFar(id, twin, similarity) => {
                write!(f, "{id} was removed because of {twin}, but their similarity is {similarity}")
            }
            Failure::Misstated(id, twin, stated, similarity) => {
                write!(f, "the similarity of {id} and {twin} is {similarity}, not {stated} as stated")
            }
            Failure::NoTwin(id) => write!(f, "{id} was removed, but resembles no kept document"),
        }
    }
}
