use std::cmp::Ordering;

use crate::candidates::Side;
use crate::join::Pair;

/// Which documents resemble each other, as far as deciding who stays asks.
pub trait Resemblance {
    /// Every pair of these documents, each named once, that resemble each other and have one on each side: once, in any order.
    fn pairs(&self, documents: &[(u32, Side)]) -> Vec<Pair>;

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
