//! Writes rows as they were read.

use super::{Finished, Output};
use crate::error::Error;

/// Writes rows unchanged. The last row of a file may lack a line end: it gets one if another row follows.
pub struct RowWriter {
    output: Output,
    open_line: bool,
}

impl RowWriter {
    /// A writer of rows into this output.
    pub fn new(output: Output) -> RowWriter {
        RowWriter { output, open_line: false }
    }

    /// Writes one row.
    pub fn put(&mut self, row: &[u8]) -> Result<(), Error> {
        if self.open_line {
            self.output.put(b"\n")?;
        }
        self.open_line = !row.ends_with(b"\n") && !row.ends_with(b"\r");
        self.output.put(row)
    }

    /// Writes a whole file that is one document, without adding line ends.
    pub fn put_whole(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.output.put(bytes)
    }

    /// Writes a record of a web archive. The last record of a file may lack the blank lines after it: it gets them if another follows. In
    /// a compressed file every record is a member of its own, so that it can be read without the ones before it.
    pub fn put_record(&mut self, record: &[u8]) -> Result<(), Error> {
        const END: &[u8] = b"\r\n\r\n";
        if self.open_line {
            self.output.put(END)?;
        }
        self.open_line = !record.ends_with(END) && !record.ends_with(b"\n\n");
        self.output.put(record)?;
        self.output.end_member()
    }

    /// Ends the file.
    pub fn finish(self) -> Result<Finished, Error> {
        self.output.finish()
    }
}
