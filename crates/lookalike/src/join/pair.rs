//! What is a pair of sets?

/// Two documents that reach the threshold, with the number of elements they share. `a` is less than `b`.
///
/// [`Pair::of`](crate::Pair::of) converts a pair of sets to the pair of the front door. A pair of texts does not convert:
/// it has no common elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair {
    /// The document that comes first in the input.
    pub a: u32,
    /// The other document.
    pub b: u32,
    /// The number of common elements; for texts, the edit distance.
    pub common: u32,
}

/// A callback that receives batches of pairs, from any thread.
pub type Emit<'a> = &'a (dyn Fn(&[Pair]) + Sync);
