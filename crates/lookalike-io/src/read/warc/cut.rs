//! Cuts a WARC file into records.

use std::io::{self, Read};
use std::ops::Range;

use memchr::{memchr, memmem};

use super::header::Header;
use super::payload::{PEEK, is_document};

/// Reads blocks of records.
pub(crate) struct RecordBlocks {
    stream: Box<dyn Read + Send>,
    /// Bytes read. Those from `at` on are not yet cut into records.
    buffer: Vec<u8>,
    at: usize,
    ended: bool,
    /// The number of the next record, counting from 1.
    number: u64,
    /// If set, only texts are needed: longer records, and records that are no documents, are skipped without loading them.
    most: Option<usize>,
}

/// A block of records.
#[derive(Default)]
pub(crate) struct WarcRecords {
    bytes: Vec<u8>,
    records: Vec<Record>,
}

/// The ranges of a record in the bytes of a block.
struct Record {
    number: u64,
    kind: Kind,
    /// The whole record, with the blank lines after it.
    all: Range<usize>,
    /// Its header, and its block: the content.
    header: Range<usize>,
    block: Range<usize>,
}

/// The kind of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Document,
    /// A document that is too long to be compared, and its length.
    TooLong(u64),
    /// Neither a page nor a text.
    Other,
    /// No record, and the reason.
    Damaged(&'static str),
}

/// The most bytes of a header, and of a row that is no record.
const LONGEST: usize = 1 << 20;

const MAGIC: &[u8] = b"WARC/";

impl RecordBlocks {
    /// Cuts `stream` into records. If `most` is set, skips records that are no documents or have more bytes than that.
    pub(crate) fn new(stream: Box<dyn Read + Send>, most: Option<usize>) -> RecordBlocks {
        RecordBlocks { stream, buffer: Vec::new(), at: 0, ended: false, number: 1, most }
    }

    /// The next block of about `size` bytes.
    pub(crate) fn next(&mut self, size: usize) -> io::Result<Option<WarcRecords>> {
        let mut records = WarcRecords::default();
        while records.bytes.len() < size {
            self.skip_blank_lines(None)?;
            if self.rest().is_empty() {
                break;
            }
            self.record(&mut records)?;
            self.number += 1;
        }
        Ok((!records.records.is_empty()).then_some(records))
    }

    fn rest(&self) -> &[u8] {
        &self.buffer[self.at..]
    }

    /// Reads until `wanted` bytes are in the buffer, or the stream ends.
    fn fill(&mut self, wanted: usize) -> io::Result<()> {
        if self.rest().len() >= wanted || self.ended {
            return Ok(());
        }
        self.buffer.drain(..self.at);
        self.at = 0;
        // Reads more than wanted, so that small records do not cost a read each.
        let missing = (wanted - self.buffer.len()).max(LONGEST / 4);
        let read = self.stream.by_ref().take(missing as u64).read_to_end(&mut self.buffer)?;
        self.ended = read < missing;
        Ok(())
    }

    fn record(&mut self, records: &mut WarcRecords) -> io::Result<()> {
        self.fill(MAGIC.len())?;
        if !self.rest().starts_with(MAGIC) {
            return self.damage("expected a WARC record", records);
        }
        let mut wanted = 4096;
        let (length, header_end) = loop {
            self.fill(wanted)?;
            let window = &self.rest()[..self.rest().len().min(wanted)];
            // Do not search past the next record: many records without a header end would then take quadratic time.
            let next = memmem::find(window, b"\nWARC/").map(|line_end| line_end + 1);
            match Header::split(&window[..next.unwrap_or(window.len())]) {
                Some((header, end)) => {
                    let length = header.get("Content-Length").and_then(|length| length.parse::<u64>().ok());
                    break (length, end);
                }
                None if next.is_some() || wanted >= LONGEST => {
                    return self.damage("the header of the record has no end", records);
                }
                None if self.ended && window.len() == self.rest().len() => return Err(self.truncated()),
                None => wanted *= 2,
            }
        };
        let Some(length) = length else {
            return self.damage("the record has no valid Content-Length", records);
        };
        self.fill(header_end.saturating_add(PEEK.min(usize::try_from(length).unwrap_or(PEEK))))?;
        let kind = self.kind(header_end, length);
        let start = records.bytes.len();
        let is_held = self.most.is_none() || kind == Kind::Document;
        self.move_bytes(header_end as u64, Some(&mut records.bytes))?;
        let block = records.bytes.len();
        self.move_bytes(length, if is_held { Some(&mut records.bytes) } else { None })?;
        let end = records.bytes.len();
        self.skip_blank_lines(Some(&mut records.bytes))?;
        if self.most.is_some() && kind == Kind::Other {
            records.bytes.truncate(start);
            return Ok(());
        }
        let all = start..records.bytes.len();
        records.records.push(Record { number: self.number, kind, all, header: start..block, block: block..end });
        Ok(())
    }

