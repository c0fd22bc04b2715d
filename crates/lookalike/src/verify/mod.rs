//! How many elements do two sets share, and in which tokens do two texts differ?

mod difference;
mod numbers;
mod overlap;

pub use difference::{Difference, differences};
pub(crate) use numbers::common_numbers;
pub use overlap::common;
pub(crate) use overlap::common_at_least;
