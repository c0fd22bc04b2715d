//! The job of `boilerplate`: learns which passages the sites of a collection repeat, in bounded memory.
//!
//! 1. Every document is cut into passages. Each distinct passage becomes an entry of numbers: site, passage, text. Entries are sorted
//!    externally. So the texts with a passage are counted one after another, and documents with the same text count once.
//! 2. The inputs are read again, for how the passages of the table begin, and for the share of the text that they are.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;
use std::time::Instant;

use lookalike::Rational;
use lookalike::engine::{Progress, hash_set, hash_token};
use lookalike_io::extract::{Boilerplate, BoilerplateRow, BoilerplateSettings, Passages, site_of};
use lookalike_io::spill::{Sorted, Sorter};
use lookalike_io::write::commit;
use lookalike_io::{Block, Content, Row, RowReader, Source};

use crate::error::Error;
use crate::read::{Collector, InOrder, Tally};
use crate::report::{BoilerplateReport, EffortReport, ReadReport};
use crate::write::check_paths;

/// A job that learns the repeated passages of sites.
pub struct LearnBoilerplate {
    /// The inputs.
    pub inputs: Vec<Source>,
    /// How to read them, and how to find the site of a document.
    pub collector: Collector,
    /// On how many pages of its site a passage must be.
    pub min_pages: u64,
    /// On which share of its site's pages it must be.
    pub min_share: Rational,
    /// The table to write.
    pub output: PathBuf,
    /// Whether to replace an existing file.
    pub force: bool,
}

/// A site, a passage and a text with it, each as the two halves of a hash. The passage 0 stands for the whole text.
type Occurrence = [u32; 6];

/// By site and passage, on how many pages it is and of how many.
type Repeated = HashMap<(u64, u64), (u64, u64)>;

/// By site and passage, how its normal form begins.
type Beginnings = HashMap<(u64, u64), String>;

/// The names of sites, by their hashes.
type Sites = BTreeMap<u64, String>;

/// The most characters of a passage that a table shows.
const SHOWN: usize = 100;
/// The most blocks per thread that wait for an earlier block.
const WAITING: usize = 8;

impl LearnBoilerplate {
    /// Runs the job.
    pub fn run(self, progress: &dyn Progress) -> Result<BoilerplateReport, Error> {
        let start = Instant::now();
        check_paths([&self.output].into_iter(), self.force, &self.inputs)?;
        let (sorter, sites, read) = self.count(progress)?;
        let repeated = self.repeated(sorter.finish()?)?;
        let (beginnings, passage_bytes) = self.look_up(&repeated, progress)?;

        let row = |(&(site, passage), &(pages, of)): (&(u64, u64), &(u64, u64))| BoilerplateRow {
            site: sites[&site].clone(),
            passage: format!("{passage:016x}"),
            pages,
            of,
            text: beginnings.get(&(site, passage)).cloned().unwrap_or_default(),
        };
        let Collector { site, .. } = &self.collector;
        let settings = BoilerplateSettings {
            site: site.clone(),
            min_pages: self.min_pages,
            min_share: self.min_share.to_string(),
        };
        commit(vec![Boilerplate::write(&self.output, &settings, repeated.iter().map(row).collect())?])?;
        Ok(BoilerplateReport {
            documents: read.documents,
            sites: sites.len() as u64,
            sites_with_passages: repeated.keys().map(|(site, _)| site).collect::<HashSet<_>>().len() as u64,
            passages: repeated.len() as u64,
            passage_bytes,
            read: ReadReport::new(&read.tally, &self.inputs),
            effort: EffortReport::since(start, self.collector.threads),
        })
    }

    /// Reads all documents, for the passages of each and the names of the sites.
    fn count(&self, progress: &dyn Progress) -> Result<(Sorter<Occurrence>, Sites, ReadBlock), Error> {
        let sorter = Sorter::new(self.collector.sort_bytes(), self.collector.threads, &self.collector.space);
        let total = InOrder::new(ReadBlock::default(), WAITING * self.collector.threads);
        let workers = self.collector.work_through(
            &self.inputs,
            self.inputs.len(),
            progress,
            |_| Worker::new(self),
            |worker: &mut Worker, block| worker.count(block, &sorter),
            |read: ReadBlock, stop| {
                total.put(read.number, read, stop, |total, read| {
                    total.documents += read.documents;
                    total.tally.add(read.tally);
                    Ok(())
                })
            },
        )?;
        let total = total.into_sink();
        self.collector.fields.check_seen(&total.tally.seen, "the inputs", true)?;
        self.collector.fields.check_text_seen(&total.tally.seen, "the inputs")?;
        Ok((sorter, workers.into_iter().flat_map(|worker| worker.sites).collect(), total))
    }

