//! Cuts all sources into blocks of rows.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use xxhash_rust::xxh3::Xxh3;

use super::Fields;
use super::csv::{CsvBlocks, Records, header};
use super::lines::{LineBlocks, Lines};
use super::parquet::{self, ColumnBlocks, Columns};
use super::recognise::check_text;
use super::warc::{Kind, RecordBlocks, WarcRecords};
use crate::codec::{decode, decode_live, lines_behind};
use crate::error::Error;
use crate::format::Format;
use crate::source::Source;

/// Bytes of a block, about a hundred documents: small enough that threads share the work evenly and the block's sets stay in the cache.
const BLOCK: usize = 1 << 18;

/// Consecutive rows of one file, not yet parsed.
pub struct Block {
    /// The index of the source.
    pub source: usize,
    /// The index of the block among all blocks, from 0.
    pub number: usize,
    pub(super) body: Body,
}

pub(super) enum Body {
    /// JSON lines.
    Lines(Lines),
    /// Lines that are documents themselves.
    PlainLines(Lines),
    Records(Records),
    /// A file that is one document.
    Whole(Vec<u8>),
    /// A file that is one page.
    Page(Vec<u8>),
    Columns(Columns),
    Warc(WarcRecords),
}

/// A row with its bytes as they are in the file.
#[derive(Clone, Copy)]
pub struct Raw<'a> {
    /// Its number, counting from 1.
    pub number: u64,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// How many fewer fields it has than the header.
    pub missing: usize,
    /// Whether it is no document, such as a record of a web archive without a page.
    pub is_other: bool,
}

impl<'a> Raw<'a> {
    fn row(number: u64, bytes: &'a [u8]) -> Raw<'a> {
        Raw { number, bytes, missing: 0, is_other: false }
    }
}

impl Block {
    /// Returns a hash of all rows as they are in the file. Of a Parquet file, it is a hash of the requested fields.
    pub fn hash(&self) -> u64 {
        let mut hash = Xxh3::new();
        if let Body::Columns(columns) = &self.body {
            columns.add_to(&mut hash);
        }
        let add = |raw: Raw| {
            hash.update(raw.bytes);
            Ok::<(), std::convert::Infallible>(())
        };
        let _ = self.for_each_raw(add);
        hash.digest()
    }

    /// Returns the bytes of its rows in the file, if it is of lines or of a table, and not compressed.
    pub fn size(&self) -> Option<u64> {
        match &self.body {
            Body::Lines(lines) | Body::PlainLines(lines) => Some(lines.bytes.len() as u64),
            Body::Records(records) => Some(records.size()),
            Body::Whole(_) | Body::Page(_) | Body::Columns(_) | Body::Warc(_) => None,
        }
    }

    /// Returns where a line begins in its file, if the file is of lines and not compressed. It takes the bytes of a row of this block.
    pub fn position_of(&self, row: &[u8]) -> Option<u64> {
        match &self.body {
            Body::Lines(lines) | Body::PlainLines(lines) => Some(lines.position_of(row)),
            _ => None,
        }
    }

    /// Calls `each` with every row as it is in the file. Parquet files have no such rows.
    pub fn for_each_raw<E>(&self, mut each: impl FnMut(Raw) -> Result<(), E>) -> Result<(), E> {
        match &self.body {
            Body::Lines(lines) | Body::PlainLines(lines) => lines.for_each(|row, line| each(Raw::row(row, line))),
            Body::Records(records) => {
                records.for_each(|row, raw, at| each(Raw { missing: records.missing(at), ..Raw::row(row, raw) }))
            }
            Body::Whole(bytes) | Body::Page(bytes) => each(Raw::row(1, bytes)),
            Body::Warc(records) => records
                .for_each(|row, kind, raw, _, _| each(Raw { is_other: kind == Kind::Other, ..Raw::row(row, raw) })),
            // Parquet rows have no bytes of their own. They are copied as columns.
            Body::Columns(_) => Ok(()),
        }
    }
}

/// The blocks of all sources, one after another.
pub struct Blocks<'a> {
    sources: Cow<'a, [Source]>,
    waiting: VecDeque<usize>,
    open: Option<(usize, Reader)>,
    names: Vec<String>,
    fields: Fields,
    blocks: usize,
    taken: Arc<AtomicU64>,
    /// How many of the sources are inputs. The others need no key.
    inputs: usize,
    /// Bytes above which a document need not be loaded.
    most: Option<usize>,
    /// The byte behind which the first row begins, if it is not the start.
    behind: Option<u64>,
}

enum Reader {
    Lines(LineBlocks),
    PlainLines(LineBlocks),
    Csv(Box<CsvBlocks>, Vec<Option<usize>>),
    Whole(Option<Box<dyn Read + Send>>, fn(Vec<u8>) -> Body),
    Columns(ColumnBlocks),
    Warc(RecordBlocks),
}

impl<'a> Blocks<'a> {
    /// The blocks of these sources. `taken` counts the bytes read.
    pub fn new(sources: impl Into<Cow<'a, [Source]>>, fields: &Fields, taken: Arc<AtomicU64>) -> Blocks<'a> {
        let sources = sources.into();
        Blocks {
            waiting: (0..sources.len()).collect(),
            open: None,
            names: fields.names(),
            fields: fields.clone(),
            blocks: 0,
            taken,
            inputs: sources.len(),
            sources,
            most: None,
            behind: None,
        }
    }

    /// Use this if only texts are needed, not the bytes of rows. Records of a web archive that are no documents, or have more than `most`
    /// bytes, are then skipped without loading them.
    pub fn for_texts(self, most: usize) -> Blocks<'a> {
        Blocks { most: Some(most), ..self }
    }

