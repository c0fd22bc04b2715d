//! Sets as records: elements coded as small numbers, rarest first; records ordered by size.

mod coded;
mod coding;
pub(super) mod disjoint;
pub(super) mod sides;
pub(super) mod sizes;

pub use coded::Records;
