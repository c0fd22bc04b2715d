//! Reads the inputs again, and stores the sets that may have a partner in a temporary file.

use std::path::Path;

use lookalike::engine::{Progress, Sieve, hash_set, hash_token};
use lookalike_io::extract::Extractor;
use lookalike_io::{Block, Error as IoError, RowReader, Source};

use super::set_file::{SetFile, SetFileWriter, put_set};
use super::whole::Whole;
use crate::error::Error;
use crate::read::{Collector, InOrder};

/// What to read again.
pub(super) struct Select<'a> {
    pub(super) collector: &'a Collector,
    pub(super) sources: &'a [Source],
    /// How many of them are the inputs.
    pub(super) inputs: usize,
    /// The blocks of the first pass: their numbers, ascending, and their first documents.
    pub(super) starts: &'a [(usize, u32)],
    /// The hashes of these blocks.
    pub(super) hashes: &'a [u64],
    /// The fingerprints of the sets in the first pass.
    pub(super) fingerprints: &'a [u128],
    pub(super) whole: &'a Whole,
    /// Without a sieve, every set may have a partner.
    pub(super) sieve: Option<&'a Sieve>,
}

/// The sets of a block that may have a partner.
struct Selected {
    number: usize,
    records: Vec<u8>,
    sets: u64,
    elements: u64,
    /// One past the last document of the block.
    end: usize,
}

/// Blocks that may wait for an earlier one.
const WAITING: usize = 64;

impl Select<'_> {
    pub(super) fn run(&self, writer: SetFileWriter, progress: &dyn Progress) -> Result<SetFile, Error> {
        let writer = InOrder::new((writer, 0), WAITING);
        self.collector.work_through(
            self.sources,
            self.inputs,
            progress,
            |_| Worker::new(self.collector),
            |worker, block| self.read(worker, block),
            |selected: Selected, stop| {
                writer.put(selected.number, selected, stop, |(writer, end), selected| {
                    *end = selected.end;
                    writer.put_records(&selected.records, selected.sets, selected.elements)
                })
            },
        )?;
        let (writer, end) = writer.into_sink();
        if end != self.whole.documents() {
            let first = self.sources.first().map_or(Path::new("-"), Source::path);
            return Err(changed(first));
        }
        writer.finish()
    }

    fn read(&self, worker: &mut Worker, block: &Block) -> Result<Selected, Error> {
        let Worker { reader, extractor, has_within } = worker;
        let path = self.sources[block.source].path();
        let start = self.starts.binary_search_by_key(&block.number, |(number, _)| *number);
        let start = start.map_err(|_| changed(path))?;
        if self.hashes[start] != block.hash() {
            return Err(changed(path));
        }
        let mut document = self.starts[start].1 as usize;
        let mut selected = Selected { number: block.number, records: Vec::new(), sets: 0, elements: 0, end: 0 };
        reader.for_each(block, |row, _| -> Result<(), Error> {
            // The first pass has reported bad rows.
            let Some(row_document) = extractor.extract(&row).document() else {
                return Ok(());
            };
            let fingerprint = *self.fingerprints.get(document).ok_or_else(|| changed(path))?;
            let number = document as u32;
            document += 1;
            if !self.whole.is_compared(number) {
                return Ok(());
            }
            let Some(mut row_document) = row_document else { return Err(changed(path)) };
            let within = if *has_within { hash_token(row.within.as_bytes()) } else { 0 };
            let set = row_document.set_within(within);
            if hash_set(set) != fingerprint {
                return Err(changed(path));
            }
            if self.may_have_a_partner(set) {
                put_set(number, set, &mut selected.records);
                selected.sets += 1;
                selected.elements += set.len() as u64;
            }
            Ok(())
        })?;
        selected.end = document;
        Ok(selected)
    }

    fn may_have_a_partner(&self, set: &[u64]) -> bool {
        let enough = self.whole.singles_that_suffice(set.len() as u32);
        enough > 0 && self.sieve.is_none_or(|sieve| sieve.singles(set) < enough)
    }
}

/// The state of a thread that reads blocks.
struct Worker {
    reader: RowReader,
    extractor: Extractor,
    has_within: bool,
}

impl Worker {
    fn new(collector: &Collector) -> Worker {
        Worker {
            reader: RowReader::new(&collector.fields, collector.max_document),
            extractor: Extractor::new(collector.extraction()),
            has_within: !collector.fields.within.is_empty(),
        }
    }
}

fn changed(path: &Path) -> Error {
    IoError::Changed(path.to_path_buf()).into()
}
