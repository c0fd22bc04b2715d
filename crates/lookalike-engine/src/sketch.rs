//! Every document's signature, written as it is read: in bounded memory, whatever the size of the collection.

use std::path::PathBuf;
use std::time::Instant;

use lookalike::{Features, MinHash, SetMaker, SimHash, SimHashError};
use lookalike_io::write::{Cell, Kind, Table, commit};
use lookalike_io::{Block, RowReader, Source};
use serde::Serialize;

use crate::collect::{Collector, Tally};
use crate::documents::place_of;
use crate::error::Error;
use crate::in_order::InOrder;
use crate::outputs::check_paths;
use crate::page_text::PageTexts;
use crate::report::peak_memory;
use crate::watch::Watch;

/// What a document's signature is. Its bytes are those of its numbers one after another, the most significant first.
#[derive(Clone, Debug)]
pub enum Signature {
    /// A min-wise sketch: 4 bytes for each function.
    MinHash(MinHash),
    /// Features: 8 bytes for each.
    Features(Features),
    /// A simhash of so many bits; every occurrence of an element counts.
    SimHash(usize),
}

impl Signature {
    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            Signature::MinHash(_) => "minhash",
            Signature::Features(_) => "features",
            Signature::SimHash(_) => "simhash",
        }
    }

    /// How many bytes it has.
    pub fn bytes(&self) -> usize {
        match self {
            Signature::MinHash(minhash) => 4 * minhash.functions(),
            Signature::Features(features) => features.filter().bytes(),
            Signature::SimHash(bits) => bits / 8,
        }
    }
}

/// A job that writes the signature of every document.
pub struct Sketch {
    /// Where the documents are.
    pub inputs: Vec<Source>,
    /// How to read.
    pub collector: Collector,
    /// What to write of each.
    pub signature: Signature,
    /// Where to; `-` is standard output.
    pub output: PathBuf,
    /// Whether an existing file is replaced.
    pub force: bool,
}

/// What came of it.
#[derive(Clone, Debug, Serialize)]
pub struct SketchReport {
    /// Documents of the inputs.
    pub documents: u64,
    /// Bytes of all files read, as they lie on disk.
    pub input_bytes: u64,
    /// Bytes of all texts.
    pub text_bytes: u64,
    /// Documents without a token: they have no signature.
    pub empty: u64,
    /// Documents without a usable text: they have none either.
    pub unusable: u64,
    /// Rows that are no documents.
    pub unreadable: u64,
    /// The first few of both.
    pub problems: Vec<String>,
    /// What the signatures are.
    pub method: &'static str,
    /// Bytes of one.
    pub signature_bytes: usize,
    /// Of what elements.
    pub tokens: String,
    /// How many threads worked.
    pub threads: usize,
    /// How long it took.
    pub seconds: f64,
    /// Bytes of text a second, in millions.
    pub megabytes_per_second: f64,
    /// The most memory that was resident.
    pub peak_memory_bytes: u64,
}

/// Blocks that may wait for an earlier one, for each thread.
const WAITING: usize = 8;

impl Sketch {
    /// Does it.
    pub fn run(self, watch: &dyn Watch) -> Result<SketchReport, Error> {
        let start = Instant::now();
        let bytes = self.signature.bytes();
        let width =
            u16::try_from(bytes).map_err(|_| Error::Usage(format!("a signature of {bytes} bytes is too long")))?;
        if let Signature::SimHash(bits) = self.signature {
            SimHash::new(bits).map_err(|error: SimHashError| Error::Usage(error.to_string()))?;
            if self.collector.recipe.bag {
                return Err(Error::Usage("--bag is for sets; a simhash counts every occurrence as it is".to_string()));
            }
        }
        Table::check(&self.output)?;
        check_paths([&self.output].into_iter(), self.force, &self.inputs)?;

        let table = Table::create(&self.output, &[("id", Kind::Text), ("signature", Kind::Bytes(width))])?;
        let signed = InOrder::new((table, Tally::default(), 0), WAITING * self.collector.threads);
        self.collector.work_through(
            &self.inputs,
            self.inputs.len(),
            watch,
            |_| Signer::new(&self),
            Signer::sign,
            |block: SignedBlock, stop| {
                signed.put(block.number, block, stop, |(table, tally, documents), mut block| {
                    *documents += block.id_ends.len() as u64;
                    tally.add(std::mem::take(&mut block.tally));
                    block.write(table, bytes)
                })
            },
        )?;
        let (table, tally, documents) = signed.into_sink();
        self.collector.fields.check_seen(&tally.seen, "the inputs", true)?;
        commit(vec![table.finish()?])?;

        let seconds = start.elapsed().as_secs_f64();
        Ok(SketchReport {
            documents,
            input_bytes: self.inputs.iter().map(Source::size).sum(),
            text_bytes: tally.text_bytes,
            empty: tally.empty,
            unusable: tally.unusable,
            unreadable: tally.unreadable,
            problems: tally.problems.iter().map(ToString::to_string).collect(),
            method: self.signature.name(),
            signature_bytes: bytes,
            tokens: self.collector.recipe.tokens.to_string(),
            threads: self.collector.threads,
            seconds,
            megabytes_per_second: tally.text_bytes as f64 / 1e6 / seconds,
            peak_memory_bytes: peak_memory(),
        })
    }
}

