//! Reads the inputs again, for the sets that were not kept the first time.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use lookalike::engine::{Progress, SetArena, SetBatch, SetBlock, SetMaker, SetStore, hash_set, hash_token};
use lookalike_io::extract::{Extractor, words};
use lookalike_io::{Block, Error as IoError, RowReader, Source};

use crate::error::Error;
use crate::on_disk::{SetFile, SetFileWriter, put_set};
use crate::read::collector::Collector;
use crate::read::in_order::InOrder;
use crate::read::sample::{Lookup, SampleIndex};

/// What the second pass searches for.
pub(crate) struct SecondPass<'a> {
    pub(crate) sources: &'a [Source],
    /// How many of them are the inputs.
    pub(crate) inputs: usize,
    /// The blocks of the first pass: their numbers, ascending, and their first documents.
    pub(crate) starts: &'a [(usize, u32)],
    /// The hashes of the sets in the first pass.
    pub(crate) set_hashes: &'a [u128],
    /// By document, whether to keep its set.
    pub(crate) wanted: &'a [bool],
    /// By document, whether to compare it with the sample.
    pub(crate) compared: &'a [bool],
    pub(crate) sample: Option<&'a SampleIndex>,
    /// Called with a set of the sample, a document that reaches the threshold with it, and how many such pairs this one represents.
    pub(crate) report: &'a (dyn Fn(u32, u32, u64) + Sync),
    /// Whether to keep the words of the documents whose sets are kept.
    pub(crate) keeps_terms: bool,
}

/// The sets that were read. Sets that were not requested are empty.
pub(crate) struct Kept {
    pub(crate) sets: SetStore,
    /// The files that the sets and the words are in instead, if there are any. They have only those that were requested.
    pub(crate) files: Option<[SetFile; 2]>,
    /// The words in text order, if they are kept.
    pub(crate) terms: Option<SetStore>,
}

/// The sets of a block.
struct SecondBlock {
    number: usize,
    documents: usize,
    sets: SetBlock,
    terms: SetBlock,
    /// What goes to the files of sets and of words, if there are any.
    records: [Records; 2],
}

/// Records of a file: how many there are, and their elements.
#[derive(Default)]
struct Records {
    bytes: Vec<u8>,
    count: u64,
    elements: u64,
}

impl Records {
    fn put(&mut self, document: usize, set: &[u64]) {
        put_set(document as u32, set, &mut self.bytes);
        self.count += 1;
        self.elements += set.len() as u64;
    }
}

impl Collector {
    /// Reads the requested sets, and reports every document that reaches the threshold with the sample. If there are files, the sets
    /// and the words go there.
    pub(crate) fn collect_again(
        &self,
        pass: &SecondPass,
        files: Option<[SetFileWriter; 2]>,
        progress: &dyn Progress,
    ) -> Result<Kept, Error> {
        let (done, documents) = (Mutex::new(Vec::new()), AtomicUsize::new(0));
        let in_file = files.is_some();
        let writer = InOrder::new(files, self.threads + 1);
        let workers = self.work_through(
            pass.sources,
            pass.inputs,
            progress,
            |number| SecondWorker::new(self, pass, in_file, number),
            SecondWorker::read,
            |read: SecondBlock, stop: &AtomicBool| {
                documents.fetch_add(read.documents, Relaxed);
                if in_file {
                    return writer.put(read.number, read, stop, |files, read| {
                        let both = files.iter_mut().flatten().zip(&read.records);
                        both.into_iter()
                            .try_for_each(|(file, own)| file.put_records(&own.bytes, own.count, own.elements))
                    });
                }
                done.lock().unwrap_or_else(PoisonError::into_inner).push(read);
                Ok(())
            },
        )?;
        let mut blocks: Vec<SecondBlock> = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        blocks.sort_unstable_by_key(|block| block.number);
        let (sets, terms): (Vec<SetArena>, Vec<SetArena>) = workers.into_iter().map(|worker| worker.arenas).unzip();
        let files =
            writer.into_sink().map(|[sets, terms]| Ok::<_, Error>([sets.finish()?, terms.finish()?])).transpose()?;
        let mut kept = Kept { sets: SetStore::default(), files, terms: None };
        let (mut of_sets, mut of_terms) = (Vec::new(), Vec::new());
        for block in blocks {
            of_sets.push(block.sets);
            of_terms.push(block.terms);
        }
        kept.sets = SetStore::new(sets, of_sets)?;
        kept.terms = pass.keeps_terms.then(|| SetStore::new(terms, of_terms)).transpose()?;
        if documents.into_inner() == pass.wanted.len() {
            return Ok(kept);
        }
        Err(Error::Usage(
            "the inputs changed while they were being read; run again when nothing writes to them".to_string(),
        ))
    }
}

