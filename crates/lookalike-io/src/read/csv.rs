//! Cuts a CSV or TSV file into records. A quoted field may contain line breaks, so one thread at a time parses where the file is cut.

use std::io::{self, Read};
use std::ops::Range;

use csv_core::ReadRecordResult;

use super::fields::{Found, Values};
use super::recognise::check_encoding;
use crate::codec::decode;
use crate::error::Error;
use crate::format::Format;
use crate::source::Source;

/// The first row of a file.
pub struct Header {
    /// Its bytes, with the line end.
    pub raw: Vec<u8>,
    /// The columns' names.
    pub names: Vec<String>,
}

/// The header of a CSV or TSV file; `None` if the file is empty.
pub fn header(source: &Source) -> Result<Option<Header>, Error> {
    let stream = decode(source.open()?, Default::default()).map_err(|error| Error::read(source.path(), error))?;
    let mut blocks = CsvBlocks::new(stream, source.format());
    blocks.header().map_err(|error| Error::read(source.path(), error))
}

/// Reads blocks of whole records.
pub(super) struct CsvBlocks {
    stream: Box<dyn Read + Send>,
    parser: Parser,
    /// Bytes read and not yet cut into records.
    buffer: Vec<u8>,
    ended: bool,
    row: u64,
    /// The number of fields of the header.
    columns: usize,
}

/// Whole records with their requested fields.
pub(super) struct Records {
    bytes: Vec<u8>,
    first_row: u64,
    raws: Vec<Range<usize>>,
    /// How many fewer fields than the header each record has.
    missing: Vec<usize>,
    data: Vec<u8>,
    /// The range in `data` of each requested field of each record.
    fields: Vec<Option<Range<usize>>>,
}

/// Spreadsheets begin a file with it. It must not become part of the first column's name.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

impl CsvBlocks {
    pub(super) fn new(stream: Box<dyn Read + Send>, format: Format) -> CsvBlocks {
        let delimiter = if format == Format::Tsv { b'\t' } else { b',' };
        CsvBlocks { stream, parser: Parser::new(delimiter), buffer: Vec::new(), ended: false, row: 1, columns: 0 }
    }

    /// The first record. Call it before [`CsvBlocks::next`].
    pub(super) fn header(&mut self) -> io::Result<Option<Header>> {
        let mut size = 64 << 10;
        self.fill(size)?;
        check_encoding(&self.buffer)?;
        if self.buffer.starts_with(BYTE_ORDER_MARK) {
            self.buffer.drain(..BYTE_ORDER_MARK.len());
        }
        loop {
            if let Some(record) = self.parser.record(&self.buffer, self.ended) {
                let raw = self.buffer[record.clone()].to_vec();
                self.columns = self.parser.count;
                let names = self.parser.fields().map(|field| String::from_utf8_lossy(field).into_owned()).collect();
                self.buffer.drain(..record.end);
                return Ok(Some(Header { raw, names }));
            }
            if self.ended {
                return Ok(None);
            }
            size *= 2;
            self.fill(size)?;
        }
    }

    /// The next block of about `size` bytes, or more if a record is longer, with the fields at these columns.
    pub(super) fn next(&mut self, size: usize, columns: &[Option<usize>]) -> io::Result<Option<Records>> {
        let mut size = size;
        loop {
            self.fill(size)?;
            let mut records = Records {
                bytes: Vec::new(),
                first_row: self.row,
                raws: Vec::new(),
                missing: Vec::new(),
                data: Vec::new(),
                fields: Vec::new(),
            };
            let mut at = 0;
            while let Some(record) = self.parser.record(&self.buffer[at..], self.ended) {
                records.push(at + record.start..at + record.end, &self.parser, columns);
                records.missing.push(self.columns.saturating_sub(self.parser.count));
                at += record.end;
            }
            if at > 0 && !records.raws.is_empty() {
                let rest = self.buffer.split_off(at);
                records.bytes = std::mem::replace(&mut self.buffer, rest);
                self.row += records.raws.len() as u64;
                return Ok(Some(records));
            }
            if self.ended {
                return Ok(None);
            }
            size = self.buffer.len() * 2;
        }
    }

    fn fill(&mut self, size: usize) -> io::Result<()> {
        let missing = size.saturating_sub(self.buffer.len());
        if missing > 0 && !self.ended {
            let read = self.stream.by_ref().take(missing as u64).read_to_end(&mut self.buffer)?;
            self.ended = read < missing;
        }
        Ok(())
    }
}

