//! Finds pairs by signatures: candidates, their verification, and the measured recall.

mod on_disk;
mod prepare;
mod recall;
mod report;
mod signatures;
mod source;
mod terms;

pub(crate) use prepare::SignedJob;
pub use recall::Recall;
pub use report::{SignedReport, Verify};
pub(crate) use signatures::{PagePair, Signatures};
pub(crate) use source::SignedSource;
pub(crate) use terms::MOST_TERMS;
