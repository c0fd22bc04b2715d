use std::io::{self, Read};
use std::ops::Range;

use memchr::{memchr, memmem};

use super::header::Header;
use super::payload::{PEEK, is_document};

/// Cuts a stream into records.
pub(crate) struct RecordBlocks {
    stream: Box<dyn Read + Send>,
    /// Read and not yet cut, from `at` on.
    buffer: Vec<u8>,
    at: usize,
    ended: bool,
    /// The number of the next record, counting from 1.
    number: u64,
    /// Bytes of a record above which it is not held, if nobody wants its bytes for their own sake.
    most: Option<usize>,
}

/// Some records, one after another.
#[derive(Default)]
pub(crate) struct WarcRecords {
    bytes: Vec<u8>,
    records: Vec<Record>,
}

/// Where a record lies among the bytes.
struct Record {
    number: u64,
    kind: Kind,
    /// All of it, with the blank lines behind it.
    all: Range<usize>,
    /// Its header, and its block, which holds what the record is about.
    header: Range<usize>,
    block: Range<usize>,
}

/// What a record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Document,
    /// One that is too long to be compared, and how long it is.
    TooLong(u64),
    /// Something else than a page or a text, which is nobody's concern.
    Other,
    /// No record, and why.
    Damaged(&'static str),
}

/// The most that a header may be long, and a row of what is no record.
const LONGEST: usize = 1 << 20;

const MAGIC: &[u8] = b"WARC/";

impl RecordBlocks {
    /// Cuts `stream`; records that no document is made of are skipped if there is a limit, which is that of a document's bytes.
    pub(crate) fn new(stream: Box<dyn Read + Send>, most: Option<usize>) -> RecordBlocks {
        RecordBlocks { stream, buffer: Vec::new(), at: 0, ended: false, number: 1, most }
    }

    /// The next records, of about `size` bytes.
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

    /// Reads until there are so many bytes, if there are.
    fn fill(&mut self, wanted: usize) -> io::Result<()> {
        if self.rest().len() >= wanted || self.ended {
            return Ok(());
        }
        self.buffer.drain(..self.at);
        self.at = 0;
        // More than wanted at a time, so that small records are not read one by one.
        let missing = (wanted - self.buffer.len()).max(LONGEST / 4);
        let read = self.stream.by_ref().take(missing as u64).read_to_end(&mut self.buffer)?;
        self.ended = read < missing;
        Ok(())
    }

    fn record(&mut self, records: &mut WarcRecords) -> io::Result<()> {
        self.fill(MAGIC.len())?;
        if !self.rest().starts_with(MAGIC) {
            return self.damage("no WARC record starts here", records);
        }
        let mut wanted = 4096;
        let (length, header_end) = loop {
            self.fill(wanted)?;
            let window = &self.rest()[..self.rest().len().min(wanted)];
            // Not looked for beyond the next record: that would be done again and again for records whose header has no end.
            let next = memmem::find(window, b"\nWARC/").map(|line_end| line_end + 1);
            match Header::split(&window[..next.unwrap_or(window.len())]) {
                Some((header, end)) => {
                    let length = header.get("Content-Length").and_then(|length| length.parse::<u64>().ok());
                    break (length, end);
                }
                None if next.is_some() || wanted >= LONGEST => {
                    return self.damage("the record's header does not end", records);
                }
                None if self.ended && window.len() == self.rest().len() => return Err(self.breaks_off()),
                None => wanted *= 2,
            }
        };
        let Some(length) = length else {
            return self.damage("the record does not say how long it is", records);
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
            // The header of a response counts too; what is left is measured when it is read.
            Some(most) if length > most.saturating_add(PEEK) as u64 => Kind::TooLong(length),
            _ => Kind::Document,
        }
    }

    /// Takes so many bytes, to where they are held if they are.
    fn move_bytes(&mut self, length: u64, mut to: Option<&mut Vec<u8>>) -> io::Result<()> {
        let mut left = length;
        while left > 0 {
            self.fill(1)?;
            let some = self.rest().len().min(usize::try_from(left).unwrap_or(usize::MAX));
            if some == 0 {
                return Err(self.breaks_off());
            }
            if let Some(to) = &mut to {
                to.extend_from_slice(&self.buffer[self.at..self.at + some]);
            }
            self.at += some;
            left -= some as u64;
        }
        Ok(())
    }

    /// What is no record, up to where one could start again.
    fn damage(&mut self, reason: &'static str, records: &mut WarcRecords) -> io::Result<()> {
        self.fill(LONGEST)?;
        let line = memchr(b'\n', self.rest()).map_or(self.rest().len(), |line| line + 1);
        let behind = &self.rest()[line.saturating_sub(1)..];
        let end = match memmem::find(behind, b"\nWARC/") {
            Some(found) => line - 1 + found + 1,
            // A line end here may be the one before a record.
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

    fn breaks_off(&self) -> io::Error {
        io::Error::new(io::ErrorKind::UnexpectedEof, format!("record {} breaks off", self.number))
    }
}

impl WarcRecords {
    /// Calls `each` with every record: its number, what it is, all its bytes, its header and its block.
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