impl Records {
    /// The bytes of all records.
    pub(super) fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn push(&mut self, raw: Range<usize>, parser: &Parser, columns: &[Option<usize>]) {
        self.raws.push(raw);
        for &column in columns {
            let field = column.and_then(|column| parser.field(column));
            self.fields.push(field.map(|field| {
                self.data.extend_from_slice(field);
                self.data.len() - field.len()..self.data.len()
            }));
        }
    }

    /// Calls `each` with every record's number, counting from 1 after the header, its bytes, and its index in the block.
    pub(super) fn for_each<E>(&self, mut each: impl FnMut(u64, &[u8], usize) -> Result<(), E>) -> Result<(), E> {
        for (at, raw) in self.raws.iter().enumerate() {
            each(self.first_row + at as u64, &self.bytes[raw.clone()], at)?;
        }
        Ok(())
    }

    /// How many fewer fields than the header the record at index `at` has.
    pub(super) fn missing(&self, at: usize) -> usize {
        self.missing[at]
    }

    /// Reads the requested fields of the record at index `at`. The error is a message for the user.
    pub(super) fn read(&self, at: usize, wanted: usize, values: &mut Values) -> Result<(), String> {
        if let Err(error) = str::from_utf8(&self.bytes[self.raws[at].clone()]) {
            return Err(format!("invalid UTF-8 at byte {}", error.valid_up_to() + 1));
        }
        values.clear(wanted);
        for (field, range) in self.fields[at * wanted..(at + 1) * wanted].iter().enumerate() {
            match range.clone().map(|range| str::from_utf8(&self.data[range])) {
                Some(Ok(text)) => values.set_text(field, text),
                Some(Err(_)) => values.set(field, Found::Other),
                None => {}
            }
        }
        Ok(())
    }
}

/// Finds records and unquotes their fields.
///
/// A quotation mark opens a quoted field only if the closing mark ends the field. A mark that is never closed, or closed inside a field,
/// would swallow the rows after it. Such a line is taken literally, with all its quotation marks.
struct Parser {
    reader: csv_core::Reader,
    /// A reader that treats quotation marks as plain characters.
    plain: csv_core::Reader,
    delimiter: u8,
    output: Vec<u8>,
    ends: Vec<usize>,
    count: usize,
}

impl Parser {
    fn new(delimiter: u8) -> Parser {
        let reader = csv_core::ReaderBuilder::new().delimiter(delimiter).build();
        let plain = csv_core::ReaderBuilder::new().delimiter(delimiter).quoting(false).build();
        Parser { reader, plain, delimiter, output: vec![0; 4096], ends: vec![0; 64], count: 0 }
    }

    /// The range of the next record in `input`. `None` if there is no record, or if it is incomplete and more input follows.
    fn record(&mut self, input: &[u8], ended: bool) -> Option<Range<usize>> {
        let record = self.parse(true, input, ended)?;
        if quotes_close(&input[record.clone()], self.delimiter) {
            Some(record)
        } else {
            self.parse(false, input, ended)
        }
    }

    fn parse(&mut self, quoting: bool, input: &[u8], ended: bool) -> Option<Range<usize>> {
        let reader = if quoting { &mut self.reader } else { &mut self.plain };
        reader.reset();
        if input.starts_with(BYTE_ORDER_MARK) {
            // The reader drops a byte order mark before the first record, and after a reset every record is the first. Reading a blank line
            // beforehand keeps the mark as part of the field.
            reader.read_record(b"\n", &mut self.output, &mut self.ends);
        }
        let (mut read, mut written, mut ends) = (0, 0, 0);
        loop {
            if read == input.len() && !ended {
                return None;
            }
            let (result, r, w, e) =
                reader.read_record(&input[read..], &mut self.output[written..], &mut self.ends[ends..]);
            (read, written, ends) = (read + r, written + w, ends + e);
            match result {
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull => self.output.resize(self.output.len() * 2, 0),
                ReadRecordResult::OutputEndsFull => self.ends.resize(self.ends.len() * 2, 0),
                ReadRecordResult::End => return None,
                ReadRecordResult::Record => break,
            }
        }
        self.count = ends;
        // The parser ends a record at the carriage return. A line feed after it belongs to the record too.
        if input[..read].ends_with(b"\r") {
            match input.get(read) {
                Some(b'\n') => read += 1,
                None if !ended => return None,
                _ => {}
            }
        }
        // Skip blank lines before the record.
        let blank = input[..read].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        Some(blank..read)
    }

    fn field(&self, column: usize) -> Option<&[u8]> {
        let end = *self.ends[..self.count].get(column)?;
        let start = if column == 0 { 0 } else { self.ends[column - 1] };
        Some(&self.output[start..end])
    }

    fn fields(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.count).filter_map(|column| self.field(column))
    }
}

