//! Sets as records: their elements coded as small numbers, rarest first, the records by ascending size.

mod coded;
mod coding;
pub(super) mod disjoint;
pub(super) mod sides;
pub(super) mod sizes;

pub use coded::Records;
