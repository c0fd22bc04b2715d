//! Cuts a stream into blocks of whole lines.

use std::io::{self, Read};

use memchr::{memchr, memchr_iter, memrchr};

use super::recognise::{check_any_json, check_encoding, check_json_lines};

/// Reads blocks of whole lines.
pub(super) struct LineBlocks {
    stream: Box<dyn Read + Send>,
    /// The start of a line whose end is not yet read.
    rest: Vec<u8>,
    row: u64,
    /// The bytes of all blocks so far.
    position: u64,
    started: bool,
    /// Whether the lines must be JSON.
    is_json: bool,
    /// Whether to return lines as soon as they arrive, in blocks however small.
    is_live: bool,
}

/// Whole lines, and the number of the first, counting from 1.
pub(super) struct Lines {
    pub(super) bytes: Vec<u8>,
    pub(super) first_row: u64,
    /// Where they begin in the stream.
    pub(super) position: u64,
}

const BYTE_ORDER_MARK: [u8; 3] = [0xef, 0xbb, 0xbf];

impl LineBlocks {
    pub(super) fn new(stream: Box<dyn Read + Send>, is_json: bool, is_live: bool) -> LineBlocks {
        LineBlocks { stream, rest: Vec::new(), row: 1, position: 0, started: false, is_json, is_live }
    }

    /// The next block of about `size` bytes, or more if a line is longer. Fails if the file is in another format.
    pub(super) fn next(&mut self, size: usize) -> io::Result<Option<Lines>> {
        let mut bytes = std::mem::take(&mut self.rest);
        // If the rest fills a block already, it is the start of a longer line.
        let mut wanted = if bytes.len() < size { size } else { bytes.len() * 2 };
        let mut ended = false;
        loop {
            bytes.reserve_exact(wanted.saturating_sub(bytes.len()));
            let searched = bytes.len();
            let missing = wanted.saturating_sub(bytes.len());
            let read = if self.is_live {
                read_once(&mut self.stream, missing, &mut bytes)?
            } else {
                self.stream.by_ref().take(missing as u64).read_to_end(&mut bytes)?
            };
            if read == 0 {
                ended = true;
                break;
            }
            // The rest has no line end, so search only the new bytes.
            if let Some(end) = memrchr(b'\n', &bytes[searched..]) {
                self.rest = bytes[searched + end + 1..].to_vec();
                bytes.truncate(searched + end + 1);
                break;
            }
            if bytes.len() >= wanted {
                wanted = bytes.len() * 2;
            }
        }
        self.position += bytes.len() as u64;
        if !self.started {
            self.started = true;
            self.begin(&mut bytes, ended)?;
        }
        if bytes.is_empty() {
            return Ok(None);
        }
        let first_row = self.row;
        self.row += memchr_iter(b'\n', &bytes).count() as u64;
        let position = self.position - bytes.len() as u64;
        Ok(Some(Lines { bytes, first_row, position }))
    }

    /// Checks the format by the first block, which has at least one line, and removes a byte order mark.
    fn begin(&mut self, bytes: &mut Vec<u8>, ended: bool) -> io::Result<()> {
        if bytes.starts_with(&BYTE_ORDER_MARK) {
            bytes.drain(..BYTE_ORDER_MARK.len());
        }
        check_encoding(bytes)?;
        if self.is_json {
            check_json_lines(bytes, ended || !self.is_live && self.rest.is_empty() && self.is_at_end()?)?;
            // Lines that arrive one by one: those that follow may be JSON.
            if !self.is_live {
                check_any_json(bytes)?;
            }
        }
        Ok(())
    }

    /// Whether the block is the last. Reads one more byte to find out.
    fn is_at_end(&mut self) -> io::Result<bool> {
        self.stream.by_ref().take(1).read_to_end(&mut self.rest)?;
        Ok(self.rest.is_empty())
    }
}

/// Reads the available bytes, at most `most`. Waits only if there are none.
fn read_once(stream: &mut impl Read, most: usize, bytes: &mut Vec<u8>) -> io::Result<usize> {
    let before = bytes.len();
    bytes.resize(before + most, 0);
    loop {
        match stream.read(&mut bytes[before..]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => {
                bytes.truncate(before + read.as_ref().map_or(0, |read| *read));
                return read;
            }
        }
    }
}

impl Lines {
    /// Where one of these lines begins in the stream.
    pub(super) fn position_of(&self, line: &[u8]) -> u64 {
        self.position + (line.as_ptr().addr() - self.bytes.as_ptr().addr()) as u64
    }

    /// Calls `each` with every line that is not blank: its number, and its bytes with the line end.
    pub(super) fn for_each<'a, E>(&'a self, mut each: impl FnMut(u64, &'a [u8]) -> Result<(), E>) -> Result<(), E> {
        let mut row = self.first_row;
        let mut rest = &self.bytes[..];
        while !rest.is_empty() {
            let end = memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
            let (line, next) = rest.split_at(end);
            if !line.iter().all(u8::is_ascii_whitespace) {
                each(row, line)?;
            }
            row += 1;
            rest = next;
        }
        Ok(())
    }
}

/// A line without its line end.
pub(super) fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns one byte at a time.
    struct Slow(io::Cursor<Vec<u8>>);

    impl Read for Slow {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let most = buffer.len().min(1);
            self.0.read(&mut buffer[..most])
        }
    }

    #[test]
    fn a_mark_that_comes_in_pieces() {
        for (size, is_live) in [(1, false), (2, true), (100, true)] {
            let stream = Slow(io::Cursor::new("\u{feff}one\n\ntwo".into()));
            let mut blocks = LineBlocks::new(Box::new(stream), false, is_live);
            let mut lines = Vec::new();
            while let Some(block) = blocks.next(size).unwrap() {
                let push = |number, line: &[u8]| {
                    lines.push((number, String::from_utf8(line.to_vec()).unwrap()));
                    Ok::<(), ()>(())
                };
                block.for_each(push).unwrap();
            }
            assert_eq!(lines, [(1, "one\n".to_string()), (3, "two".to_string())]);
        }
    }
}
