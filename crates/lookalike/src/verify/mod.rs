//! The last word on a candidate: how many elements two sets really share.

mod overlap;

pub(crate) use overlap::{common, common_at_least};
