//! Where a record is.

use super::frame;

/// The file, offset and length of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The number of the file.
    pub file: u32,
    /// The offset of the record in the file.
    pub offset: u64,
    /// Bytes of the payload.
    pub length: u32,
}

/// An offset in a file of the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The number of the file.
    pub file: u32,
    /// The offset in the file.
    pub offset: u64,
}

impl Place {
    /// Where the record begins.
    pub fn position(&self) -> Position {
        Position { file: self.file, offset: self.offset }
    }

    /// Where the record ends.
    pub fn end(&self) -> Position {
        Position { offset: self.offset + (frame::HEAD + self.length as usize) as u64, ..self.position() }
    }
}
