//! Reading: files to sets, on all cores.
//!
//! Every worker takes the next block under a lock (so that a file is read in order, and decompressed by whoever holds it), lets go, and
//! turns the block's rows into sets. Blocks are put back in order at the end: what came of them depends on nothing else.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use lookalike::text::html::PageRule;
use lookalike::{Recipe, SetArena, SetStore, Texts, Threshold};
use lookalike_io::{Blocks, Fields, Format, Source};

use crate::documents::Documents;
use crate::error::Error;
use crate::keep::{Keep, Key};
use crate::read_block::{ReadBlock, Worker};
use crate::watch::{Unit, Watch};

/// A row that is not as it should be.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The file.
    pub file: String,
    /// The row, counting from 1.
    pub row: u64,
    /// What is wrong.
    pub reason: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}, row {}: {}", self.file, self.row, self.reason)
    }
}

/// What was counted while reading.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Bytes of the documents' texts.
    pub text_bytes: u64,
    /// Documents without a single token.
    pub empty: u64,
    /// Documents without a usable text: kept, and compared with nothing.
    pub unusable: u64,
    /// Rows that are no documents.
    pub unreadable: u64,
    /// The first few of the unusable and unreadable.
    pub problems: Vec<Problem>,
}

/// How many problems are named.
pub(crate) const NAMED: usize = 5;

/// A collection as it was read.
pub(crate) struct Collection {
    pub(crate) store: SetStore,
    pub(crate) fingerprints: Vec<u128>,
    pub(crate) documents: Documents,
    pub(crate) keys: Vec<Key>,
    /// What documents must agree in to be compared, if anything, hashed.
    pub(crate) within: Vec<u64>,
    /// The texts themselves, if they are kept instead of their sets.
    pub(crate) texts: Texts,
    /// A hash of every text, if asked for; 0 where there is none.
    pub(crate) text_hashes: Vec<u64>,
    pub(crate) tally: Tally,
    pub(crate) unreadable: Vec<(usize, u64)>,
}

/// How to read.
#[derive(Clone, Debug)]
pub struct Collector {
    /// What fields mean.
    pub fields: Fields,
    /// How a page becomes a text.
    pub page: PageRule,
    /// How a text becomes a set.
    pub recipe: Recipe,
    /// Bytes of text above which a document is not compared.
    pub max_document: usize,
    /// Whether the first bad row ends it all.
    pub strict: bool,
    /// How many threads.
    pub threads: usize,
    /// Whether to remember a hash of every text.
    pub hash_texts: bool,
    /// Whether texts themselves are kept, in their normal form, instead of their sets.
    pub keep_texts: bool,
}

impl Collector {
    /// Refuses what deciding who stays cannot do: under a distance, small sets are near each other though they share nothing, and so a
    /// key in their elements does not part them.
    pub(crate) fn check_within(&self, threshold: &Threshold) -> Result<(), Error> {
        if self.fields.within.is_empty() || !threshold.is_distance() {
            return Ok(());
        }
        Err(Error::Usage(format!(
            "--within does not go with {} here; `lookalike pairs` can do it",
            threshold.measure()
        )))
    }

    /// Reads `sources`, the first `inputs` of which are the inputs.
    pub(crate) fn collect(
        &self,
        sources: &[Source],
        inputs: usize,
        keep: &Keep,
        watch: &dyn Watch,
    ) -> Result<Collection, Error> {
        if let Some(source) = sources.iter().find(|source| has_no_fields(source.format()))
            && let Some(field) = self.fields.within.first()
        {
            let path = source.path().display();
            let kind = if source.format() == Format::Html { "a page" } else { "plain text" };
            return Err(Error::Usage(format!("{path} is {kind} and has no field '{field}' (--within)")));
        }
        let total = sources.iter().map(Source::size).sum();
        watch.begin("reading", total, Unit::Bytes);
        let taken = Arc::new(AtomicU64::new(0));
        let blocks = Mutex::new(
            Blocks::new(sources, &self.fields, taken.clone()).with_inputs(inputs).for_texts(self.max_document),
        );
        let done: Mutex<Vec<Result<ReadBlock, (usize, Error)>>> = Mutex::new(Vec::new());
        let stop = AtomicBool::new(false);
        let arenas = Mutex::new(Vec::new());
        let work = |number| {
            let mut worker = Worker::new(self, keep, sources, number);
            while !stop.load(Relaxed) {
                let next = blocks.lock().unwrap_or_else(PoisonError::into_inner).next_block();
                watch.reach(taken.load(Relaxed));
                let result = match next {
                    Ok(Some(block)) => worker.read(&block).map_err(|error| (block.number, error)),
                    Ok(None) => break,
                    Err(error) => Err((usize::MAX, error.into())),
                };
                if result.is_err() {
                    stop.store(true, Relaxed);
                }
                done.lock().unwrap_or_else(PoisonError::into_inner).push(result);
            }
            arenas.lock().unwrap_or_else(PoisonError::into_inner).push(worker.arena);
        };
        std::thread::scope(|scope| {
            let work = &work;
            for number in 1..self.threads {
                scope.spawn(move || work(number));
            }
            work(0);
        });
        watch.end();

        let mut read = Vec::new();
        let mut failed: Option<(usize, Error)> = None;
        for result in done.into_inner().unwrap_or_else(PoisonError::into_inner) {
            match result {
                Ok(block) => read.push(block),
                // Blocks are taken in order and finished once taken, so the first failure is the same on any number of threads.
                Err(failure) if failed.as_ref().is_none_or(|first| failure.0 < first.0) => failed = Some(failure),
                Err(_) => {}
            }
        }
        if let Some((_, error)) = failed {
            return Err(error);
        }
        read.sort_unstable_by_key(|block| block.number);
        let arenas = arenas.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(assemble(read, arenas, sources, inputs))
    }
}

fn has_no_fields(format: Format) -> bool {
    format.is_whole() || format == Format::Lines
}

fn assemble(blocks: Vec<ReadBlock>, arenas: Vec<SetArena>, sources: &[Source], inputs: usize) -> Collection {
    let mut sets = Vec::with_capacity(blocks.len());
    let mut all = Collection {
        store: SetStore::default(),
        fingerprints: Vec::new(),
        documents: Documents::new(sources),
        keys: Vec::new(),
        within: Vec::new(),
        texts: Texts::new(),
        text_hashes: Vec::new(),
        tally: Tally::default(),
        unreadable: Vec::new(),
    };
    for block in blocks {
        all.documents.push(block.source, &block.rows, &block.ids, &block.id_ends);
        sets.push(block.sets);
        all.fingerprints.extend_from_slice(&block.fingerprints);
        all.keys.extend(block.keys);
        all.within.extend(block.within);
        all.texts.append(&block.texts);
        all.text_hashes.extend(block.text_hashes);
        all.unreadable.extend(block.unreadable.iter().map(|&row| (block.source, row)));
        all.tally.text_bytes += block.tally.text_bytes;
        // What is empty in a reference collection is nobody's concern.
        all.tally.empty += if block.source < inputs { block.tally.empty } else { 0 };
        all.tally.unusable += block.tally.unusable;
        all.tally.unreadable += block.tally.unreadable;
        let room = NAMED - all.tally.problems.len();
        all.tally.problems.extend(block.tally.problems.into_iter().take(room));
    }
    all.store = SetStore::new(arenas, sets);
    all.documents.set_inputs(inputs);
    all
}
