//! The last word on a candidate: how many elements two sets really share, and in which tokens two texts really differ.

mod difference;
mod numbers;
mod overlap;

pub use difference::{Difference, differences};
pub(crate) use numbers::common_numbers;
pub use overlap::common;
pub(crate) use overlap::common_at_least;
