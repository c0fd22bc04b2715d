//! Documents by the one that stands for their group.

use lookalike::engine::Groups;

/// Documents by the one that stands for them.
pub(crate) struct GroupMembers {
    firsts: Vec<u32>,
    /// One past the last member of each document's group.
    ends: Vec<u32>,
    members: Vec<u32>,
}

impl GroupMembers {
    /// The groups of so many documents, as far as their members are wanted.
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
        // Each end is where its group begins, until every member has moved it on by one.
        let mut members = vec![0; total as usize];
        for document in (0..documents).filter(|&document| wanted(document)) {
            let end = &mut ends[firsts[document as usize] as usize];
            members[*end as usize] = document;
            *end += 1;
        }
        GroupMembers { firsts, ends, members }
    }

    /// Those that are equal, in input order, group by group.
    pub(crate) fn groups(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.ends.len() as u32).map(|first| self.of_first(first))
    }

    /// The document that stands for this one.
    pub(crate) fn first(&self, document: u32) -> u32 {
        self.firsts[document as usize]
    }

    /// Those for whom a document stands, itself included, in input order.
    pub(crate) fn of_first(&self, first: u32) -> &[u32] {
        let start = if first == 0 { 0 } else { self.ends[first as usize - 1] };
        &self.members[start as usize..self.ends[first as usize] as usize]
    }
}
