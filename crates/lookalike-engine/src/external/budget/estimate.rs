//! How much is in the inputs? An estimate from a sample of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use lookalike_io::extract::{Extracted, Extractor};
use lookalike_io::{Blocks, Format, RowReader, Source};

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

/// The most files in the sample.
const FILES: usize = 16;
/// Bytes of the beginning of a file that is read only there.
const BYTES: u64 = 1 << 19;
/// Places of all files together where the sample reads a block, the fewest and the most of a file, and the bytes of a block.
const PLACES: usize = 32;
const LEAST_PLACES: usize = 2;
const MOST_PLACES: usize = 8;
const BLOCK: u64 = 1 << 18;

/// How much of the inputs is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// A block of each file.
    Glimpse,
    /// The beginning of each file, or several places.
    Places,
}

/// What a stretch of a file holds, as far as it was read.
#[derive(Default)]
struct Stretch {
    documents: u64,
    elements: u64,
    ids: u64,
    texts: u64,
    /// Bytes of the file.
    bytes: u64,
}

/// Reads stretches of the inputs.
struct Sampler<'a> {
    collector: &'a Collector,
    extractor: Extractor,
    reader: RowReader,
    different: Vec<u64>,
    rows_of_block: u64,
}

impl Sampler<'_> {
    /// Reads a source from the first row behind a byte, or from its beginning, until `least` bytes of the file are read, or all.
    fn read(&mut self, source: &Source, behind: Option<u64>, least: u64) -> Result<Stretch, Error> {
        let is_plain = source.has_places();
        let Sampler { collector, extractor, reader, different, rows_of_block } = self;
        let taken = Arc::new(AtomicU64::new(0));
        let blocks = Blocks::new(std::slice::from_ref(source), &collector.fields, taken.clone());
        let mut blocks = blocks.for_texts(collector.max_document);
        if let Some(byte) = behind {
            blocks = blocks.behind(byte);
        }
        let (mut stretch, mut size, mut before, mut now) = (Stretch::default(), Some(0), 0, 0);
        let mut is_whole = true;
        while let Some(block) = blocks.next_block()? {
            // A compressed file is read ahead: what was read last is hardly begun.
            if taken.load(Relaxed) > now {
                (before, now) = (now, taken.load(Relaxed));
            }
            size = size.and_then(|size| Some(size + block.size()?));
            let rows = stretch.documents;
            reader.for_each(&block, |row, _| -> Result<(), Error> {
                stretch.documents += 1;
                stretch.ids += row.id.map_or(0, |id| id.len() as u64);
                if let Extracted::Document(mut document) = extractor.extract(&row) {
                    stretch.texts += document.text.len() as u64;
                    let set = document.set_within(0);
                    stretch.elements += set.len() as u64;
                    different.extend_from_slice(set);
                }
                Ok(())
            })?;
            *rows_of_block = (*rows_of_block).max(stretch.documents - rows);
            if now >= least {
                is_whole = false;
                break;
            }
        }
        let is_ahead = !is_whole && before > 0 && source.format() != Format::Parquet && source.is_compressed();
        stretch.bytes = match size {
            _ if is_whole && behind.is_none() => source.size(),
            Some(size) if is_plain => size,
            _ if is_ahead => before,
            _ => now,
        };
        Ok(stretch)
    }
}

impl Estimate {
    /// Whether most elements are rare, as in text.
    pub(in crate::external) fn is_sparse(&self) -> bool {
        self.distinct >= SPARSE
    }

    /// How many elements are different, at most: in more documents, more are alike.
    pub(super) fn distinct_elements(&self) -> f64 {
        self.elements as f64 * self.distinct
    }

    /// Reads some of the sources: several places of those that allow it, and the beginning of the others.
    pub(in crate::external) fn of(collector: &Collector, sources: &[Source]) -> Result<Estimate, Error> {
        Estimate::from(collector, sources, Depth::Places)
    }

    /// Reads only a block of some of the sources. That tells what kind of data it is.
    pub(in crate::external) fn glimpse(collector: &Collector, sources: &[Source]) -> Result<Estimate, Error> {
        Estimate::from(collector, sources, Depth::Glimpse)
    }

    fn from(collector: &Collector, sources: &[Source], depth: Depth) -> Result<Estimate, Error> {
        let start = Instant::now();
        let mut sampler = Sampler {
            collector,
            extractor: Extractor::new(collector.extraction()),
            reader: RowReader::new(&collector.fields, collector.max_document),
            different: Vec::new(),
            rows_of_block: 0,
        };
        let step = sources.len().div_ceil(FILES).max(1);
        let places = (PLACES / sources.len().div_ceil(step).max(1)).clamp(LEAST_PLACES, MOST_PLACES) as u64;
        // Per document, element and so on: what all of the files in the sample hold.
        let (mut sums, mut sizes, mut read, mut sampled) = ([0.0; 4], 0, 0, 0);
        for source in sources.iter().step_by(step) {
            let has_places = depth == Depth::Places && source.size() > places * BLOCK && source.has_places();
            let mut stretches = Vec::new();
            if has_places {
                let last = source.size() - BLOCK;
                for place in 0..places {
                    let behind = (place > 0).then(|| last * place / (places - 1));
                    match sampler.read(source, behind, 1) {
                        Ok(stretch) => stretches.push(stretch),
                        // The row may begin in the middle of a quoted field. If there is an error, the run will say so.
                        Err(_) if place > 0 => {}
                        Err(error) => return Err(error),
                    }
                }
            } else {
                let least = if depth == Depth::Glimpse { 1 } else { BYTES };
                stretches.push(sampler.read(source, None, least)?);
            }
            stretches.retain(|stretch| stretch.bytes > 0);
            sizes += source.size();
            for Stretch { documents, elements, ids, texts, bytes } in &stretches {
                // Each stands for an equal part of the file.
                let scale = source.size() as f64 / (stretches.len() as f64 * *bytes as f64);
                for (sum, number) in sums.iter_mut().zip([documents, elements, ids, texts]) {
                    *sum += *number as f64 * scale;
                }
                read += bytes;
                sampled += elements;
            }
        }
        let Sampler { mut different, rows_of_block, .. } = sampler;
        different.sort_unstable();
        different.dedup();
        let total: u64 = sources.iter().map(Source::size).sum();
        let [documents, elements, ids, texts] =
            sums.map(|sum| (sum * total as f64 / sizes.max(1) as f64).round() as u64);
        Ok(Estimate {
            bytes: total,
            documents,
            elements,
            ids,
            texts,
            rows_of_block,
            distinct: different.len() as f64 / sampled.max(1) as f64,
            seconds: start.elapsed().as_secs_f64() * total as f64 / read.max(1) as f64,
        })
    }
}

impl Estimate {
    /// The same kind of data, but with so much of it.
    pub(in crate::external) fn counted(self, documents: u64, elements: u64, ids: u64, texts: u64) -> Estimate {
        Estimate { documents, elements, ids, texts, ..self }
    }

    /// At least these numbers.
    pub(in crate::external) fn at_least(self, other: &Estimate) -> Estimate {
        let Estimate { documents, elements, ids, texts, .. } = *other;
        Estimate {
            documents: self.documents.max(documents),
            elements: self.elements.max(elements),
            ids: self.ids.max(ids),
            texts: self.texts.max(texts),
            ..self
        }
    }

    /// So many times as much.
    pub(in crate::external) fn times(self, factor: f64) -> Estimate {
        let scale = |number: u64| (number as f64 * factor) as u64;
        let Estimate { documents, elements, ids, texts, .. } = self;
        self.counted(scale(documents), scale(elements), scale(ids), scale(texts))
    }
}
