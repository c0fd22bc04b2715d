//! What can be wrong with a part of an index?

use crate::join::JoinError;
use crate::progress::Cancelled;
use crate::sets::SetsError;

/// Why a part of an index cannot be read or made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PartError {
    /// The bytes are not a part, or not all of one.
    #[error("it is not a part of an index, or it is truncated")]
    NotAPart,
    /// A later version wrote it.
    #[error("it has format version {0}, and this program reads version {known}", known = VERSION)]
    Version(u32),
    /// A checksum is wrong.
    #[error("it is damaged near byte {at}")]
    Damaged {
        /// Where the damaged block begins.
        at: usize,
    },
    /// Numbers that contradict each other, although the checksums are right.
    #[error("it is inconsistent near byte {at}")]
    Contradiction {
        /// Where.
        at: usize,
    },
    /// More than a part can hold.
    #[error("a part can hold at most {most} {what}")]
    TooLarge {
        /// What there is too much of.
        what: &'static str,
        /// The most that a part can hold.
        most: u64,
    },
    /// One of several parts cannot be read.
    #[error("part {part}: {error}")]
    In {
        /// The number of the part, counting from 0.
        part: usize,
        /// Why.
        error: Box<PartError>,
    },
    /// Sets cannot be held or compared.
    #[error(transparent)]
    Join(#[from] JoinError),
}

/// The version of the format that this program reads and writes.
pub(super) const VERSION: u32 = 1;

impl PartError {
    /// Says in which part it is. That memory runs out, or that the work is cancelled, is not the fault of a part.
    pub(super) fn in_part(self, part: usize) -> PartError {
        match self {
            PartError::Join(_) => self,
            _ => PartError::In { part, error: Box::new(self) },
        }
    }
}

impl From<SetsError> for PartError {
    fn from(error: SetsError) -> PartError {
        PartError::Join(error.into())
    }
}

impl From<Cancelled> for PartError {
    fn from(cancelled: Cancelled) -> PartError {
        PartError::Join(cancelled.into())
    }
}
