//! The best pairs seen so far.

use std::collections::BinaryHeap;

use lookalike::engine::SetPair;

use super::group_members::GroupMembers;
use crate::read::Sides;

/// The best pairs of documents seen so far, from pairs of those that stand for their equals.
pub(crate) struct Best<'a, R, F> {
    most: usize,
    members: &'a GroupMembers,
    sides: &'a Sides,
    /// The rank of a pair, if it is wanted: the less, the better, and of equals the first in input order.
    rank: F,
    /// The worst on top.
    heap: BinaryHeap<R>,
}

impl<'a, R: Ord, F: Fn(SetPair) -> Option<R>> Best<'a, R, F> {
    pub(crate) fn new(most: usize, members: &'a GroupMembers, sides: &'a Sides, rank: F) -> Best<'a, R, F> {
        Best { most, members, sides, rank, heap: BinaryHeap::new() }
    }

    /// Offers pairs of equal documents, the first of which are enough: there is nothing better. `own` is what a document shares with its
    /// equals.
    pub(crate) fn offer_equal(&mut self, own: impl Fn(u32) -> u32) {
        for a in self.sides.a.clone() {
            for &b in self.sides.behind(a, self.members.of_first(self.members.first(a))) {
                if !self.offer_one(SetPair { a, b, common: own(a) }) {
                    return;
                }
            }
        }
    }

    /// Offers the members of two groups. Those of a pair are as similar as those of any other, so once one is not good enough, none
    /// behind it is.
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

    /// Takes a pair if it is among the best; whether it was.
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

    /// The best first.
    pub(crate) fn into_sorted(self) -> Vec<R> {
        self.heap.into_sorted_vec()
    }
}