    /// Use this if only the first `inputs` sources are inputs. The others, a reference collection, need not have the key's column.
    pub fn with_inputs(self, inputs: usize) -> Blocks<'a> {
        Blocks { inputs, ..self }
    }

    /// Use this to sample a source for which [`Source::has_places`]: its rows begin with the first line behind this byte. Rows are then numbered
    /// from there. A line break in a quoted field counts as a line end, so a row may be wrong.
    pub fn behind(self, byte: u64) -> Blocks<'a> {
        Blocks { behind: Some(byte), ..self }
    }

    /// The next block, or `None` at the end.
    pub fn next_block(&mut self) -> Result<Option<Block>, Error> {
        loop {
            if self.open.is_none() {
                let Some(source) = self.waiting.pop_front() else { return Ok(None) };
                self.open = self.open(source)?.map(|reader| (source, reader));
                continue;
            }
            let Some((source, reader)) = &mut self.open else { continue };
            let source = *source;
            let body = match reader {
                Reader::Lines(lines) => lines.next(BLOCK).map(|lines| lines.map(Body::Lines)),
                Reader::PlainLines(lines) => lines.next(BLOCK).map(|lines| lines.map(Body::PlainLines)),
                Reader::Csv(csv, columns) => csv.next(BLOCK, columns).map(|records| records.map(Body::Records)),
                Reader::Columns(columns) => {
                    let next = columns.next(BLOCK);
                    let size = self.sources[source].size();
                    self.taken.fetch_add(
                        next.as_ref().map_or(0, |next| next.as_ref().map_or(0, |next| next.share(size))),
                        Relaxed,
                    );
                    next.map(|columns| columns.map(Body::Columns))
                }
                Reader::Whole(stream, body) => stream
                    .take()
                    .map(|mut stream| {
                        let mut bytes = Vec::new();
                        stream.read_to_end(&mut bytes)?;
                        if self.sources[source].is_guessed() {
                            check_text(&bytes)?;
                        }
                        Ok(body(bytes))
                    })
                    .transpose(),
                Reader::Warc(records) => records.next(BLOCK).map(|records| records.map(Body::Warc)),
            };
            let of = &self.sources[source];
            // A file that changes while it is read may also look damaged.
            let failed = |error| of.check_unchanged().err().unwrap_or_else(|| Error::read(of.path(), error));
            match body.map_err(failed)? {
                Some(body) => {
                    let number = self.blocks;
                    self.blocks += 1;
                    return Ok(Some(Block { source, number, body }));
                }
                None => {
                    of.check_unchanged()?;
                    self.open = None;
                }
            }
        }
    }

    fn open(&self, number: usize) -> Result<Option<Reader>, Error> {
        let source = &self.sources[number];
        let failed = |error| Error::read(source.path(), error);
        if source.format() == Format::Parquet {
            let available = parquet::names(source)?;
            let columns = self.columns(number, &available)?;
            return Ok(Some(Reader::Columns(ColumnBlocks::open(source, &available, &columns)?)));
        }
        let taken = self.taken.clone();
        let stream = match self.behind {
            Some(byte) => lines_behind(source.open()?, byte, taken),
            None if source.is_live() => decode_live(io::stdin(), taken),
            None => decode(source.open()?, taken),
        };
        let mut stream = stream.map_err(failed)?;
        if self.behind.is_some()
            && matches!(source.format(), Format::Csv | Format::Tsv)
            && let Some(header) = header(source)?
        {
            stream = Box::new(io::Cursor::new(header.raw).chain(stream));
        }
        Ok(Some(match source.format() {
            Format::Jsonl => Reader::Lines(LineBlocks::new(stream, true, source.is_live())),
            Format::Lines => Reader::PlainLines(LineBlocks::new(stream, false, source.is_live())),
            // A Parquet file has its own reader, above.
            Format::Text | Format::Parquet => Reader::Whole(Some(stream), Body::Whole),
            Format::Html => Reader::Whole(Some(stream), Body::Page),
            Format::Warc => Reader::Warc(RecordBlocks::new(stream, self.most)),
            format @ (Format::Csv | Format::Tsv) => {
                let mut csv = CsvBlocks::new(stream, format);
                let Some(header) = csv.header().map_err(failed)? else { return Ok(None) };
                let columns = self.columns(number, &header.names)?;
                Reader::Csv(Box::new(csv), columns)
            }
        }))
    }

    /// The index of each requested field among a file's columns.
    fn columns(&self, source: usize, available: &[String]) -> Result<Vec<Option<usize>>, Error> {
        let column = |name: &String| {
            let found = available.iter().position(|known| known == name);
            if found.is_none() && self.fields.is_required(name, source < self.inputs) {
                return Err(Error::NoColumn {
                    path: self.sources[source].path().to_path_buf(),
                    column: name.clone(),
                    available: available.to_vec(),
                    advice: self.fields.advice(name),
                });
            }
            Ok(found)
        };
        self.names.iter().map(column).collect()
    }

    /// Bytes read so far, before decompression.
    pub fn taken(&self) -> u64 {
        self.taken.load(Relaxed)
    }
}
