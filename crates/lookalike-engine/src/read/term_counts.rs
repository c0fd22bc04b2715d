//! Reads the inputs once before all else, to count in how many documents each word occurs.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::AtomicBool;

use lookalike::engine::{Progress, SetMaker};
use lookalike::sketch::{IMatch, Lexicon};
use lookalike_io::extract::{Extractor, words};
use lookalike_io::{Block, RowReader, Source};

use super::collector::Collector;
use crate::error::Error;

impl Collector {
    /// Makes the lexicon of all documents of `sources`. The first `inputs` of them are the inputs.
    pub(super) fn count_terms(
        &self,
        sources: &[Source],
        inputs: usize,
        settings: IMatch,
        progress: &dyn Progress,
    ) -> Result<Lexicon, Error> {
        let read = |counter: &mut TermCounter, block: &Block| counter.read(block);
        let take = |(), _: &AtomicBool| Ok(());
        let counters = self.work_through(sources, inputs, progress, |_| TermCounter::new(self), read, take)?;
        let (mut documents, mut counts) = (0, Counts::default());
        for counter in counters {
            documents += counter.documents;
            if counts.is_empty() {
                counts = counter.counts;
                continue;
            }
            for (term, count) in counter.counts {
                *counts.entry(term).or_default() += count;
            }
        }
        Ok(Lexicon::new(settings, documents, counts))
    }
}

/// By word, the number of documents that have it.
type Counts = HashMap<u64, u32, BuildHasherDefault<AsItIs>>;

/// Words are hashes already.
#[derive(Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0 << 8 | u64::from(byte);
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

/// The state of a thread that counts.
struct TermCounter {
    reader: RowReader,
    extractor: Extractor,
    words: SetMaker,
    documents: u64,
    counts: Counts,
}

impl TermCounter {
    fn new(collector: &Collector) -> TermCounter {
        TermCounter {
            reader: RowReader::new(&collector.fields, collector.max_document),
            extractor: Extractor::new(collector.extraction()),
            words: words(collector.recipe),
            documents: 0,
            counts: Counts::default(),
        }
    }

    fn read(&mut self, block: &Block) -> Result<(), Error> {
        let TermCounter { reader, extractor, words, documents, counts } = self;
        reader.for_each(block, |row, _| -> Result<(), Error> {
            // Bad rows are reported when the documents are read.
            let Some(Some(document)) = extractor.extract(&row.content).document() else { return Ok(()) };
            let terms = words.set(document.text);
            *documents += u64::from(!terms.is_empty());
            for &term in terms {
                *counts.entry(term).or_default() += 1;
            }
            Ok(())
        })
    }
}
