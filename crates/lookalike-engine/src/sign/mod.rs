//! Finds pairs by signatures: candidates, their verification, and the measured recall.

mod on_disk;
mod prepare;
mod recall;
mod signatures;
mod single;
mod source;
mod terms;

pub(crate) use prepare::SignedJob;
pub use recall::{PairsOfSet, sets_to_draw};
pub use signatures::PagePair;
pub(crate) use signatures::Signatures;
pub use single::{SignatureKeys, Signed};
pub(crate) use source::SignedSource;
pub use source::Verify;
pub use terms::MOST_TERMS;
