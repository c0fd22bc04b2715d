//! The last word on a candidate: how many elements two sets really share.

mod overlap;

pub use overlap::common;
pub(crate) use overlap::common_at_least;
