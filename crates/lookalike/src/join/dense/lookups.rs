//! Which elements does a block of records look up?

use crate::sets::sort_by_digits;

/// An element that a record of the block looks up: the element, the record's number in the block, and the place. It is
/// one number, which sorts fastest. A place beyond 16 bits is capped, which only weakens the bound.
#[derive(Clone, Copy, Default)]
pub(super) struct Lookup(u64);

impl Lookup {
    pub(super) fn new(element: u32, number: usize, place: usize) -> Lookup {
        Lookup(u64::from(element) << 32 | (number as u64) << 16 | place.min(0xffff) as u64)
    }

    pub(super) fn element(self) -> u32 {
        (self.0 >> 32) as u32
    }

    pub(super) fn number(self) -> u32 {
        (self.0 >> 16) as u32 & 0xffff
    }

    pub(super) fn place(self) -> usize {
        self.0 as usize & 0xffff
    }
}

/// Sorts by element, stably.
pub(super) fn sort_by_element(lookups: &mut Vec<Lookup>, spare: &mut Vec<Lookup>, universe: usize) {
    sort_by_digits::<2048, _>(lookups, spare, universe as u32, Lookup::element);
}
