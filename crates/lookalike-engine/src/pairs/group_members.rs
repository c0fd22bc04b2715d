//! The members of groups of equal documents.

use lookalike::engine::Groups;

/// The members of groups of equal documents. The representative of a group is its first document.
pub(crate) struct GroupMembers {
    firsts: Vec<u32>,
    /// One past the last member of each document's group.
    ends: Vec<u32>,
    members: Vec<u32>,
}

impl GroupMembers {
    /// The groups of `documents` documents, with the members that `wanted` accepts.
    pub(crate) fn of(groups: &Groups, documents: u32, wanted: impl Fn(u32) -> bool) -> GroupMembers {
        let firsts: Vec<u32> = (0..documents).map(|document| groups.first(document)).collect();
        let mut ends = vec![0; documents as usize];
        for document in (0..documents).filter(|&document| wanted(document)) {
            ends[firsts[document as usize] as usize] += 1;
        }
        let mut total = 0;
        for end in &mut ends {
            total += *end;
            *end = total - *end;
        }
        // Each end starts at the beginning of its group. Every member moves it forward by one.
        let mut members = vec![0; total as usize];
        for document in (0..documents).filter(|&document| wanted(document)) {
            let end = &mut ends[firsts[document as usize] as usize];
            members[*end as usize] = document;
            *end += 1;
        }
        GroupMembers { firsts, ends, members }
    }

    /// The members of each group, in input order.
    pub(crate) fn groups(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.ends.len() as u32).map(|first| self.of_first(first))
    }

    /// The representative of a document.
    pub(crate) fn first(&self, document: u32) -> u32 {
        self.firsts[document as usize]
    }

    /// The members of the group that `first` represents, itself included, in input order.
    pub(crate) fn of_first(&self, first: u32) -> &[u32] {
        let start = if first == 0 { 0 } else { self.ends[first as usize - 1] };
        &self.members[start as usize..self.ends[first as usize] as usize]
    }
}
