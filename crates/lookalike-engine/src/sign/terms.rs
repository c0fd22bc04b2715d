//! Counts the words in which two pages differ.

use lookalike::engine::{Difference, Groups, SetStore, differences};

/// The words of pages in text order.
pub(crate) struct Terms {
    /// The words of the representatives of groups of equal pages.
    sequences: SetStore,
    groups: Groups,
}

/// The longest difference that is counted. It takes up to half a second.
pub const MOST_TERMS: usize = 20_000;

impl Terms {
    pub(crate) fn new(sequences: SetStore, groups: Groups) -> Terms {
        Terms { sequences, groups }
    }

    /// The number of words in a diff of two documents; `None` if there are too many to count.
    pub(crate) fn difference(&self, a: u32, b: u32) -> Option<u32> {
        let (a, b) = (self.groups.first(a), self.groups.first(b));
        if a == b {
            return Some(0);
        }
        difference_of(self.sequences.set(a), self.sequences.set(b))
    }
}

/// The number of words in a diff of two sequences; `None` if there are too many to count.
pub(super) fn difference_of(one: &[u64], two: &[u64]) -> Option<u32> {
    let found = differences(one, two, MOST_TERMS)?;
    Some(found.iter().map(Difference::tokens).sum::<usize>() as u32)
}
