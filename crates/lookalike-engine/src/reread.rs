//! The inputs read again, for the sets that were not kept the first time.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use lookalike::sets::{hash_set, hash_token};
use lookalike::{SetArena, SetBatch, SetBlock, SetMaker, SetStore};
use lookalike_io::{Block, Error as IoError, RowReader, Source};

use crate::collect::{Collector, Tally};
use crate::error::Error;
use crate::page_text::PageTexts;
use crate::sample::{Lookup, SampleIndex};
use crate::sign::words;
use crate::watch::Watch;

/// What is looked for.
pub(crate) struct Reread<'a> {
    pub(crate) sources: &'a [Source],
    /// How many of them are the inputs.
    pub(crate) inputs: usize,
    /// Where blocks began the first time: their numbers, ascending, and their first documents.
    pub(crate) starts: &'a [(usize, u32)],
    /// What the sets were the first time.
    pub(crate) fingerprints: &'a [u128],
    /// By document, whether its set is to be kept.
    pub(crate) wanted: &'a [bool],
    /// By document, whether it is to be compared with the sample.
    pub(crate) compared: &'a [bool],
    pub(crate) sample: Option<&'a SampleIndex>,
    /// Told of every set of the sample, and a document that reaches the threshold with it, and for how many such it stands.
    pub(crate) tell: &'a (dyn Fn(u32, u32, u64) + Sync),
    /// Whether the words of what is kept are kept too.
    pub(crate) keeps_terms: bool,
}

/// What was found. Sets that were not wanted are empty.
pub(crate) struct Kept {
    pub(crate) sets: SetStore,
    /// The words in order, if they are kept.
    pub(crate) terms: Option<SetStore>,
}

/// What came of a block.
struct AgainBlock {
    number: usize,
    sets: SetBlock,
    terms: SetBlock,
}

impl Collector {
    /// The wanted sets, and all that reaches the threshold with the sample.
    pub(crate) fn collect_again(&self, reread: &Reread, watch: &dyn Watch) -> Result<Kept, Error> {
        let done = Mutex::new(Vec::new());
        let workers = self.work_through(
            reread.sources,
            reread.inputs,
            watch,
            |number| Again::new(self, reread, number),
            Again::read,
            |read, _: &AtomicBool| {
                done.lock().unwrap_or_else(PoisonError::into_inner).push(read);
                Ok(())
            },
        )?;
        let mut blocks: Vec<AgainBlock> = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        blocks.sort_unstable_by_key(|block| block.number);
        let (sets, terms): (Vec<SetArena>, Vec<SetArena>) = workers.into_iter().map(|worker| worker.arenas).unzip();
        let mut kept = Kept { sets: SetStore::default(), terms: None };
        let (mut of_sets, mut of_terms) = (Vec::new(), Vec::new());
        for block in blocks {
            of_sets.push(block.sets);
            of_terms.push(block.terms);
        }
        kept.sets = SetStore::new(sets, of_sets)?;
        kept.terms = reread.keeps_terms.then(|| SetStore::new(terms, of_terms)).transpose()?;
        if kept.sets.len() == reread.wanted.len() {
            return Ok(kept);
        }
        Err(Error::Usage(
            "the inputs changed while they were being read; run again when nothing writes to them".to_string(),
        ))
    }
}

/// What a thread keeps between blocks.
struct Again<'a> {
    reread: &'a Reread<'a>,
    has_within: bool,
    reader: RowReader,
    pages: PageTexts,
    maker: SetMaker,
    words: SetMaker,
    sets: SetBatch,
    terms: SetBatch,
    lookup: Lookup,
    /// For sets, and for words.
    arenas: (SetArena, SetArena),
}

impl<'a> Again<'a> {
    fn new(collector: &Collector, reread: &'a Reread<'a>, number: usize) -> Again<'a> {
        Again {
            reread,
            has_within: !collector.fields.within.is_empty(),
            reader: RowReader::new(&collector.fields, collector.max_document),
            pages: PageTexts::new(collector.page),
            maker: SetMaker::new(collector.recipe),
            words: words(collector.recipe),
            sets: SetBatch::default(),
            terms: SetBatch::default(),
            lookup: Lookup::default(),
            arenas: (SetArena::new(number), SetArena::new(number)),
        }
    }

    fn read(&mut self, block: &Block) -> Result<AgainBlock, Error> {
        let Again { reread, has_within, reader, pages, maker, words, sets, terms, lookup, arenas } = self;
        let path = reread.sources[block.source].path();
        let start = reread.starts.binary_search_by_key(&block.number, |(number, _)| *number);
        let mut document = reread.starts[start.map_err(|_| changed(path))?].1 as usize;
        sets.clear();
        terms.clear();
        reader.for_each(block, |row, _| -> Result<(), Error> {
            // Bad rows were told of the first time.
            let Some(text) = Tally::default().examine(&row, pages, path, false)? else {
                return Ok(());
            };
            let fingerprint = *reread.fingerprints.get(document).ok_or_else(|| changed(path))?;
            let (is_wanted, is_compared) = (reread.wanted[document], reread.compared[document]);
            let within = if *has_within { hash_token(row.within.as_bytes()) } else { 0 };
            let (mut kept, mut kept_words) = (&[][..], &[][..]);
            if let Some(text) = text.filter(|_| is_wanted || is_compared) {
                let set = maker.set_within(text, within);
                if hash_set(set) != fingerprint {
                    return Err(changed(path));
                }
                if let Some(sample) = reread.sample.filter(|_| is_compared) {
                    sample.probe(set, fingerprint as u32, lookup, |number, stands_for| {
                        (reread.tell)(number, document as u32, stands_for);
                    });
                }
                if is_wanted {
                    kept = set;
                    kept_words = if reread.keeps_terms { words.sequence(text) } else { &[] };
                }
            }
            sets.push(kept)?;
            terms.push(kept_words)?;
            document += 1;
            Ok(())
        })?;
        Ok(AgainBlock { number: block.number, sets: arenas.0.put(sets)?, terms: arenas.1.put(terms)? })
    }
}

fn changed(path: &Path) -> Error {
    IoError::Changed(path.to_path_buf()).into()
}
