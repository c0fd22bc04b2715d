//! Takes documents out of rows, counts what is read, and keeps the first few problems.

use std::path::Path;

use lookalike_io::extract::{Document, Extracted, Extractor};
use lookalike_io::{Row, Seen};

use crate::error::{Error, Problem};

/// Counts of what was read.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Bytes of the documents' texts.
    pub text_bytes: u64,
    /// Documents without a token.
    pub empty: u64,
    /// Documents without a usable text. They are kept and compared with nothing.
    pub unusable: u64,
    /// Rows that cannot be read as documents.
    pub unreadable: u64,
    /// The first few unusable and unreadable rows.
    pub problems: Vec<Problem>,
    /// Which of the fields that the user named exist.
    pub(crate) seen: Seen,
}

/// The most problems to keep.
const NAMED: usize = 5;

impl Tally {
    /// Takes the document out of a row, and counts it. `None` if it is no document; `Some(None)` if it is one without a usable text.
    pub(crate) fn extract<'a>(
        &mut self,
        row: &'a Row<'a>,
        extractor: &'a mut Extractor,
        path: &Path,
        strict: bool,
    ) -> Result<Option<Option<Document<'a>>>, Error> {
        match extractor.extract(row) {
            Extracted::Document(document) => {
                self.text_bytes += document.text.len() as u64;
                Ok(Some(Some(document)))
            }
            Extracted::Unusable(reason) => {
                self.unusable += 1;
                self.name(path, row.number, reason, strict)?;
                Ok(Some(None))
            }
            Extracted::Unreadable(reason) => {
                self.unreadable += 1;
                self.name(path, row.number, reason, strict)?;
                Ok(None)
            }
        }
    }

    /// Adds a row to the problems if there is room, or fails if `strict`.
    pub(crate) fn name(&mut self, path: &Path, row: u64, reason: &str, strict: bool) -> Result<(), Error> {
        let problem = || Problem { file: path.display().to_string(), row, reason: reason.to_string() };
        if strict {
            return Err(Error::Strict(problem()));
        }
        if self.problems.len() < NAMED {
            self.problems.push(problem());
        }
        Ok(())
    }

    /// Adds the counts of a later block.
    pub(crate) fn add(&mut self, block: Tally) {
        self.text_bytes += block.text_bytes;
        self.empty += block.empty;
        self.unusable += block.unusable;
        self.unreadable += block.unreadable;
        self.seen.add(block.seen);
        let room = NAMED - self.problems.len();
        self.problems.extend(block.problems.into_iter().take(room));
    }
}