/// The signatures of a block.
#[derive(Default)]
struct SignedBlock {
    number: usize,
    ids: String,
    id_ends: Vec<usize>,
    has_signature: Vec<bool>,
    signatures: Vec<u8>,
    tally: Tally,
}

impl SignedBlock {
    fn write(&self, table: &mut Table, bytes: usize) -> Result<(), Error> {
        let mut signatures = self.signatures.chunks(bytes.max(1));
        let mut start = 0;
        for (&end, &has_signature) in self.id_ends.iter().zip(&self.has_signature) {
            let signature = if has_signature { signatures.next() } else { None };
            table.put(&[Cell::from(&self.ids[start..end]), signature.map_or(Cell::Null, Cell::Bytes)])?;
            start = end;
        }
        Ok(())
    }
}

/// What a thread keeps between blocks.
struct Signer<'a> {
    sketch: &'a Sketch,
    reader: RowReader,
    pages: PageTexts,
    maker: SetMaker,
    /// For min-wise values, features and words of a simhash.
    values: Vec<u32>,
    numbers: Vec<u64>,
    simhash: Option<SimHash>,
}

impl<'a> Signer<'a> {
    fn new(sketch: &'a Sketch) -> Signer<'a> {
        let simhash = match sketch.signature {
            Signature::SimHash(bits) => SimHash::new(bits).ok(),
            Signature::MinHash(_) | Signature::Features(_) => None,
        };
        Signer {
            sketch,
            reader: RowReader::new(&sketch.collector.fields, sketch.collector.max_document),
            pages: PageTexts::new(sketch.collector.page),
            maker: SetMaker::new(sketch.collector.recipe),
            values: Vec::new(),
            numbers: Vec::new(),
            simhash,
        }
    }

    fn sign(&mut self, block: &Block) -> Result<SignedBlock, Error> {
        let Signer { sketch, reader, pages, maker, values, numbers, simhash } = self;
        let source = &sketch.inputs[block.source];
        let place = source.path().display().to_string();
        let mut signed = SignedBlock { number: block.number, ..SignedBlock::default() };
        reader.for_each(block, |row, _| -> Result<(), Error> {
            let Some(text) = signed.tally.examine(&row, pages, source.path(), sketch.collector.strict)? else {
                return Ok(());
            };
            match row.id.filter(|id| !id.is_empty()) {
                Some(id) => signed.ids += id,
                None => signed.ids += &place_of(&place, source.format(), row.number),
            }
            signed.id_ends.push(signed.ids.len());
            let elements = match text {
                // Only a bag has to be made a set of first: sketches see no repetition otherwise, and a simhash counts it.
                Some(text) if sketch.collector.recipe.bag => maker.set(text),
                Some(text) => maker.sequence(text),
                None => &[],
            };
            signed.tally.empty += u64::from(text.is_some() && elements.is_empty());
            signed.has_signature.push(!elements.is_empty());
            if elements.is_empty() {
                return Ok(());
            }
            numbers.clear();
            match (&sketch.signature, &mut *simhash) {
                (Signature::Features(features), _) => features.push(elements, values, numbers),
                (Signature::SimHash(_), Some(simhash)) => {
                    numbers.resize(simhash.words(), 0);
                    simhash.of(elements, numbers);
                }
                (Signature::SimHash(_), None) => {}
                (Signature::MinHash(minhash), _) => {
                    minhash.sketch_into(elements, values);
                    signed.signatures.extend(values.iter().flat_map(|value| value.to_be_bytes()));
                }
            }
            signed.signatures.extend(numbers.iter().flat_map(|number| number.to_be_bytes()));
            Ok(())
        })?;
        signed.tally.seen = reader.take_seen();
        Ok(signed)
    }
}
