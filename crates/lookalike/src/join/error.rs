//! Why can a collection not be joined?

use crate::progress::Cancelled;
use crate::sets::SetsError;
use crate::storage::StorageError;

/// Why a collection cannot be joined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JoinError {
    /// The sets are not valid, or there is not enough memory for them.
    #[error(transparent)]
    Sets(#[from] SetsError),
    /// The keep order omits a document, repeats one, or names one that does not exist.
    #[error("the keep order does not name each of the {documents} documents once")]
    KeepOrder {
        /// The number of documents.
        documents: usize,
    },
    /// The reference collection is larger than the whole collection.
    #[error("{pinned} documents at the start of the keep order are references, but there are only {documents}")]
    References {
        /// The number of references.
        pinned: usize,
        /// The number of documents.
        documents: usize,
    },
    /// There are more pairs than the caller has room for.
    #[error("more than {most} pairs reach the threshold; use a higher threshold, or allow more memory for the pairs")]
    TooManyPairs {
        /// The most pairs.
        most: usize,
    },
    /// The call was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl From<StorageError> for JoinError {
    fn from(error: StorageError) -> JoinError {
        JoinError::Sets(error.into())
    }
}

/// Checks that the order names every document once, and has at least `pinned` documents.
pub(super) fn check_order(order: &[u32], pinned: usize, documents: usize) -> Result<(), JoinError> {
    let mut named = vec![false; documents];
    let is_new =
        |&document: &u32| named.get_mut(document as usize).is_some_and(|named| !std::mem::replace(named, true));
    if order.len() != documents || !order.iter().all(is_new) {
        return Err(JoinError::KeepOrder { documents });
    }
    if pinned > documents {
        return Err(JoinError::References { pinned, documents });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_names_every_document_once() {
        assert_eq!(check_order(&[2, 0, 1], 3, 3), Ok(()));
        assert_eq!(check_order(&[], 0, 0), Ok(()));
        for wrong in [&[0, 1][..], &[0, 1, 1], &[0, 1, 3], &[0, 1, 2, 2]] {
            assert_eq!(check_order(wrong, 0, 3), Err(JoinError::KeepOrder { documents: 3 }));
        }
        assert_eq!(check_order(&[1, 0], 3, 2), Err(JoinError::References { pinned: 3, documents: 2 }));
    }
}
