//! What does a record see when it looks for partners in the index?

use super::lists::Lists;
use super::overlaps::Overlaps;
use super::probe::Probe;
use crate::join::Records;
use crate::join::records::sizes::Sizes;

/// A record that searches the index.
pub(super) struct Visit<'a> {
    pub(super) records: &'a Records,
    pub(super) sizes: &'a Sizes,
    /// The record, and the requirements for its size.
    pub(super) x: &'a [u32],
    pub(super) probe: &'a Probe,
    pub(super) lists: &'a mut Lists,
    pub(super) overlaps: &'a mut Overlaps,
}