    fn kind(&self, header_end: usize, length: u64) -> Kind {
        let Some((header, _)) = Header::split(self.rest()) else { return Kind::Other };
        let block = &self.rest()[header_end..];
        let block = &block[..block.len().min(usize::try_from(length).unwrap_or(usize::MAX))];
        match self.most {
            _ if !is_document(header, block) => Kind::Other,
            // The length includes the HTTP header. The page itself is measured when it is read.
            Some(most) if length > most.saturating_add(PEEK) as u64 => Kind::TooLong(length),
            _ => Kind::Document,
        }
    }

    /// Consumes `length` bytes, and appends them to `to` if it is set.
    fn move_bytes(&mut self, length: u64, mut to: Option<&mut Vec<u8>>) -> io::Result<()> {
        let mut left = length;
        while left > 0 {
            self.fill(1)?;
            let some = self.rest().len().min(usize::try_from(left).unwrap_or(usize::MAX));
            if some == 0 {
                return Err(self.truncated());
            }
            if let Some(to) = &mut to {
                to.extend_from_slice(&self.buffer[self.at..self.at + some]);
            }
            self.at += some;
            left -= some as u64;
        }
        Ok(())
    }

    /// Adds a damaged row that reaches to the next possible record.
    fn damage(&mut self, reason: &'static str, records: &mut WarcRecords) -> io::Result<()> {
        self.fill(LONGEST)?;
        let line = memchr(b'\n', self.rest()).map_or(self.rest().len(), |line| line + 1);
        let behind = &self.rest()[line.saturating_sub(1)..];
        let end = match memmem::find(behind, b"\nWARC/") {
            Some(found) => line - 1 + found + 1,
            // The last bytes may be the start of the next record.
            None if !self.ended => self.rest().len() - MAGIC.len(),
            None => self.rest().len(),
        };
        let start = records.bytes.len();
        self.move_bytes(end as u64, Some(&mut records.bytes))?;
        let all = start..records.bytes.len();
        let (header, block) = (start..start, all.clone());
        records.records.push(Record { number: self.number, kind: Kind::Damaged(reason), all, header, block });
        Ok(())
    }

    fn skip_blank_lines(&mut self, mut to: Option<&mut Vec<u8>>) -> io::Result<()> {
        loop {
            self.fill(1)?;
            let Some(&byte @ (b'\r' | b'\n')) = self.rest().first() else { return Ok(()) };
            if let Some(to) = &mut to {
                to.push(byte);
            }
            self.at += 1;
        }
    }

    fn truncated(&self) -> io::Error {
        io::Error::new(io::ErrorKind::UnexpectedEof, format!("record {} is truncated", self.number))
    }
}

impl WarcRecords {
    /// Calls `each` with every record: number, kind, all bytes, header and block.
    pub(crate) fn for_each<'a, E>(
        &'a self,
        mut each: impl FnMut(u64, Kind, &'a [u8], Option<Header<'a>>, &'a [u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        for record in &self.records {
            let header = Header::split(&self.bytes[record.header.clone()]).map(|(header, _)| header);
            each(
                record.number,
                record.kind,
                &self.bytes[record.all.clone()],
                header,
                &self.bytes[record.block.clone()],
            )?;
        }
        Ok(())
    }
}
