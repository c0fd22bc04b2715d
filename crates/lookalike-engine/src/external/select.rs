//! Reads the inputs again, and stores the sets that may have a partner in a temporary file.

use std::cell::Cell;
use std::path::Path;

use lookalike::engine::{DigestSieve, Progress, Sieve, hash_set, hash_token};
use lookalike_io::extract::Extractor;
use lookalike_io::{Block, Error as IoError, RowReader, Source};

use super::whole::Whole;
use crate::error::Error;
use crate::on_disk::{SetFile, SetFileWriter, put_set};
use crate::read::{Collection, Collector, InOrder, Traces};

/// What to read again.
pub(super) struct Select<'a> {
    pub(super) collector: &'a Collector,
    pub(super) sources: &'a [Source],
    /// How many of them are the inputs.
    pub(super) inputs: usize,
    /// The results of the first pass.
    pub(super) collection: &'a Collection,
    pub(super) whole: &'a Whole,
    pub(super) partners: Partners<'a>,
}

/// What tells which sets have no partner.
#[derive(Clone, Copy)]
pub(super) enum Partners<'a> {
    /// Nothing: every set may have one.
    Unknown,
    /// How often the elements of a set occur.
    Sieve(&'a Sieve),
    /// How often those of its trace occur. So the sets of most rows need not be made again.
    Traces(&'a DigestSieve),
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
    /// Stores the sets in a file.
    pub(super) fn run(&self, writer: SetFileWriter, progress: &dyn Progress) -> Result<SetFile, Error> {
        let writer = InOrder::new((writer, 0), WAITING);
        self.collector.work_through(
            self.sources,
            self.inputs,
            progress,
            |_| Worker::new(self.collector),
            |worker, block| {
                let mut selected = Selected { number: block.number, records: Vec::new(), sets: 0, elements: 0, end: 0 };
                selected.end = self.read(worker, block, |document, set| {
                    put_set(document, set, &mut selected.records);
                    selected.sets += 1;
                    selected.elements += set.len() as u64;
                    Ok(())
                })?;
                Ok(selected)
            },
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

    /// Calls `each` with every set of a block that may have a partner, and its document. Returns one past the last document of the block.
    fn read(
        &self,
        worker: &mut Worker,
        block: &Block,
        mut each: impl FnMut(u32, &[u64]) -> Result<(), Error>,
    ) -> Result<usize, Error> {
        let Worker { reader, extractor, has_within } = worker;
        let Collection { starts, hashes, set_hashes, traces, documents, .. } = self.collection;
        let path = self.sources[block.source].path();
        let start = starts.binary_search_by_key(&block.number, |(number, _)| *number);
        let start = start.map_err(|_| changed(path))?;
        if hashes[start] != block.hash() {
            return Err(changed(path));
        }
        let first = starts[start].1 as usize;
        let next = Cell::new(first);
        let is_wanted = |row: u64| {
            let document = next.get();
            // The first pass has reported rows that are no documents.
            if document == documents.len() || documents.row(document as u32) != row {
                return false;
            }
            next.set(document + 1);
            self.whole.is_compared(document as u32)
                && self.may_have_one(document as u32, traces.get(start), document - first)
        };
        reader.for_each_of(block, is_wanted, |row, _| {
            let document = next.get() - 1;
            let Some(Some(mut row_document)) = extractor.extract(&row).document() else {
                return Err(changed(path));
            };
            let within = if *has_within { hash_token(row.within.as_bytes()) } else { 0 };
            let set = row_document.set_within(within);
            if hash_set(set) != set_hashes[document] {
                return Err(changed(path));
            }
            if let Partners::Sieve(sieve) = self.partners
                && sieve.singles(set) >= self.whole.singles_that_suffice(set.len() as u32)
            {
                return Ok(());
            }
            each(document as u32, set)
        })?;
        Ok(next.get())
    }

    /// Whether a document may have a partner, as far as its trace tells.
    fn may_have_one(&self, document: u32, traces: Option<&Traces>, index: usize) -> bool {
        let enough = self.whole.singles_that_suffice(self.whole.sizes[document as usize]);
        let are_few = match (self.partners, traces) {
            (Partners::Traces(sieve), Some(traces)) => sieve.singles(traces.of(index)) < enough,
            _ => true,
        };
        enough > 0 && are_few
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
