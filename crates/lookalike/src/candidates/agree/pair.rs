//! What is a pair of fingerprints?

/// Two documents whose fingerprints agree in enough bits. `a` is less than `b`.
///
/// It has no exact similarity, so it does not convert to a [`Pair`](crate::Pair) until the two sets are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AgreePair {
    /// The document that comes first in the input.
    pub a: u32,
    /// The other document.
    pub b: u32,
    /// In how many bits they agree.
    pub agree: u32,
}
