//! Selects pairs: distinct sets only, or a limited number per document.
//!
//! Under a limit, a pair is left out if one of its documents already has enough pairs. Ten thousand equal documents have fifty million
//! pairs, and nearly all are left out. So they are skipped without a check of each: a linked list per group drops documents that have
//! enough.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::expand_groups::Partners;
use super::group_members::GroupMembers;
use crate::error::Error;

/// Which pairs to write. By default all.
#[derive(Default)]
pub(crate) struct Selection {
    /// Whether to leave out pairs of equal sets.
    pub(crate) distinct: bool,
    pub(crate) limit: Option<Limit>,
}

/// Limits the number of pairs of each document.
pub(crate) struct Limit {
    most: u32,
    /// By document, the number of its pairs.
    counts: Vec<u32>,
    /// By document, the next equal document, or a later one if those in between have enough.
    next: Vec<u32>,
    left_out: u64,
}

/// Marks the end of a list of equal documents.
const NONE: u32 = u32::MAX;

impl Limit {
    pub(crate) fn new(most: u32, documents: usize) -> Limit {
        Limit { most, counts: vec![0; documents], next: Vec::new(), left_out: 0 }
    }

    fn has_enough(&self, document: u32) -> bool {
        self.counts[document as usize] >= self.most
    }

    fn count(&mut self, a: u32, b: u32) {
        self.counts[a as usize] += 1;
        self.counts[b as usize] += 1;
    }

    /// Whether a pair is within the limit. If so, counts it for both documents.
    pub(crate) fn allows(&mut self, a: u32, b: u32) -> bool {
        let allowed = !self.has_enough(a) && !self.has_enough(b);
        if allowed {
            self.count(a, b);
        } else {
            self.left_out += 1;
        }
        allowed
    }

    /// Prepares [`Limit::choose`] for members of these groups.
    pub(crate) fn prepare(&mut self, members: &GroupMembers) {
        self.next = vec![NONE; self.counts.len()];
        for equal in members.groups() {
            equal.windows(2).for_each(|two| self.next[two[0] as usize] = two[1]);
        }
    }

    /// The first document that may have another pair, among this one and the equal ones after it.
    fn open(&mut self, mut document: u32) -> Option<u32> {
        while document != NONE && self.has_enough(document) {
            // Path halving: later searches skip more documents.
            let next = self.next[document as usize];
            if next != NONE && self.has_enough(next) {
                self.next[document as usize] = self.next[next as usize];
            }
            document = self.next[document as usize];
        }
        Some(document).filter(|&document| document != NONE)
    }

    /// Calls `each` with the partners of `a` within the limit, in order: (b, common).
    pub(crate) fn choose(
        &mut self,
        a: u32,
        partners: &Partners,
        mut each: impl FnMut(u32, u32) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut left = partners.count();
        if !self.has_enough(a) {
            let firsts = partners.lists().iter().enumerate();
            let mut heads: BinaryHeap<Reverse<(u32, usize)>> =
                firsts.filter_map(|(list, (equal, _))| Some(Reverse((self.open(*equal.first()?)?, list)))).collect();
            while !self.has_enough(a)
                && let Some(Reverse((b, list))) = heads.pop()
            {
                self.count(a, b);
                left -= 1;
                each(b, partners.lists()[list].1)?;
                heads.extend(self.open(self.next[b as usize]).map(|b| Reverse((b, list))));
            }
        }
        self.left_out += left;
        Ok(())
    }

    /// The number of pairs left out.
    pub(crate) fn left_out(&self) -> u64 {
        self.left_out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::expand_groups::Expansion;
    use crate::read::Sides;
    use lookalike::engine::{Groups, SetPair};
    use proptest::prelude::*;

    /// The pairs within the limit, by checking every pair in order: (a, b, common).
    fn by_definition(pairs: &[(u32, u32, u32)], most: u32) -> (Vec<(u32, u32, u32)>, u64) {
        let mut counts = [0; 64];
        let mut chosen = Vec::new();
        for &(a, b, common) in pairs {
            if counts[a as usize] < most && counts[b as usize] < most {
                counts[a as usize] += 1;
                counts[b as usize] += 1;
                chosen.push((a, b, common));
            }
        }
        let left_out = pairs.len() - chosen.len();
        (chosen, left_out as u64)
    }

    proptest! {
        /// Groups of equal documents, some similar to others, in one or two collections, with or without pairs of equal documents.
        #[test]
        fn as_by_definition(
            keys in proptest::collection::vec(0..8u128, 1..40),
            similar in proptest::collection::btree_set((0..8u32, 0..8u32), 0..12),
            split in proptest::option::of(0..40u32),
            equal: bool,
            most in 0..5u32,
        ) {
            let documents = keys.len() as u32;
            let groups = Groups::of_equal_keys(&keys, 0..documents);
            let sides = match split.map(|split| split.min(documents)) {
                None => Sides::all(documents, documents),
                Some(split) => Sides::across(split, documents),
            };
            let first = |key: u32| keys.iter().position(|&other| other == u128::from(key)).map(|first| first as u32);
            let pairs: Vec<SetPair> = similar
                .into_iter()
                .filter(|(x, y)| x < y)
                .filter_map(|(x, y)| Some((first(x)?, first(y)?, x + 10 * y)))
                .map(|(x, y, common)| SetPair { a: x.min(y), b: x.max(y), common })
                .collect();
            let in_order = || {
                let members = GroupMembers::of(&groups, documents, |_| true);
                let expansion = Expansion::new(members, sides.clone(), 1 << 20, &lookalike_io::spill::Space::default());
                expansion.add(&pairs);
                expansion.finish(equal).unwrap()
            };
            let mut all = Vec::new();
            in_order().for_each_document(|_| 100, |a, partners| {
                all.extend(partners.iter().map(|(b, common)| (a, b, common)));
                Ok(())
            }).unwrap();
            prop_assert!(all.is_sorted());

            let (mut limit, mut chosen) = (Limit::new(most, keys.len()), Vec::new());
            let in_order = in_order();
            limit.prepare(in_order.members());
            in_order.for_each_document(|_| 100, |a, partners| limit.choose(a, partners, |b, common| {
                chosen.push((a, b, common));
                Ok(())
            })).unwrap();
            prop_assert_eq!((chosen, limit.left_out()), by_definition(&all, most));
        }
    }
}
