//! The last word on a candidate: how many elements two sets really share.

mod numbers;
mod overlap;

pub(crate) use numbers::common_numbers;
pub use overlap::common;
pub(crate) use overlap::common_at_least;
