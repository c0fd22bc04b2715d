//! How many documents came, and how many of them were duplicates.
//!
//! | module | question |
//! |---|---|
//! | `counters` | what is counted as documents come and expire? |
//! | `window` | how many are in the window, by segment and by source? |
//! | `news` | which documents came since a number? |
//! | `number` | how is a number written in JSON? |

mod counters;
mod news;
mod number;
mod window;

pub(crate) use counters::{Counters, VerdictCounts};
pub(crate) use news::News;
pub(crate) use number::serialize_whole;
pub(crate) use window::WindowStats;
