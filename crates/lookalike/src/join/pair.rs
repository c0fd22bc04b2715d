/// Two documents that reach the threshold, with the number of elements they share. `a` is less than `b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair {
    /// The one that comes first in the input.
    pub a: u32,
    /// The other.
    pub b: u32,
    /// How many elements they share; of texts, their edit distance.
    pub common: u32,
}

/// A callback that takes pairs, some at a time, from any thread.
pub type Emit<'a> = &'a (dyn Fn(&[Pair]) + Sync);
