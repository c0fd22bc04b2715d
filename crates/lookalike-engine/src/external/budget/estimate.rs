//! How much is in the inputs? An estimate from a sample of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use lookalike_io::extract::{Extracted, Extractor};
use lookalike_io::{Blocks, RowReader, Source};

use crate::error::Error;
use crate::read::Collector;

/// What the inputs hold, estimated.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::external) struct Estimate {
    /// Bytes of the files.
    pub(in crate::external) bytes: u64,
    pub(in crate::external) documents: u64,
    /// The elements of all sets.
    pub(in crate::external) elements: u64,
    /// Bytes of the ids.
    pub(in crate::external) ids: u64,
    /// Bytes of the texts.
    pub(in crate::external) texts: u64,
    /// The most rows of a block of the sample.
    pub(super) rows_of_block: u64,
    /// The share of the elements of the sample that are different.
    distinct: f64,
    /// Seconds to make all sets with one thread.
    pub(in crate::external) seconds: f64,
}

/// Data with a smaller share of different elements is dense: most documents share elements with many others.
const SPARSE: f64 = 0.3;

/// Files in the sample.
const FILES: usize = 8;
/// Bytes of a file that are read.
const BYTES: u64 = 1 << 19;

impl Estimate {
    /// Whether most elements are rare, as in text.
    pub(in crate::external) fn is_sparse(&self) -> bool {
        self.distinct >= SPARSE
    }

    /// How many elements are different, at most: in more documents, more are alike.
    pub(super) fn distinct_elements(&self) -> f64 {
        self.elements as f64 * self.distinct
    }

    /// Reads the beginning of some of the sources.
    pub(in crate::external) fn of(collector: &Collector, sources: &[Source]) -> Result<Estimate, Error> {
        Estimate::from(collector, sources, BYTES)
    }

    /// Reads only a block of some of the sources. That tells what kind of data it is.
    pub(in crate::external) fn glimpse(collector: &Collector, sources: &[Source]) -> Result<Estimate, Error> {
        Estimate::from(collector, sources, 1)
    }

    fn from(collector: &Collector, sources: &[Source], bytes: u64) -> Result<Estimate, Error> {
        let total: u64 = sources.iter().map(Source::size).sum();
        let mut sampled = Estimate::default();
        let (start, mut different) = (Instant::now(), Vec::<u64>::new());
        let mut extractor = Extractor::new(collector.extraction());
        for source in sources.iter().step_by(sources.len().div_ceil(FILES).max(1)) {
            let taken = Arc::new(AtomicU64::new(0));
            let one = std::slice::from_ref(source);
            let mut blocks = Blocks::new(one, &collector.fields, taken.clone()).for_texts(collector.max_document);
            let mut reader = RowReader::new(&collector.fields, collector.max_document);
            while taken.load(Relaxed) < bytes
                && let Some(block) = blocks.next_block()?
            {
                let before = sampled.documents;
                reader.for_each(&block, |row, _| -> Result<(), Error> {
                    sampled.documents += 1;
                    sampled.ids += row.id.map_or(0, |id| id.len() as u64);
                    if let Extracted::Document(mut document) = extractor.extract(&row) {
                        sampled.texts += document.text.len() as u64;
                        let set = document.set_within(0);
                        sampled.elements += set.len() as u64;
                        different.extend_from_slice(set);
                    }
                    Ok(())
                })?;
                sampled.rows_of_block = sampled.rows_of_block.max(sampled.documents - before);
            }
            sampled.bytes += taken.load(Relaxed).max(1);
        }
        different.sort_unstable();
        different.dedup();
        let scale = |number: u64| (number as f64 * total as f64 / sampled.bytes.max(1) as f64) as u64;
        let Estimate { documents, elements, ids, texts, rows_of_block, .. } = sampled;
        Ok(Estimate {
            bytes: total,
            documents: scale(documents),
            elements: scale(elements),
            ids: scale(ids),
            texts: scale(texts),
            rows_of_block,
            distinct: different.len() as f64 / elements.max(1) as f64,
            seconds: start.elapsed().as_secs_f64() * total as f64 / sampled.bytes.max(1) as f64,
        })
    }
}
