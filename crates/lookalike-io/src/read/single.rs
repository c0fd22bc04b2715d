//! Reads single lines of a file again, by their position.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use memchr::memchr;

use super::blocks::{Block, Body};
use super::lines::Lines;
use crate::error::Error;
use crate::format::Format;
use crate::source::Source;

/// Bytes that are read first: most lines have fewer.
const FIRST: usize = 8 << 10;

/// A file of lines that are read one by one.
pub struct SingleLines<'a> {
    source: &'a Source,
    index: usize,
    file: File,
    bytes: Vec<u8>,
}

impl<'a> SingleLines<'a> {
    /// Whether single lines of a source can be read: it is a file of lines, and not compressed.
    pub fn are_in(source: &Source) -> bool {
        let is_of_lines = matches!(source.format(), Format::Jsonl | Format::Lines);
        is_of_lines && source.file().is_some() && !source.is_compressed()
    }

    /// Opens the source with this index. Fails if the file has changed.
    pub fn open(source: &'a Source, index: usize) -> Result<SingleLines<'a>, Error> {
        Ok(SingleLines { source, index, file: source.open()?, bytes: Vec::new() })
    }

    /// Returns the index of the source.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Reads the line that begins at this position, as a block of one row with this number.
    pub fn line(&mut self, row: u64, position: u64) -> Result<Block, Error> {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.clear();
        self.read(position, &mut bytes).map_err(|error| Error::read(self.source.path(), error))?;
        let lines = Lines { bytes, first_row: row, position };
        let body = if self.source.format() == Format::Jsonl { Body::Lines(lines) } else { Body::PlainLines(lines) };
        Ok(Block { source: self.index, number: 0, body })
    }

    /// Reads up to the end of the line, or of the file.
    fn read(&mut self, position: u64, bytes: &mut Vec<u8>) -> std::io::Result<()> {
        self.file.seek(SeekFrom::Start(position))?;
        let mut wanted = FIRST;
        loop {
            let searched = bytes.len();
            let read = self.file.by_ref().take((wanted - searched) as u64).read_to_end(bytes)?;
            if let Some(end) = memchr(b'\n', &bytes[searched..]) {
                bytes.truncate(searched + end + 1);
                return Ok(());
            }
            if read == 0 {
                return Ok(());
            }
            wanted = bytes.len() * 2;
        }
    }

    /// Takes the memory of a block that is done, for the next.
    pub fn reuse(&mut self, block: Block) {
        if let Body::Lines(lines) | Body::PlainLines(lines) = block.body {
            self.bytes = lines.bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::source::resolve;
    use crate::{Blocks, Content, Fields, RowReader};

    #[test]
    fn every_line_is_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines.jsonl");
        let long = "x".repeat(3 * FIRST);
        let text = format!(
            "\u{feff}{{\"text\": \"one\"}}\n\n{{\"text\": \"{long}\"}}\r\n{{\"text\": 3}}\n{{\"text\": \"last\"}}"
        );
        std::fs::write(&path, &text).unwrap();
        let sources = resolve(&[path.display().to_string()], None).unwrap();
        assert!(SingleLines::are_in(&sources[0]));
        let fields = Fields { text: vec!["text".to_string()], ..Fields::default() };
        let mut blocks = Blocks::new(&sources, &fields, Arc::default());
        let mut found = Vec::new();
        while let Some(block) = blocks.next_block().unwrap() {
            let push = |row: crate::Row, raw: Option<&[u8]>| {
                let raw = raw.unwrap();
                found.push((row.number, block.position_of(raw).unwrap(), raw.to_vec()));
                Ok::<(), Error>(())
            };
            RowReader::new(&fields, 1 << 20).for_each(&block, push).unwrap();
        }
        assert_eq!(found.iter().map(|(row, ..)| *row).collect::<Vec<u64>>(), [1, 3, 4, 5]);
        assert_eq!(found[0].1, 3);
        let mut single = SingleLines::open(&sources[0], 0).unwrap();
        for (row, position, raw) in found.into_iter().rev() {
            let block = single.line(row, position).unwrap();
            let mut rows = 0;
            let same = |again: crate::Row, bytes: Option<&[u8]>| {
                rows += 1;
                assert_eq!((again.number, bytes.unwrap()), (row, &raw[..]));
                Ok::<(), Error>(())
            };
            RowReader::new(&fields, 1 << 20).for_each(&block, same).unwrap();
            assert_eq!(rows, 1);
            single.reuse(block);
        }
    }

    /// From any byte on, the rows are those that begin behind it, also of a table.
    #[test]
    fn rows_behind_every_byte() {
        let folder = tempfile::tempdir().unwrap();
        let fields = Fields { text: vec!["text".to_string()], ..Fields::default() };
        let tables =
            ["{\"text\": \"one\"}\n{\"text\": \"two\"}\n{\"text\": \"three\"}", "id,text\n1,one\n2,two\n3,three"];
        for (table, name) in tables.iter().zip(["lines.jsonl", "table.csv"]) {
            let path = folder.path().join(name);
            std::fs::write(&path, table).unwrap();
            let sources = resolve(&[path.display().to_string()], None).unwrap();
            assert!(sources[0].has_places());
            for byte in 0..table.len() {
                let mut blocks = Blocks::new(&sources, &fields, Arc::default()).behind(byte as u64);
                let (mut texts, mut size) = (Vec::new(), 0);
                while let Some(block) = blocks.next_block().unwrap() {
                    size += block.size().unwrap();
                    let push = |row: crate::Row, _: Option<&[u8]>| {
                        texts.push(if let Content::Text(text) = row.content {
                            text.to_string()
                        } else {
                            String::new()
                        });
                        Ok::<(), Error>(())
                    };
                    RowReader::new(&fields, 1 << 20).for_each(&block, push).unwrap();
                }
                let behind = table[byte..].split_once('\n').map_or("", |(_, behind)| behind);
                let expected = ["one", "two", "three"].into_iter().filter(|text| behind.contains(text));
                assert_eq!(texts, expected.collect::<Vec<_>>(), "{name} behind {byte}");
                assert_eq!(size, behind.len() as u64, "{name} behind {byte}");
            }
        }
    }
}
