//! Keeps the best pairs seen so far.

use std::collections::BinaryHeap;

use lookalike::engine::SetPair;

use super::group_members::GroupMembers;
use crate::read::Sides;

/// The best pairs of documents so far, from pairs of representatives of groups.
pub(crate) struct Best<'a, R, F> {
    most: usize,
    members: &'a GroupMembers,
    sides: &'a Sides,
    /// The rank of a pair; `None` leaves it out. A smaller rank is better. Input order breaks ties.
    rank: F,
    /// The worst pair is on top.
    heap: BinaryHeap<R>,
}

impl<'a, R: Ord, F: Fn(SetPair) -> Option<R>> Best<'a, R, F> {
    pub(crate) fn new(most: usize, members: &'a GroupMembers, sides: &'a Sides, rank: F) -> Best<'a, R, F> {
        Best { most, members, sides, rank, heap: BinaryHeap::new() }
    }

    /// Offers pairs of equal documents until one is refused: no pair is better than these. `own(document)` is the number of such a pair.
    pub(crate) fn offer_equal(&mut self, own: impl Fn(u32) -> u32) {
        for a in self.sides.a.clone() {
            for &b in self.sides.behind(a, self.members.of_first(self.members.first(a))) {
                if !self.offer_one(SetPair { a, b, common: own(a) }) {
                    return;
                }
            }
        }
    }

    /// Offers the pairs of members of two groups. All are equally similar, so once one is refused, all later ones are too.
    pub(crate) fn offer(&mut self, pair: &SetPair) {
        let (mut one, mut two) = (self.members.of_first(pair.a), self.members.of_first(pair.b));
        while let (Some(&x), Some(&y)) = (one.first(), two.first()) {
            if y < x {
                std::mem::swap(&mut one, &mut two);
            }
            let a = x.min(y);
            if !self.sides.a.contains(&a) {
                return;
            }
            for &b in self.sides.behind(a, two) {
                if !self.offer_one(SetPair { a, b, common: pair.common }) {
                    return;
                }
            }
            one = &one[1..];
        }
    }

    /// Adds a pair if it is among the best. Returns whether it is.
    fn offer_one(&mut self, pair: SetPair) -> bool {
        let Some(ranked) = (self.rank)(pair) else { return false };
        if self.heap.len() < self.most {
            self.heap.push(ranked);
            return true;
        }
        match self.heap.peek_mut() {
            Some(mut worst) if ranked < *worst => *worst = ranked,
            _ => return false,
        }
        true
    }

    /// The pairs, best first.
    pub(crate) fn into_sorted(self) -> Vec<R> {
        self.heap.into_sorted_vec()
    }
}
