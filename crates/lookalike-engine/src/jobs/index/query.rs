//! The job of `index query`: finds the documents of an index that resemble the inputs, in bounded memory.

use std::path::PathBuf;
use std::time::Instant;

use lookalike::engine::{FindScratch, Place, Progress, hash_token};
use lookalike::{Rational, Threshold};
use lookalike_io::extract::Extractor;
use lookalike_io::index::IndexFolder;
use lookalike_io::write::{Cell, Kind, Table, commit};
use lookalike_io::{Block, RowReader, Source};

use crate::error::Error;
use crate::external::index_room;
use crate::read::{Collector, InOrder, Tally, place_of};
use crate::report::{EffortReport, QueryReport, ReadReport};
use crate::write::check_paths;

/// A job that asks an index.
pub struct QueryIndex {
    /// The folder of the index.
    pub folder: PathBuf,
    /// The documents to ask with.
    pub inputs: Vec<Source>,
    /// How to read them. Tokens, pages and fields to compare within are those of the index.
    pub collector: Collector,
    /// The minimum similarity, if not that of the index. It must be at least as high.
    pub threshold: Option<String>,
    /// The output file. `-` is standard output.
    pub output: PathBuf,
    /// Whether to replace an existing file.
    pub force: bool,
}

/// Bytes for the matches of blocks that wait, for each thread.
const MATCHES: u64 = 1 << 20;
/// The most blocks per thread that wait for an earlier block.
const WAITING: usize = 8;

impl QueryIndex {
    /// Runs the job.
    pub fn run(mut self, progress: &dyn Progress) -> Result<QueryReport, Error> {
        let start = Instant::now();
        Table::check(&self.output)?;
        check_paths([&self.output].into_iter(), self.force, &self.inputs)?;
        let mut index = IndexFolder::open(&self.folder)?;
        let Collector { memory, threads, .. } = self.collector;
        let needs = (index.bytes(), MATCHES * threads as u64);
        index.limit(index_room(memory, threads, needs, "to query an index")?);
        let settings = index.settings();
        self.collector.recipe = settings.recipe().map_err(Error::Usage)?;
        self.collector.page = settings.page().map_err(Error::Usage)?;
        self.collector.fields.within = settings.within.clone();
        self.check_table(settings.without.as_deref())?;
        let threshold = self.threshold(&index)?;

        let columns = [("id", Kind::Text), ("match", Kind::Text), ("similarity", Kind::Float)];
        let table = Table::create(&self.output, &columns)?;
        let found = InOrder::new((table, Counts::default()), WAITING * self.collector.threads);
        self.collector.work_through(
            &self.inputs,
            self.inputs.len(),
            progress,
            |_| Worker::new(&self, &index, threshold),
            Worker::find,
            |block: FoundBlock, stop| {
                found.put(block.number, block, stop, |(table, counts), block| {
                    let rows = &block.rows;
                    counts.add(block.counts);
                    rows.iter().try_for_each(|(id, other, similarity)| {
                        let (id, other) = (Cell::from(id.as_str()), Cell::from(other.as_str()));
                        Ok(table.put(&[id, other, Cell::Float(*similarity)])?)
                    })
                })
            },
        )?;
        let (table, counts) = found.into_sink();
        self.collector.fields.check_seen(&counts.tally.seen, "the inputs", true)?;
        self.collector.fields.check_text_seen(&counts.tally.seen, "the inputs")?;
        commit(vec![table.finish()?])?;
        Ok(QueryReport {
            indexed: index.parts().len(),
            documents: counts.documents,
            matched: counts.matched,
            matches: counts.matches,
            read: ReadReport::new(&counts.tally, &self.inputs),
            measure: threshold.measure().to_string(),
            threshold: threshold.value().to_f64(),
            tokens: self.collector.recipe.tokens.to_string(),
            effort: EffortReport::since(start, self.collector.threads),
        })
    }

