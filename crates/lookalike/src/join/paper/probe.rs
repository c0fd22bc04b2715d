//! What does the threshold require of a record and of its partners?

use super::bounds::Bounds;
use crate::join::Records;
use crate::join::records::sizes::Sizes;

/// By size, how many elements of a record are indexed.
pub(super) struct Indexed {
    of_size: Vec<u32>,
}

impl Indexed {
    pub(super) fn new(records: &Records, indexed: impl Fn(u32) -> u32) -> Indexed {
        let largest = records.largest();
        assert!(i32::try_from(largest).is_ok(), "sets of fewer than 2^31 elements");
        let mut of_size = vec![0; largest as usize + 1];
        for record in 0..records.len() as u32 {
            let size = records.size(record);
            if record == 0 || size != records.size(record - 1) {
                of_size[size as usize] = indexed(size);
            }
        }
        Indexed { of_size }
    }

    /// Returns the indexed elements of a set.
    #[inline]
    pub(super) fn prefix<'a>(&self, set: &'a [u32]) -> &'a [u32] {
        &set[..self.of_size[set.len()] as usize]
    }
}

/// What the threshold requires of the partners of a record of one size. Computed again only when the size changes.
pub(super) struct Probe {
    bounds: Bounds,
    size: u32,
    /// How many elements are looked up.
    pub(super) prefix: u32,
    /// The first record that is large enough.
    pub(super) least: u32,
    /// The first record that must share an element.
    pub(super) needy: u32,
    /// The paper's α, by the partner's size, from `smallest` on.
    needed: Vec<i32>,
    smallest: u32,
}

impl Probe {
    pub(super) fn new(bounds: Bounds) -> Probe {
        Probe { bounds, size: 0, prefix: 0, least: 0, needy: 0, needed: Vec::new(), smallest: 0 }
    }

    /// Prepares for a record of this size, with partners of at most the same size.
    pub(super) fn set_size(&mut self, size: u32, sizes: &Sizes) {
        if size == self.size {
            return;
        }
        let smallest = self.bounds.least_partner(size).max(1);
        self.size = size;
        self.prefix = self.bounds.long_prefix(size);
        self.smallest = smallest;
        self.least = sizes.after((smallest - 1).min(size));
        self.needy = sizes.after(self.bounds.needless(size).min(size));
        self.needed.clear();
        self.needed.extend((smallest..=size).map(|partner| self.bounds.needed(size, partner) as i32));
    }

    /// Returns how many elements a partner of this size must share: α.
    #[inline]
    pub(super) fn needed(&self, partner: u32) -> i32 {
        self.needed[(partner - self.smallest) as usize]
    }
}
