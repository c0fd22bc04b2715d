//! What is a part made of?

use super::super::elements::Elements;
use super::super::error::PartError;

/// A document of a part.
#[derive(Clone, Copy, Debug)]
pub struct NewDocument<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its number in the whole index: a document that was added later has a greater one.
    pub serial: u64,
    /// Its set.
    pub set: Elements<'a>,
}

/// What an index remembers of a removed document: a copy of it shares its fate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remembered {
    /// The 128-bit hash of its set.
    pub hash: u128,
    /// The serial number of its twin.
    pub twin: u64,
    /// How many elements the two share.
    pub common: u32,
    /// The size of its set.
    pub size: u32,
}

/// The documents of a part, ascending by serial number, numbered from 0.
pub(in crate::index) trait Documents: Sync {
    fn len(&self) -> usize;
    fn serial(&self, at: usize) -> Result<u64, PartError>;
    fn id(&self, at: usize) -> Result<&str, PartError>;
    fn id_len(&self, at: usize) -> Result<u64, PartError>;
    fn size(&self, at: usize) -> Result<usize, PartError>;
    fn set(&self, at: usize) -> Result<Elements<'_>, PartError>;
    /// Gives memory back that can be filled again, if there is much of it.
    fn relieve(&self) {}
}

impl Documents for &[NewDocument<'_>] {
    fn len(&self) -> usize {
        <[NewDocument]>::len(self)
    }

    fn serial(&self, at: usize) -> Result<u64, PartError> {
        Ok(self[at].serial)
    }

    fn id(&self, at: usize) -> Result<&str, PartError> {
        Ok(self[at].id)
    }

    fn id_len(&self, at: usize) -> Result<u64, PartError> {
        Ok(self[at].id.len() as u64)
    }

    fn size(&self, at: usize) -> Result<usize, PartError> {
        Ok(self[at].set.len())
    }

    fn set(&self, at: usize) -> Result<Elements<'_>, PartError> {
        Ok(self[at].set)
    }
}
