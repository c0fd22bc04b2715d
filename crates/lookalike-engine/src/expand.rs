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

/// The documents that one document is paired with, all behind it.
pub(crate) struct Partners<'a> {
    /// Equal ones, ascending, and how much the document shares with them. No document is in two lists.
    lists: Vec<(&'a [u32], u32)>,
}

impl<'a> Partners<'a> {
    pub(crate) fn lists(&self) -> &[(&'a [u32], u32)] {
        &self.lists
    }

    /// How many there are.
    pub(crate) fn count(&self) -> u64 {
        self.lists.iter().map(|(equal, _)| equal.len() as u64).sum()
    }

    /// All of them in order, each with what is shared.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, u32)> {
        let lists = self.lists.iter();
        let mut all: Vec<(u32, u32)> =
            lists.flat_map(|&(equal, common)| equal.iter().map(move |&b| (b, common))).collect();
        // One ascending run for each group, mostly: a stable sort merges them.
        all.sort();
        all.into_iter()
    }

    /// Leaves out equal documents that are not wanted, judged by the first of them and what is shared with it.
    pub(crate) fn retain(&mut self, mut wanted: impl FnMut(u32, u32) -> bool) {
        self.lists.retain(|(equal, common)| wanted(equal[0], *common));
    }
}

impl InOrder {
    /// Calls `each` with every document that may be the first of a pair, in order, and its partners. `size` is that of a document's set,
    /// all of which its equals share.
    pub(crate) fn for_each_document(
        self,
        size: impl Fn(u32) -> u32,
        mut each: impl FnMut(u32, &mut Partners) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let InOrder { members, sides, mut sorted, equal } = self;
        let mut partners = Partners { lists: Vec::new() };
        for a in sides.a.clone() {
            partners.lists.clear();
            if equal {
                partners.lists.push((sides.behind(a, members.of_first(members.first(a))), size(a)));
            }
            while let Some([_, other, common]) = sorted.next_of(a).map_err(no_space)? {
                partners.lists.push((sides.behind(a, members.of_first(other)), common));
            }
            partners.lists.retain(|(equal, _)| !equal.is_empty());
            each(a, &mut partners)?;
        }
        Ok(())
    }

    /// Who is equal to whom.
    pub(crate) fn members(&self) -> &Members {
        &self.members
    }
}
