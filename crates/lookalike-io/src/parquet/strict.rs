//! A file whose readers fail at its end.
//!
//! The `parquet` crate reads the header of a page from a stream, and skips what it does not know without looking whether it is there.
//! A header may say that billions of numbers follow, and skipping them behind the end of a file would take minutes. With an error at the
//! end it takes no time.

use std::io::{self, Read};

use ::parquet::errors::Result;
use ::parquet::file::reader::{ChunkReader, Length};
use bytes::Bytes;

/// A file like the one in it.
pub(super) struct Strict<R>(pub(super) R);

/// A stream that has no end: it fails there.
pub(super) struct Endless<T>(T);

impl<R: Length> Length for Strict<R> {
    fn len(&self) -> u64 {
        self.0.len()
    }
}

impl<R: ChunkReader> ChunkReader for Strict<R> {
    type T = Endless<R::T>;

    fn get_read(&self, start: u64) -> Result<Endless<R::T>> {
        self.0.get_read(start).map(Endless)
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        self.0.get_bytes(start, length)
    }
}

impl<T: Read> Read for Endless<T> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 if !buffer.is_empty() => Err(io::ErrorKind::UnexpectedEof.into()),
            read => Ok(read),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_fails_at_the_end_and_not_before() {
        let file = Strict(Bytes::from_static(b"abc"));
        assert_eq!((file.len(), file.get_bytes(1, 2).unwrap()), (3, Bytes::from_static(b"bc")));
        let mut stream = file.get_read(1).unwrap();
        let mut two = [0; 2];
        stream.read_exact(&mut two).unwrap();
        assert_eq!((&two, stream.read(&mut []).unwrap()), (b"bc", 0));
        assert_eq!(stream.read(&mut two).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
        assert!(io::copy(&mut stream.take(8), &mut io::sink()).is_err());
    }
}
