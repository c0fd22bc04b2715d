//! Which documents are paired with which: those of the inputs, and those of a second collection.

use std::ops::Range;

/// Which documents are paired with which.
#[derive(Clone, Debug)]
pub(crate) struct Sides {
    /// The first of a pair.
    pub(crate) a: Range<u32>,
    /// The second, if it comes behind the first.
    pub(crate) b: Range<u32>,
}

impl Sides {
    /// Every document of the inputs with every one behind it, which may be of a reference collection.
    pub(crate) fn all(inputs: u32, documents: u32) -> Sides {
        Sides { a: 0..inputs, b: 0..documents }
    }

    /// Those of the inputs with the others.
    pub(crate) fn across(inputs: u32, documents: u32) -> Sides {
        Sides { a: 0..inputs, b: inputs..documents }
    }

    /// Which of these, in order, come behind `a` and may be its partners.
    pub(crate) fn behind<'a>(&self, a: u32, documents: &'a [u32]) -> &'a [u32] {
        let from = self.b.start.max(a + 1);
        &documents[documents.partition_point(|&b| b < from)..]
    }
}