    /// Fails unless the passages that are left out are those of the index.
    fn check_table(&self, made: Option<&str>) -> Result<(), Error> {
        let asked = self.collector.without.as_ref().map(|table| table.hash());
        if made == asked {
            return Ok(());
        }
        let folder = self.folder.display();
        Err(Error::Usage(match (made, asked) {
            (Some(_), None) => format!("the index in {folder} was made with --without; give the same table here"),
            (None, Some(_)) => format!("the index in {folder} was made without a table; leave --without out"),
            _ => format!("the index in {folder} was made with another table; give that one to --without"),
        }))
    }

    /// The threshold to find matches by.
    fn threshold(&self, index: &IndexFolder) -> Result<Threshold, Error> {
        let lowest = index.parts().threshold();
        let Some(text) = &self.threshold else { return Ok(*lowest) };
        let threshold = Threshold::new(lowest.measure(), text).map_err(Error::usage)?;
        let (asked, least): (Rational, Rational) = (threshold.value(), lowest.value());
        if asked < least {
            return Err(Error::Usage(format!(
                "the index in {} finds {} {least} or more, and not {asked}",
                self.folder.display(),
                lowest.measure()
            )));
        }
        Ok(threshold)
    }
}

/// What was read and found.
#[derive(Default)]
struct Counts {
    tally: Tally,
    documents: u64,
    matched: u64,
    matches: u64,
}

impl Counts {
    fn add(&mut self, block: Counts) {
        self.tally.add(block.tally);
        self.documents += block.documents;
        self.matched += block.matched;
        self.matches += block.matches;
    }
}

/// The matches of a block.
#[derive(Default)]
struct FoundBlock {
    number: usize,
    /// The id of a document, the id of one that it resembles, and their similarity.
    rows: Vec<(String, String, f64)>,
    counts: Counts,
}

/// The state of a thread that asks.
struct Worker<'a> {
    job: &'a QueryIndex,
    index: &'a IndexFolder,
    threshold: Threshold,
    reader: RowReader,
    extractor: Extractor,
    scratch: FindScratch,
}

impl<'a> Worker<'a> {
    fn new(job: &'a QueryIndex, index: &'a IndexFolder, threshold: Threshold) -> Worker<'a> {
        Worker {
            job,
            index,
            threshold,
            reader: RowReader::new(&job.collector.fields, job.collector.max_document),
            extractor: Extractor::new(job.collector.extraction()),
            scratch: FindScratch::default(),
        }
    }

    fn find(&mut self, block: &Block) -> Result<FoundBlock, Error> {
        let Worker { job, index, threshold, reader, extractor, scratch } = self;
        let source = &job.inputs[block.source];
        let place = source.path().display().to_string();
        let has_within = !job.collector.fields.within.is_empty();
        let mut found = FoundBlock { number: block.number, ..FoundBlock::default() };
        reader.for_each(block, |row, _| -> Result<(), Error> {
            let counts = &mut found.counts;
            let Some(document) = counts.tally.extract(&row, extractor, source.path(), job.collector.strict)? else {
                return Ok(());
            };
            counts.documents += 1;
            let Some(mut document) = document else { return Ok(()) };
            let within = if has_within { hash_token(row.within.as_bytes()) } else { 0 };
            let set = document.set_within(within);
            counts.tally.empty += u64::from(set.is_empty());
            let (size, mut matches) = (set.len() as u32, Vec::new());
            let parts = index.parts();
            let done = parts.find(set, threshold, u64::MAX, scratch, |part, one| matches.push((part, one)));
            done.map_err(|error| index.error(error))?;
            counts.matched += u64::from(!matches.is_empty());
            counts.matches += matches.len() as u64;
            matches.sort_by(|(_, one), (_, two)| one.rank(two, threshold, size));
            let id = match row.id.filter(|id| !id.is_empty()) {
                Some(id) => id.to_string(),
                None => place_of(&place, source.format(), row.number).into_owned(),
            };
            for (part, one) in matches {
                let other = parts.id(Place { part, document: one.document }).map_err(|error| index.error(error))?;
                let similarity = threshold.similarity(one.common, size, one.size);
                found.rows.push((id.clone(), other.to_string(), similarity));
            }
            Ok(())
        })?;
        found.counts.tally.seen = reader.take_seen();
        Ok(found)
    }
}
