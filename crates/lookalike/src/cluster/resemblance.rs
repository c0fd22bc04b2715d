use std::cmp::Ordering;

use super::links::Links;
use crate::candidates::Side;
use crate::join::Pair;

/// Which documents resemble each other, as far as deciding who stays asks.
pub trait Resemblance {
    /// Calls `emit`, from any thread, with every pair of these documents, each named once, that resemble each other and have one on each
    /// side: once, some at a time, in any order.
    fn pairs(&self, documents: &[(u32, Side)], emit: &(dyn Fn(&[Pair]) + Sync));

    /// Which of two documents another resembles more.
    fn compare(&self, document: u32, one: Twin, two: Twin) -> Ordering;
}

/// A kept document that another resembles, and how many elements they share, or whatever their likeness is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Twin {
    /// The kept one.
    pub document: u32,
    /// What they share.
    pub common: u32,
}

/// Links all pairs that are found while it is settled who stays.
pub(super) struct Linking<'a, R> {
    pub(super) resemblance: &'a R,
    pub(super) links: &'a Links,
}

impl<R: Resemblance> Resemblance for Linking<'_, R> {
    fn pairs(&self, documents: &[(u32, Side)], emit: &(dyn Fn(&[Pair]) + Sync)) {
        self.resemblance.pairs(documents, &|some| {
            some.iter().for_each(|pair| self.links.link(pair.a, pair.b));
            emit(some);
        });
    }

    fn compare(&self, document: u32, one: Twin, two: Twin) -> Ordering {
        self.resemblance.compare(document, one, two)
    }
}
