use crate::storage::StorageError;

/// Why sets cannot be held or compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetsError {
    /// There is no room for them.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// A document's set has 2³² elements or more.
    #[error("a document has {0} distinct elements; at most {max} are possible", max = u32::MAX)]
    LargeSet(usize),
    /// The sets that one thread put away at a time, or in all, cannot be addressed.
    #[error("more sets than one thread can hold; use more threads, or split the input")]
    FullArena,
    /// There are 2³² documents or more.
    #[error("more than {max} documents; split the input", max = u32::MAX)]
    ManyDocuments,
    /// There are 2³² different elements or more to be compared.
    #[error("more than {max} different elements; split the input", max = u32::MAX)]
    ManyElements,
    /// A set is not ascending, or has an element twice.
    #[error("the set of document {0} is not ascending and distinct; sort it, and remove repeated elements")]
    NotAscending(u32),
}
