//! The job of `sketch`: writes every document's signature as it is read, in bounded memory.

use std::path::PathBuf;
use std::time::Instant;

use lookalike::engine::Progress;
use lookalike_io::extract::{Extractor, Signer, SignerKind};
use lookalike_io::write::{Cell, Kind, Table, commit};
use lookalike_io::{Block, Format, RowReader, Source};

use crate::error::Error;
use crate::external::Streamed;
use crate::read::{Collector, InOrder, Tally, place_of};
use crate::report::{ReadReport, SketchReport, peak_memory};
use crate::write::check_paths;

/// A job that writes the signature of every document.
pub struct Sketch {
    /// The inputs.
    pub inputs: Vec<Source>,
    /// How to read.
    pub collector: Collector,
    /// The signature to write.
    pub signature: SignerKind,
    /// The output file. `-` is standard output.
    pub output: PathBuf,
    /// Whether to replace an existing file.
    pub force: bool,
}

/// The most blocks per thread that wait for an earlier block.
const WAITING: usize = 8;
/// Bytes for each row of a block, not counting its signature: its id, and the place of the signature.
const ROW: u64 = 80;
/// Bytes of the writer: as text, or at most as Parquet, which holds and compresses a group of rows.
const LINES: u64 = 1 << 20;
const PARQUET: u64 = 160 << 20;
/// The rows of such a group.
const GROUP: u64 = 65_536;

impl Sketch {
    /// Runs the job.
    pub fn run(self, progress: &dyn Progress) -> Result<SketchReport, Error> {
        let start = Instant::now();
        let bytes = self.signature.bytes();
        let width = u16::try_from(bytes).map_err(|_| {
            Error::Usage(format!("a signature of {bytes} bytes is too long (at most 65535). Choose a smaller one"))
        })?;
        if matches!(self.signature, SignerKind::SimHash(_)) && self.collector.recipe.bag {
            return Err(Error::Usage(
                "--bag does not apply to a simhash, which counts every occurrence anyway. Leave it out".to_string(),
            ));
        }
        // Refuse a signature that cannot be made before any work.
        Signer::new(&self.signature, self.collector.recipe).map_err(Error::usage)?;
        Table::check(&self.output)?;
        check_paths([&self.output].into_iter(), self.force, &self.inputs)?;

        let row = ROW + bytes as u64;
        let writer = match Format::of_name(&self.output) {
            Some(Format::Parquet) => PARQUET.min(2 * GROUP * row),
            _ => LINES,
        };
        let waiting = (WAITING * self.collector.threads) as u64;
        let waiting = Streamed { row, writer, waiting }.blocks(&self.collector, &self.inputs)?;

        let table = Table::create(&self.output, &[("id", Kind::Text), ("signature", Kind::Bytes(width))])?;
        let signed = InOrder::new((table, Tally::default(), 0), waiting);
        self.collector.work_through(
            &self.inputs,
            self.inputs.len(),
            progress,
            |_| Worker::new(&self),
            Worker::sign,
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
        self.collector.fields.check_text_seen(&tally.seen, "the inputs")?;
        commit(vec![table.finish()?])?;

        let total = start.elapsed();
        let read = ReadReport::new(&tally, &self.inputs);
        Ok(SketchReport {
            documents,
            signature: self.signature.name(),
            signature_bytes: bytes,
            tokens: self.collector.recipe.tokens.to_string(),
            threads: self.collector.threads,
            seconds: total.as_secs_f64(),
            megabytes_per_second: read.speed(total),
            read,
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

/// The state of a thread that signs blocks.
struct Worker<'a> {
    sketch: &'a Sketch,
    reader: RowReader,
    extractor: Extractor,
    signer: Option<Signer>,
    numbers: Vec<u64>,
}

impl<'a> Worker<'a> {
    fn new(sketch: &'a Sketch) -> Worker<'a> {
        let Collector { fields, max_document, recipe, .. } = &sketch.collector;
        Worker {
            sketch,
            reader: RowReader::new(fields, *max_document),
            extractor: Extractor::new(sketch.collector.extraction()),
            // A signature that cannot be made is refused before any work.
            signer: Signer::new(&sketch.signature, *recipe).ok(),
            numbers: Vec::new(),
        }
    }

    fn sign(&mut self, block: &Block) -> Result<SignedBlock, Error> {
        let Worker { sketch, reader, extractor, signer, numbers } = self;
        let source = &sketch.inputs[block.source];
        let place = source.path().display().to_string();
        let mut signed = SignedBlock { number: block.number, ..SignedBlock::default() };
        reader.for_each(block, |row, _| -> Result<(), Error> {
            let Some(document) = signed.tally.extract(&row, extractor, source.path(), sketch.collector.strict)? else {
                return Ok(());
            };
            match row.id.filter(|id| !id.is_empty()) {
                Some(id) => signed.ids += id,
                None => signed.ids += &place_of(&place, source.format(), row.number),
            }
            signed.id_ends.push(signed.ids.len());
            let is_signed = match (document, &mut *signer) {
                (Some(mut document), Some(signer)) => {
                    let is_signed = signer.sign_bytes(&mut document, numbers, &mut signed.signatures);
                    signed.tally.empty += u64::from(!is_signed);
                    is_signed
                }
                _ => false,
            };
            signed.has_signature.push(is_signed);
            Ok(())
        })?;
        signed.tally.seen = reader.take_seen();
        Ok(signed)
    }
}
