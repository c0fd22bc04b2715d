//! Where postings wait that a task cannot hold: in a temporary file.

use std::path::PathBuf;

use lookalike::engine::{BadBlob, Waiting as Wait};
use lookalike_io::Error;
use lookalike_io::spill::{Space, Spool, Spooled};
use pyo3::PyErr;
use pyo3::exceptions::{PyOSError, PyValueError};

/// Postings in a temporary file.
pub struct Waiting {
    space: Space,
    spool: Option<Spool>,
    spooled: Option<Spooled>,
    /// Where the next block begins.
    at: u64,
}

/// Why postings cannot wait.
pub enum Failed {
    Blob(BadBlob),
    File(Error),
}

impl From<BadBlob> for Failed {
    fn from(error: BadBlob) -> Failed {
        Failed::Blob(error)
    }
}

impl From<Error> for Failed {
    fn from(error: Error) -> Failed {
        Failed::File(error)
    }
}

impl From<Failed> for PyErr {
    fn from(error: Failed) -> PyErr {
        match error {
            Failed::Blob(error) => PyValueError::new_err(error.to_string()),
            Failed::File(error) => PyOSError::new_err(error.to_string()),
        }
    }
}

impl Waiting {
    /// The file will be in this folder. It has no name, and goes with the task.
    pub fn new(folder: PathBuf) -> Waiting {
        Waiting { space: Space::new(folder), spool: None, spooled: None, at: 0 }
    }
}

impl Wait for Waiting {
    type Error = Failed;

    fn append(&mut self, blob: &[u8]) -> Result<(), Failed> {
        let spool = self.spool.get_or_insert_with(|| Spool::new(&self.space));
        Ok(spool.append(blob)?)
    }

    fn rewind(&mut self) -> Result<(), Failed> {
        self.at = 0;
        if let Some(spool) = self.spool.take() {
            self.spooled = Some(spool.finish()?);
        }
        Ok(())
    }

    fn next(&mut self, blob: &mut Vec<u8>) -> Result<bool, Failed> {
        let Some(spooled) = &mut self.spooled else { return Ok(false) };
        let mut blocks = spooled.blocks_from(self.at)?;
        let is_more = blocks.next_block(blob)?;
        self.at = blocks.position();
        Ok(is_more)
    }
}
