//! Expands unordered pairs of groups into pairs of documents in input order.
//!
//! A join pairs only the representatives of groups of equal documents. Two groups of ten thousand copies each are one such pair, but a
//! hundred million pairs of documents. So neither is sorted, but for every document the groups that it is paired with. The members of
//! those groups, and the document's own equals, are looked up while the pairs are read.

use lookalike::engine::SetPair;
use lookalike_io::spill::{Sorted, Sorter, Space};

use super::group_members::GroupMembers;
use crate::error::{Error, no_space};
use crate::read::Sides;

/// A document, the representative of a group that it is paired with, and the number of the pair.
type Entry = [u32; 3];

/// Collects pairs from any thread.
pub(crate) struct Expansion {
    members: GroupMembers,
    sides: Sides,
    sorter: Sorter<Entry>,
}

impl Expansion {
    /// Sorts in this much memory, and in temporary files.
    pub(crate) fn new(members: GroupMembers, sides: Sides, bytes: usize, space: &Space) -> Expansion {
        Expansion { members, sides, sorter: Sorter::new(bytes, rayon::current_num_threads(), space) }
    }

    /// Adds pairs.
    pub(crate) fn add(&self, pairs: &[SetPair]) {
        let mut entries: Vec<Entry> = Vec::with_capacity(pairs.len());
        for &SetPair { a, b, common } in pairs {
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

    /// All pairs in order, with pairs of equal documents if `equal`.
    pub(crate) fn finish(self, equal: bool) -> Result<PairsInOrder, Error> {
        let sorted = self.sorter.finish()?;
        Ok(PairsInOrder { members: self.members, sides: self.sides, sorted, equal })
    }
}

/// Entries per batch for the sorter.
const SOME: usize = 1 << 12;

/// Pairs of documents in input order.
pub(crate) struct PairsInOrder {
    members: GroupMembers,
    sides: Sides,
    sorted: Sorted<Entry>,
    equal: bool,
}

/// The documents that a document is paired with. All come after it.
pub(crate) struct Partners<'a> {
    /// Lists of equal documents, ascending, each with the number of the pair. No document is in two lists.
    lists: Vec<(&'a [u32], u32)>,
}

impl<'a> Partners<'a> {
    pub(crate) fn lists(&self) -> &[(&'a [u32], u32)] {
        &self.lists
    }

    /// The number of partners.
    pub(crate) fn count(&self) -> u64 {
        self.lists.iter().map(|(equal, _)| equal.len() as u64).sum()
    }

    /// All partners in order, each with the number of the pair.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, u32)> {
        let lists = self.lists.iter();
        let mut all: Vec<(u32, u32)> =
            lists.flat_map(|&(equal, common)| equal.iter().map(move |&b| (b, common))).collect();
        // There is one ascending run per group: a stable sort merges them.
        all.sort();
        all.into_iter()
    }

    /// Keeps only the lists that `wanted` accepts, given the first document and the number of the pair.
    pub(crate) fn retain(&mut self, mut wanted: impl FnMut(u32, u32) -> bool) {
        self.lists.retain(|(equal, common)| wanted(equal[0], *common));
    }
}

impl PairsInOrder {
    /// Calls `each` with every document that may be the first of a pair, in order, and its partners. `size(document)` is the number of a
    /// pair of the document with its equals: the size of its set.
    pub(crate) fn for_each_document(
        self,
        size: impl Fn(u32) -> u32,
        mut each: impl FnMut(u32, &mut Partners) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let PairsInOrder { members, sides, mut sorted, equal } = self;
        let mut partners = Partners { lists: Vec::new() };
        for a in sides.a.clone() {
            partners.lists.clear();
            if equal {
                partners.lists.push((sides.behind(a, members.of_first(members.first(a))), size(a)));
            }
            while let Some([_, other, common]) = sorted.next_if(|entry| entry[0] <= a).map_err(no_space)? {
                partners.lists.push((sides.behind(a, members.of_first(other)), common));
            }
            partners.lists.retain(|(equal, _)| !equal.is_empty());
            each(a, &mut partners)?;
        }
        Ok(())
    }

    /// The groups of equal documents.
    pub(crate) fn members(&self) -> &GroupMembers {
        &self.members
    }
}
