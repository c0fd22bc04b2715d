//! Finds pairs by signatures: candidates, their verification, and the measured recall.

mod on_disk;
mod recall;
mod report;
mod signatures;
mod source;
mod terms;

pub use recall::Recall;
pub use report::{SignedReport, Verify};
pub(crate) use signatures::{PagePair, Signatures};
pub(crate) use source::{SignedJob, SignedSource};
pub(crate) use terms::MOST_TERMS;
