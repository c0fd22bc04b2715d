//! In how many words two pages differ.

use lookalike::engine::{Difference, Groups, SetStore, differences};

/// The words of pages, in order, for the difference between two.
pub(crate) struct Terms {
    /// Of those that stand for their equals.
    sequences: SetStore,
    groups: Groups,
}

/// The longest difference that is counted: it takes up to half a second.
pub(crate) const MOST_TERMS: usize = 20_000;

impl Terms {
    pub(crate) fn new(sequences: SetStore, groups: Groups) -> Terms {
        Terms { sequences, groups }
    }

    /// How many words are in a diff of two documents; none if they are too many to be counted.
    pub(crate) fn difference(&self, a: u32, b: u32) -> Option<u32> {
        let (a, b) = (self.groups.first(a), self.groups.first(b));
        if a == b {
            return Some(0);
        }
        let found = differences(self.sequences.set(a), self.sequences.set(b), MOST_TERMS)?;
        Some(found.iter().map(Difference::tokens).sum::<usize>() as u32)
    }
}
