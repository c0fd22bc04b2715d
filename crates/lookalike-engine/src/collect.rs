//! Reading: files to sets, on all cores. Blocks are put back in order at the end: what came of them depends on nothing else.

use std::fmt;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use lookalike::text::SiteRule;
use lookalike::text::html::PageRule;
use lookalike::{Recipe, SetArena, SetStore, SetsError, Texts, Threshold};
use lookalike_io::{Content, Fields, Format, Row, Seen, Source};

use crate::documents::Documents;
use crate::error::Error;
use crate::keep::{Keep, Key};
use crate::page_text::PageTexts;
use crate::read_block::{ReadBlock, Worker};
use crate::sample::Sample;
use crate::sign::Signing;
use crate::watch::Watch;

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
    /// Which of the fields that the user named there were.
    pub(crate) seen: Seen,
}

/// How many problems are named.
const NAMED: usize = 5;

impl Tally {
    /// Counts a row. The text of a document, if it has a usable one; `None` if the row is no document.
    pub(crate) fn examine<'a>(
        &mut self,
        row: &Row<'a>,
        pages: &'a mut PageTexts,
        path: &Path,
        strict: bool,
    ) -> Result<Option<Option<&'a str>>, Error> {
        let (reason, document) = match row.content {
            Content::Text(text) => {
                self.text_bytes += text.len() as u64;
                return Ok(Some(Some(text)));
            }
            Content::Page(ref page) => {
                let text = pages.read(page);
                self.text_bytes += text.len() as u64;
                return Ok(Some(Some(text)));
            }
            Content::Unusable(reason) => {
                self.unusable += 1;
                (reason, Some(None))
            }
            Content::Unreadable(reason) => {
                self.unreadable += 1;
                (reason, None)
            }
        };
        self.name(path, row.number, reason, strict)?;
        Ok(document)
    }

    /// Names what is wrong with a row, if it is one of the first.
    pub(crate) fn name(&mut self, path: &Path, row: u64, reason: &str, strict: bool) -> Result<(), Error> {
        let problem = || Problem { file: path.display().to_string(), row, reason: reason.to_string() };
        if strict {
            return Err(Error::Strict(problem()));
        }
        if self.problems.len() < NAMED {
            self.problems.push(problem());
        }
        Ok(())
    }

    /// Adds what was counted in a block behind.
    pub(crate) fn add(&mut self, block: Tally) {
        self.text_bytes += block.text_bytes;
        self.empty += block.empty;
        self.unusable += block.unusable;
        self.unreadable += block.unreadable;
        self.seen.add(block.seen);
        let room = NAMED - self.problems.len();
        self.problems.extend(block.problems.into_iter().take(room));
    }
}

/// A collection as it was read.
pub(crate) struct Collection {
    pub(crate) store: SetStore,
    pub(crate) fingerprints: Vec<u128>,
    /// Signatures of all documents, sizes of their sets and a sample of these, if they are kept instead of the sets.
    pub(crate) signatures: Vec<u64>,
    pub(crate) sizes: Vec<u32>,
    /// Hashes of their sites, if those matter; 0 where there is none.
    pub(crate) sites: Vec<u64>,
    pub(crate) sample: Sample,
    /// Blocks by number, with their first documents.
    pub(crate) starts: Vec<(usize, u32)>,
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
    /// Whether signatures are kept instead of sets, and which.
    pub signing: Option<Signing>,
    /// Whether a sample of the sets is kept to measure these by.
    pub samples: bool,
    /// How a page's site is found, if that matters.
    pub site: SiteRule,
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
        if let Some(source) = sources.iter().find(|source| !source.format().has_fields())
            && let Some(field) = self.fields.within.first()
        {
            let path = source.path().display();
            let kind = if source.format() == Format::Html { "a page" } else { "plain text" };
            return Err(Error::Usage(format!("{path} is {kind} and has no field '{field}' (--within)")));
        }
        let done = Mutex::new(Vec::new());
        let workers = self.work_through(
            sources,
            inputs,
            watch,
            |number| Worker::new(self, keep, sources, number),
            Worker::read,
            |read, _: &AtomicBool| {
                done.lock().unwrap_or_else(PoisonError::into_inner).push(read);
                Ok(())
            },
        )?;
        let mut read: Vec<ReadBlock> = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        read.sort_unstable_by_key(|block| block.number);
        let (mut arenas, mut sample) = (Vec::new(), Sample::default());
        for worker in workers {
            arenas.push(worker.arena);
            sample.merge(worker.sample);
        }
        let (collection, others) = assemble(read, arenas, sources, inputs)?;
        self.fields.check_seen(&collection.tally.seen, "the inputs", true)?;
        self.fields.check_seen(&others, "the other collection", false)?;
        Ok(Collection { sample, ..collection })
    }
}

/// All blocks as one collection, in which only the fields of the inputs are seen; and those that the others have.
fn assemble(
    blocks: Vec<ReadBlock>,
    arenas: Vec<SetArena>,
    sources: &[Source],
    inputs: usize,
) -> Result<(Collection, Seen), Error> {
    let mut sets = Vec::with_capacity(blocks.len());
    let mut others = Seen::default();
    let mut all = Collection {
        store: SetStore::default(),
        fingerprints: Vec::new(),
        signatures: Vec::new(),
        sizes: Vec::new(),
        sites: Vec::new(),
        sample: Sample::default(),
        starts: Vec::new(),
        documents: Documents::new(sources),
        keys: Vec::new(),
        within: Vec::new(),
        texts: Texts::new(),
        text_hashes: Vec::new(),
        tally: Tally::default(),
        unreadable: Vec::new(),
    };
    let documents: usize = blocks.iter().map(|block| block.rows.len()).sum();
    if u32::try_from(documents).is_err() {
        return Err(SetsError::ManyDocuments.into());
    }
    all.fingerprints.reserve_exact(documents);
    all.documents.reserve(documents);
    for block in blocks {
        all.starts.push((block.number, all.documents.len() as u32));
        all.documents.push(block.source, &block.rows, &block.ids, &block.id_ends);
        sets.push(block.sets);
        all.fingerprints.extend_from_slice(&block.fingerprints);
        all.signatures.extend_from_slice(&block.signatures);
        all.sizes.extend_from_slice(&block.sizes);
        all.sites.extend_from_slice(&block.sites);
        all.keys.extend(block.keys);
        all.within.extend(block.within);
        all.texts.append(&block.texts);
        all.text_hashes.extend(block.text_hashes);
        all.unreadable.extend(block.unreadable.iter().map(|&row| (block.source, row)));
        let mut tally = block.tally;
        if block.source >= inputs {
            // What is empty in a reference collection is nobody's concern.
            tally.empty = 0;
            others.add(std::mem::take(&mut tally.seen));
        }
        all.tally.add(tally);
    }
    all.store = SetStore::new(arenas, sets)?;
    all.documents.set_inputs(inputs);
    Ok((all, others))
}
