//! Why can sets not be stored or compared?

use crate::storage::StorageError;

/// Why sets cannot be held or compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetsError {
    /// There is not enough memory.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// A document's set has 2³² elements or more.
    #[error("a document has {0} distinct elements; at most {max} are possible", max = u32::MAX)]
    LargeSet(usize),
    /// The sets that one thread stored, at a time or in total, cannot be addressed.
    #[error("more sets than one thread can hold; use more threads, or split the input")]
    FullArena,
    /// There are 2³² documents or more.
    #[error("more than {max} documents; split the input", max = u32::MAX)]
    ManyDocuments,
    /// There are 2³² or more distinct elements to compare.
    #[error("more than {max} different elements; split the input", max = u32::MAX)]
    ManyElements,
    /// A set is not ascending, or repeats an element.
    #[error("the set of document {0} is not ascending and distinct; sort it, and remove repeated elements")]
    NotAscending(u32),
}
