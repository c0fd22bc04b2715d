//! Which documents may be paired: those of one collection with each other, or those of two collections.

use std::ops::Range;

/// Which documents may be paired.
#[derive(Clone, Debug)]
pub(crate) struct Sides {
    /// The range of the first document of a pair.
    pub(crate) a: Range<u32>,
    /// The range of the second document, which must come after the first.
    pub(crate) b: Range<u32>,
}

impl Sides {
    /// Every document of the inputs with every later one, which may belong to a reference collection.
    pub(crate) fn all(inputs: u32, documents: u32) -> Sides {
        Sides { a: 0..inputs, b: 0..documents }
    }

    /// Documents of the inputs with documents of the second collection.
    pub(crate) fn across(inputs: u32, documents: u32) -> Sides {
        Sides { a: 0..inputs, b: inputs..documents }
    }

    /// The part of the sorted `documents` that come after `a` and may be paired with it.
    pub(crate) fn behind<'a>(&self, a: u32, documents: &'a [u32]) -> &'a [u32] {
        let from = self.b.start.max(a + 1);
        &documents[documents.partition_point(|&b| b < from)..]
    }
}
