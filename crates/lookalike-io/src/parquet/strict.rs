//! How to stop the `parquet` crate from reading past the end of a file.
//!
//! The crate reads the header of a page from a stream and skips unknown fields without checking that they are there. A damaged header
//! may announce billions of numbers, and skipping them past the end of the file would take minutes. A stream that fails at the end of
//! the file stops it at once.

use std::io::{self, Read};

use ::parquet::errors::Result;
use ::parquet::file::reader::{ChunkReader, Length};
use bytes::Bytes;

/// A file whose streams fail at its end.
pub(super) struct Strict<R>(pub(super) R);

/// A stream that returns an error where the inner stream ends.
pub(super) struct FailAtEnd<T>(T);

impl<R: Length> Length for Strict<R> {
    fn len(&self) -> u64 {
        self.0.len()
    }
}

impl<R: ChunkReader> ChunkReader for Strict<R> {
    type T = FailAtEnd<R::T>;

    fn get_read(&self, start: u64) -> Result<FailAtEnd<R::T>> {
        self.0.get_read(start).map(FailAtEnd)
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        self.0.get_bytes(start, length)
    }
}

impl<T: Read> Read for FailAtEnd<T> {
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
