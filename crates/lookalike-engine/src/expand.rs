//! Pairs of documents, in input order, from pairs of sets in none.
//!
//! A join pairs only the documents that stand for their equals. Two groups of ten thousand copies each are one such pair, and a hundred
//! million of documents. So what is sorted is neither: for every document, the groups that it is paired with. Their members, and a
//! document's own equals, are looked up while the pairs are read.

use std::ops::Range;

use lookalike::{Joinable, Pair};

use crate::error::{Error, no_space};
use crate::members::Members;
use crate::runs::{Entry, Sorted, Sorter};

/// Bytes in which pairs are sorted.
const BUDGET: usize = 64 << 20;

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

/// Takes pairs in, from any thread.
pub(crate) struct Expansion {
    members: Members,
    sides: Sides,
    sorter: Sorter,
}

impl Expansion {
    pub(crate) fn new(members: Members, sides: Sides, threads: usize) -> Expansion {
        Expansion { members, sides, sorter: Sorter::new(BUDGET, threads) }
    }

    /// All pairs of a collection, on the threads of this pool.
    pub(crate) fn of(joinable: &mut Joinable, sides: Sides) -> Expansion {
        let members = Members::of(joinable.groups(), sides.b.end, |_| true);
        let pairs = Expansion::new(members, sides, rayon::current_num_threads());
        joinable.run(|_| (), |some| pairs.add(some));
        pairs
    }

    /// Takes some pairs.
    pub(crate) fn add(&self, pairs: &[Pair]) {
        let mut entries: Vec<Entry> = Vec::with_capacity(pairs.len());
        for &Pair { a, b, common } in pairs {
            for (own, other) in [(a, b), (b, a)] {
                let partners = self.members.of_first(other);
                for &document in self.members.of_first(own).iter().take_while(|&&document| document < self.sides.a.end)
                {
                    if self.sides.behind(document, partners).is_empty() {
                        break;
                    }
                    entries.push([document, other, common]);
                    if entries.len() == SOME {
                        self.sorter.push(&entries);
                        entries.clear();
                    }
                }
            }
        }
        self.sorter.push(&entries);
    }

    /// All pairs in order; those of equal documents too, if wanted.
    pub(crate) fn finish(self, equal: bool) -> Result<InOrder, Error> {
        let sorted = self.sorter.finish().map_err(no_space)?;
        Ok(InOrder { members: self.members, sides: self.sides, sorted, equal })
    }
}

/// Entries that are handed on at once.
const SOME: usize = 1 << 12;

/// Pairs of documents in input order.
pub(crate) struct InOrder {
    members: Members,
    sides: Sides,
    sorted: Sorted,
    equal: bool,
}

impl InOrder {
    /// Calls `each` with every pair in order: (a, b, common). `size` is that of a document's set, all of which its equals share.
    pub(crate) fn for_each(
        mut self,
        size: impl Fn(u32) -> u32,
        mut each: impl FnMut(u32, u32, u32) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut found: Vec<(u32, u32)> = Vec::new();
        for a in self.sides.a.clone() {
            found.clear();
            if self.equal {
                let own = self.members.of_first(self.members.first(a));
                found.extend(self.sides.behind(a, own).iter().map(|&b| (b, size(a))));
            }
            while let Some([_, other, common]) = self.sorted.next_of(a).map_err(no_space)? {
                let partners = self.members.of_first(other);
                found.extend(self.sides.behind(a, partners).iter().map(|&b| (b, common)));
            }
            // One ascending run for each group, mostly: a stable sort merges them.
            found.sort();
            for &(b, common) in &found {
                each(a, b, common)?;
            }
        }
        Ok(())
    }
}
