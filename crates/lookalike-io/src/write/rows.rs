use super::{Finished, Output};
use crate::error::Error;

/// Writes rows as they were. A row keeps the line end it came with; one without, the last of its file, gets one if another follows.
pub struct RowWriter {
    output: Output,
    open_line: bool,
}

impl RowWriter {
    /// Rows into this output.
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

    /// Writes a file that is a document, without a thought of lines.
    pub fn put_whole(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.output.put(bytes)
    }

    /// Writes a record of a web archive. One that lacks the blank lines behind it, the last of its file, gets them if another follows.
    /// Where the file is compressed, every record is by itself, so that it can be read without those before it.
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
