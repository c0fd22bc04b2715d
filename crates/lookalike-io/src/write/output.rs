//! A file that appears under its name when it is complete.
//!
//! It is written in the same folder under a temporary name. At the end, [`commit`](super::commit()) renames all outputs of a run together.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::place::follow_links;
use super::unfinished::Temporary;
use crate::codec::{Codec, Encoder};
use crate::error::Error;

/// An output being written, compressed if its name says so.
pub struct Output {
    path: PathBuf,
    temporary: Option<Temporary>,
    encoder: Box<Encoder>,
    closed: Arc<AtomicBool>,
}

/// A complete output that still has its temporary name.
pub struct Finished {
    pub(super) path: PathBuf,
    pub(super) temporary: Option<Temporary>,
}

impl Output {
    /// Creates an output. `-` is standard output.
    pub fn create(path: &Path) -> Result<Output, Error> {
        let failed = |error| Error::write(path, error);
        let closed = Arc::new(AtomicBool::new(false));
        if path == Path::new("-") {
            let encoder =
                Box::new(Codec::Plain.encode(Pipe { to: io::stdout(), closed: closed.clone() }).map_err(failed)?);
            return Ok(Output { path: path.to_path_buf(), temporary: None, encoder, closed });
        }
        let (codec, _) = Codec::of_name(path);
        // Follow a link to its target. Write to a device or a pipe directly.
        let place = follow_links(path);
        if fs::metadata(&place).is_ok_and(|metadata| !metadata.is_file()) {
            let file = OpenOptions::new().write(true).open(&place).map_err(failed)?;
            let encoder = Box::new(codec.encode(Pipe { to: file, closed: closed.clone() }).map_err(failed)?);
            return Ok(Output { path: place, temporary: None, encoder, closed });
        }
        let (temporary, file) = Temporary::create(&place).map_err(failed)?;
        let encoder = codec.encode(file).map_err(failed)?;
        Ok(Output { path: place, temporary: Some(temporary), encoder: Box::new(encoder), closed })
    }

    /// Writes bytes. The error names the file.
    pub fn put(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.encoder.write_all(bytes).map_err(|error| Error::write(&self.path, error))
    }

    /// Flushes. The error names the file.
    pub fn send(&mut self) -> Result<(), Error> {
        self.encoder.flush().map_err(|error| Error::write(&self.path, error))
    }

    /// Ends a part of a compressed file that can be decompressed by itself. Does nothing for other files.
    pub fn end_member(&mut self) -> Result<(), Error> {
        self.encoder.end_member().map_err(|error| Error::write(&self.path, error))
    }

    /// Ends the file. It still has its temporary name.
    pub fn finish(self) -> Result<Finished, Error> {
        let Output { path, mut temporary, encoder, .. } = self;
        encoder.finish().map_err(|error| Error::write(&path, error))?;
        if let Some(temporary) = &mut temporary {
            temporary.finish();
        }
        Ok(Finished { path, temporary })
    }

    /// Whether it is standard output or another pipe, and the reader has closed it.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Relaxed)
    }

    /// The final path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.encoder.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.encoder.flush()
    }
}

/// Standard output, or an output that is not a regular file. A reader may close it when it has seen enough, which is no error.
struct Pipe<W> {
    to: W,
    closed: Arc<AtomicBool>,
}

impl<W: Write> Write for Pipe<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.closed.load(Relaxed) {
            return Ok(bytes.len());
        }
        match self.to.write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed.store(true, Relaxed);
                Ok(bytes.len())
            }
            other => other,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.to.flush() {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            other => other,
        }
    }
}