/// The state of a thread that reads blocks.
struct SecondWorker<'a> {
    pass: &'a SecondPass<'a>,
    in_file: bool,
    has_within: bool,
    reader: RowReader,
    extractor: Extractor,
    words: SetMaker,
    sets: SetBatch,
    terms: SetBatch,
    lookup: Lookup,
    /// For sets, and for words.
    arenas: (SetArena, SetArena),
}

impl<'a> SecondWorker<'a> {
    fn new(collector: &Collector, pass: &'a SecondPass<'a>, in_file: bool, number: usize) -> SecondWorker<'a> {
        SecondWorker {
            pass,
            in_file,
            has_within: !collector.fields.within.is_empty(),
            reader: RowReader::new(&collector.fields, collector.max_document),
            extractor: Extractor::new(collector.extraction()),
            words: words(collector.recipe),
            sets: SetBatch::default(),
            terms: SetBatch::default(),
            lookup: Lookup::default(),
            arenas: (SetArena::new(number), SetArena::new(number)),
        }
    }

    fn read(&mut self, block: &Block) -> Result<SecondBlock, Error> {
        let SecondWorker { pass, in_file, has_within, reader, extractor, words, sets, terms, lookup, arenas } = self;
        let path = pass.sources[block.source].path();
        let start = pass.starts.binary_search_by_key(&block.number, |(number, _)| *number);
        let mut document = pass.starts[start.map_err(|_| changed(path))?].1 as usize;
        sets.clear();
        terms.clear();
        let (first, mut records) = (document, <[Records; 2]>::default());
        reader.for_each(block, |row, _| -> Result<(), Error> {
            // The first pass has reported bad rows.
            let Some(row_document) = extractor.extract(&row).document() else {
                return Ok(());
            };
            let set_hash = *pass.set_hashes.get(document).ok_or_else(|| changed(path))?;
            let (is_wanted, is_compared) = (pass.wanted[document], pass.compared[document]);
            let within = if *has_within { hash_token(row.within.as_bytes()) } else { 0 };
            let (mut kept, mut kept_words) = (&[][..], &[][..]);
            let mut wanted = row_document.filter(|_| is_wanted || is_compared);
            if let Some(wanted) = &mut wanted {
                let text = wanted.text;
                let set = wanted.set_within(within);
                if hash_set(set) != set_hash {
                    return Err(changed(path));
                }
                if let Some(sample) = pass.sample.filter(|_| is_compared) {
                    sample.probe(set, set_hash as u32, lookup, |number, stands_for| {
                        (pass.report)(number, document as u32, stands_for);
                    });
                }
                if is_wanted {
                    kept = set;
                    kept_words = if pass.keeps_terms { words.sequence(text) } else { &[] };
                }
            }
            if *in_file && is_wanted {
                records[0].put(document, kept);
                if pass.keeps_terms {
                    records[1].put(document, kept_words);
                }
            } else if !*in_file {
                sets.push(kept)?;
                terms.push(kept_words)?;
            }
            document += 1;
            Ok(())
        })?;
        let (sets, terms) = (arenas.0.put(sets)?, arenas.1.put(terms)?);
        Ok(SecondBlock { number: block.number, documents: document - first, sets, terms, records })
    }
}

fn changed(path: &Path) -> Error {
    IoError::Changed(path.to_path_buf()).into()
}