/// Whether every quoted field of a record over several lines ends at its closing mark. Always true for a single line, where it makes no
/// difference.
fn quotes_close(record: &[u8], delimiter: u8) -> bool {
    let lines = record.trim_ascii_end();
    if !lines.contains(&b'\n') && !lines.contains(&b'\r') {
        return true;
    }
    let mut at = 0;
    while at < lines.len() {
        if lines[at] == b'"' {
            at += 1;
            loop {
                match (lines.get(at), lines.get(at + 1)) {
                    (None, _) => return false,
                    (Some(b'"'), Some(b'"')) => at += 2,
                    (Some(b'"'), next) => {
                        at += 1;
                        if next.is_some_and(|&next| next != delimiter) {
                            return false;
                        }
                        break;
                    }
                    _ => at += 1,
                }
            }
        }
        // The next field.
        at += lines[at..].iter().position(|&byte| byte == delimiter).unwrap_or(lines.len() - at) + 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str, size: usize) -> Vec<(String, String)> {
        let mut blocks = CsvBlocks::new(Box::new(io::Cursor::new(text.as_bytes().to_vec())), Format::Csv);
        let header = blocks.header().unwrap().unwrap();
        assert_eq!(header.names, ["id", "text"]);
        let (mut rows, mut values) = (Vec::new(), Values::default());
        while let Some(records) = blocks.next(size, &[Some(1)]).unwrap() {
            records
                .for_each(|row, raw, at| {
                    assert_eq!(row, rows.len() as u64 + 1);
                    records.read(at, 1, &mut values).unwrap();
                    rows.push((String::from_utf8(raw.to_vec()).unwrap(), format!("{:?}", values.get(0))));
                    Ok::<(), ()>(())
                })
                .unwrap();
        }
        rows
    }

    #[test]
    fn records_of_any_shape_in_blocks_of_any_size() {
        let text = "\u{feff}id,text\r\n1,plain\r\n\r\n2,\"a \"\"b\"\",\nc\"\r\n3\n4,last";
        for size in 1..80 {
            let rows = rows(text, size);
            let raws: Vec<&str> = rows.iter().map(|row| row.0.as_str()).collect();
            assert_eq!(raws, ["1,plain\r\n", "2,\"a \"\"b\"\",\nc\"\r\n", "3\n", "4,last"], "{size}");
            let texts: Vec<&str> = rows.iter().map(|row| row.1.as_str()).collect();
            assert_eq!(texts, ["Text(\"plain\")", "Text(\"a \\\"b\\\",\\nc\")", "Missing", "Text(\"last\")"]);
        }
    }

    /// Only the first mark of a file is not part of its text.
    #[test]
    fn byte_order_marks_in_fields() {
        for size in 1..40 {
            let rows = rows("\u{feff}id,text\n1,\u{feff}a\n\u{feff}2,b\n\n\u{feff}\n", size);
            let texts: Vec<&str> = rows.iter().map(|row| row.1.as_str()).collect();
            assert_eq!(
                texts,
                ["Text(\"\u{feff}a\")", "Text(\"b\")", "Missing"].map(|text| text.replace('\u{feff}', "\\u{feff}"))
            );
        }
        let mut blocks = CsvBlocks::new(Box::new(io::Cursor::new("\u{feff}\u{feff}id\n\u{feff}1\n")), Format::Csv);
        assert_eq!(blocks.header().unwrap().unwrap().names, ["\u{feff}id"]);
        let (records, mut values) = (blocks.next(9, &[Some(0)]).unwrap().unwrap(), Values::default());
        records.read(0, 1, &mut values).unwrap();
        assert_eq!(values.get(0).written().as_deref(), Some("\u{feff}1"));
    }

    /// A title that begins with a quotation mark must not swallow the rows after it.
    #[test]
    fn quotation_marks_that_quote_nothing() {
        let text = "id,text\n1,\"Sorry\": a\n2,x\n3,\"We Are” family\n4,\"two\nlines\"\n5,\"a \"\"b\"\" c\"\n6,\"never closed\n7,end\n";
        for size in [1, 7, 30, 1000] {
            let rows = rows(text, size);
            let texts: Vec<&str> = rows.iter().map(|row| row.1.as_str()).collect();
            assert_eq!(
                texts,
                [
                    "Text(\"Sorry: a\")",
                    "Text(\"x\")",
                    "Text(\"\\\"We Are” family\")",
                    "Text(\"two\\nlines\")",
                    "Text(\"a \\\"b\\\" c\")",
                    "Text(\"\\\"never closed\")",
                    "Text(\"end\")",
                ],
                "{size}"
            );
        }
    }
}