    /// Which passages are on enough pages of their site.
    fn repeated(&self, mut sorted: Sorted<Occurrence>) -> Result<Repeated, Error> {
        let failed = |source| Error::from(self.collector.space.error(source));
        let mut repeated = Repeated::new();
        let mut of = 0;
        while let Some(first) = sorted.next_if(|_| true).map_err(failed)? {
            let (site, passage) = (hash_at(&first, 0), hash_at(&first, 2));
            let (mut pages, mut last) = (1, first);
            while let Some(next) = sorted.next_if(|next| next[..4] == first[..4]).map_err(failed)? {
                pages += u64::from(next != last);
                last = next;
            }
            // The whole texts of a site come before its passages.
            if passage == 0 {
                of = pages;
            } else if pages >= self.min_pages && self.min_share.is_reached_by(pages, of) {
                repeated.insert((site, passage), (pages, of));
            }
        }
        Ok(repeated)
    }

    /// Reads all documents again: how the passages begin, and how many bytes they are in all documents.
    fn look_up(&self, repeated: &Repeated, progress: &dyn Progress) -> Result<(Beginnings, u64), Error> {
        let workers = self.collector.work_through(
            &self.inputs,
            self.inputs.len(),
            progress,
            |_| Worker::new(self),
            |worker: &mut Worker, block| worker.look_up(block, repeated),
            |(), _| Ok(()),
        )?;
        let bytes = workers.iter().map(|worker| worker.bytes).sum();
        Ok((workers.into_iter().flat_map(|worker| worker.beginnings).collect(), bytes))
    }
}

/// The passages and counts of a block.
#[derive(Default)]
struct ReadBlock {
    number: usize,
    documents: u64,
    tally: Tally,
}

/// The state of a thread that reads blocks.
struct Worker<'a> {
    job: &'a LearnBoilerplate,
    reader: RowReader,
    passages: Passages,
    sites: Sites,
    beginnings: Beginnings,
    bytes: u64,
}

impl<'a> Worker<'a> {
    fn new(job: &'a LearnBoilerplate) -> Worker<'a> {
        Worker {
            job,
            reader: RowReader::new(&job.collector.fields, job.collector.max_document),
            passages: Passages::default(),
            sites: Sites::new(),
            beginnings: Beginnings::new(),
            bytes: 0,
        }
    }

    fn count(&mut self, block: &Block, sorter: &Sorter<Occurrence>) -> Result<ReadBlock, Error> {
        let Worker { job, reader, passages, sites, .. } = self;
        let path = job.inputs[block.source].path();
        let mut read = ReadBlock { number: block.number, ..ReadBlock::default() };
        let (mut hashes, mut entries) = (Vec::new(), Vec::new());
        reader.for_each(block, |row, _| -> Result<(), Error> {
            let strict = job.collector.strict;
            match row.content {
                Content::Unusable(reason) => {
                    read.documents += 1;
                    read.tally.unusable += 1;
                    return read.tally.name(path, row.number, reason, strict);
                }
                Content::Unreadable(reason) => {
                    read.tally.unreadable += 1;
                    return read.tally.name(path, row.number, reason, strict);
                }
                Content::Text(_) | Content::Page(_) => {}
            }
            read.documents += 1;
            hashes.clear();
            let bytes = passages.for_each(&row.content, |passage| hashes.push(passage.hash));
            read.tally.text_bytes += bytes.unwrap_or(0) as u64;
            if hashes.is_empty() {
                read.tally.empty += 1;
                return Ok(());
            }
            let site = site_hash(job, &row, |hash, name| {
                sites.entry(hash).or_insert_with(|| name.to_string());
            });
            let text = hash_set(&hashes) as u64;
            hashes.push(0);
            hashes.sort_unstable();
            hashes.dedup();
            entries.clear();
            entries.extend(hashes.iter().map(|&passage| occurrence(site, passage, text)));
            sorter.push(&entries);
            Ok(())
        })?;
        read.tally.seen = reader.take_seen();
        Ok(read)
    }

    fn look_up(&mut self, block: &Block, repeated: &Repeated) -> Result<(), Error> {
        let Worker { job, reader, passages, beginnings, bytes, .. } = self;
        reader.for_each(block, |row, _| -> Result<(), Error> {
            let site = site_hash(job, &row, |_, _| {});
            passages.for_each(&row.content, |passage| {
                let key = (site, passage.hash);
                if repeated.contains_key(&key) {
                    *bytes += passage.text.len() as u64;
                    beginnings.entry(key).or_insert_with(|| passage.normal.chars().take(SHOWN).collect());
                }
            });
            Ok(())
        })
    }
}

/// The hash of the site of a row. Documents without a site share the empty one.
fn site_hash(job: &LearnBoilerplate, row: &Row, name: impl FnOnce(u64, &str)) -> u64 {
    let site = site_of(&job.collector.site, row);
    let site = site.as_deref().unwrap_or_default();
    let hash = hash_token(site.as_bytes());
    name(hash, site);
    hash
}

fn occurrence(site: u64, passage: u64, text: u64) -> Occurrence {
    let halves = |number: u64| [(number >> 32) as u32, number as u32];
    let ([a, b], [c, d], [e, f]) = (halves(site), halves(passage), halves(text));
    [a, b, c, d, e, f]
}

fn hash_at(occurrence: &Occurrence, at: usize) -> u64 {
    u64::from(occurrence[at]) << 32 | u64::from(occurrence[at + 1])
}
