//! How is a part written?

use std::io::{self, Write};

use super::super::elements::Elements;
use super::super::error::PartError;
use super::super::filter;
use super::super::layout::{ALIGNMENT, Counts, hash_id};
use super::super::limits::IndexLimits;
use super::super::sealed::Sealer;
use super::documents::{Documents, NewDocument, Remembered};
use super::post::{Posting, Postings, packed, posted};
use super::sorted::Sorted;
use crate::measure::Threshold;
use crate::progress::Stage;

/// A part to be written.
pub struct NewPart<'a> {
    counts: Counts,
    documents: Box<dyn Documents + 'a>,
    removed: Vec<Remembered>,
    threshold: Threshold,
    limits: IndexLimits,
}

/// Postings in a bucket, at most this many on average.
const IN_BUCKET: usize = 8;
/// After how many documents or postings progress is reported.
const SOME: usize = 1 << 10;

/// Fails if the work is cancelled.
fn check(stage: &Stage) -> io::Result<()> {
    stage.check().map_err(|cancelled| io::Error::other(PartError::from(cancelled)))
}

impl<'a> NewPart<'a> {
    /// Prepares a part of these documents, ascending by serial number, and of what is remembered. `threshold` is the lowest that will be
    /// asked for.
    pub fn new(
        documents: &'a [NewDocument<'a>],
        removed: Vec<Remembered>,
        threshold: &Threshold,
    ) -> Result<NewPart<'a>, PartError> {
        NewPart::of(Box::new(documents), removed, threshold, &Stage::silent())
    }

    /// The same, of documents wherever they are.
    pub(in crate::index) fn of(
        documents: Box<dyn Documents + 'a>,
        mut removed: Vec<Remembered>,
        threshold: &Threshold,
        stage: &Stage,
    ) -> Result<NewPart<'a>, PartError> {
        let most = u64::from(u32::MAX);
        if documents.len() as u64 > most {
            return Err(PartError::TooLarge { what: "documents", most });
        }
        let (mut postings, mut elements, mut id_bytes) = (0, 0, 0);
        for at in 0..documents.len() {
            let size = documents.size(at)?;
            postings += posted(size, threshold);
            elements += size as u64;
            id_bytes += documents.id_len(at)?;
            documents.relieve();
            stage.check()?;
        }
        if postings as u64 > most {
            return Err(PartError::TooLarge { what: "posted elements", most });
        }
        removed.sort_unstable_by_key(|one| (one.hash, one.twin));
        let bucket_bits = (postings / IN_BUCKET).next_power_of_two().trailing_zeros();
        let counts = Counts {
            documents: documents.len() as u64,
            postings: postings as u64,
            removed: removed.len() as u64,
            elements,
            id_bytes,
            filter_words: filter::words_for(postings) as u64,
            bucket_bits,
        };
        Ok(NewPart { counts, documents, removed, threshold: *threshold, limits: IndexLimits::default() })
    }

    /// Sets how much may be held at a time while the part is written.
    pub fn limited(self, limits: IndexLimits) -> NewPart<'a> {
        NewPart { limits, ..self }
    }

    /// Returns the number of documents.
    pub fn documents(&self) -> u64 {
        self.counts.documents
    }

    /// Returns whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.counts.documents == 0 && self.removed.is_empty()
    }

    /// Writes the part, and returns how many bytes it has. If the postings may all be held, they are made while the sets are written. An
    /// error of the documents is inside the one that is returned, and so is that of a stage that is cancelled. The stage counts documents:
    /// half of the work is to write them, and half to write their postings.
    pub fn write<W: Write + Send>(&self, out: W, stage: &Stage) -> io::Result<(W, u64)> {
        let mut out = Sealer::new(out);
        let (postings, mut posted) = (Postings::new(&*self.documents, &self.threshold, &self.limits, stage), 0);
        let Counts { filter_words, bucket_bits, .. } = self.counts;
        if self.counts.postings <= self.limits.postings as u64 {
            let sort = || postings.sorted(filter_words, bucket_bits);
            let (sorted, written) = rayon::join(sort, || self.write_documents(&mut out, stage));
            written?;
            let Sorted { filter, starts, postings } = sorted.map_err(io::Error::other)?;
            self.write_table(&mut out, &filter, &starts)?;
            self.write_postings(&mut out, &postings, |&packed| packed, &mut posted, stage)?;
        } else {
            self.write_documents(&mut out, stage)?;
            let some = postings.in_ranges(filter_words, bucket_bits).map_err(io::Error::other)?;
            self.write_table(&mut out, some.filter(), some.starts())?;
            let packed = |&posting: &Posting| packed(posting, bucket_bits);
            some.for_each_range(|range| self.write_postings(&mut out, range, packed, &mut posted, stage))?;
        }
        out.align(ALIGNMENT)?;
        out.finish()
    }

    fn write_documents<W: Write>(&self, out: &mut Sealer<W>, stage: &Stage) -> io::Result<()> {
        out.put(&self.counts.header())?;
        let documents = &*self.documents;
        let starts = |out: &mut Sealer<W>, len: &dyn Fn(usize) -> Result<u64, PartError>| {
            let mut sum = 0;
            out.put(&0_u64.to_le_bytes())?;
            self.for_each(stage, |at| {
                sum += len(at).map_err(io::Error::other)?;
                out.put(&u64::to_le_bytes(sum))
            })?;
            out.align(ALIGNMENT)
        };
        starts(out, &|at| Ok(documents.size(at)? as u64))?;
        self.for_each(stage, |at| out.put(&documents.serial(at).map_err(io::Error::other)?.to_le_bytes()))?;
        out.align(ALIGNMENT)?;
        starts(out, &|at| documents.id_len(at))?;
        self.write_id_hashes(out, stage)?;
        for one in &self.removed {
            out.put(&one.hash.to_le_bytes())?;
            out.put(&one.twin.to_le_bytes())?;
            out.put(&one.common.to_le_bytes())?;
            out.put(&one.size.to_le_bytes())?;
        }
        out.align(ALIGNMENT)?;
        let mut bytes = Vec::new();
        self.for_each(stage, |at| {
            if at.is_multiple_of(SOME) {
                stage.reach(at as u64 / 2);
            }
            match documents.set(at).map_err(io::Error::other)? {
                Elements::Bytes(bytes) => out.put(bytes),
                Elements::Numbers(set) => {
                    bytes.clear();
                    bytes.extend(set.iter().flat_map(|element| element.to_le_bytes()));
                    out.put(&bytes)
                }
            }
        })?;
        out.align(ALIGNMENT)?;
        self.for_each(stage, |at| out.put(documents.id(at).map_err(io::Error::other)?.as_bytes()))?;
        out.align(ALIGNMENT)
    }

    /// Calls `each` with every document. Pages are released in between.
    fn for_each(&self, stage: &Stage, mut each: impl FnMut(usize) -> io::Result<()>) -> io::Result<()> {
        (0..self.documents.len()).try_for_each(|at| {
            check(stage)?;
            self.documents.relieve();
            each(at)
        })
    }

    fn write_id_hashes<W: Write>(&self, out: &mut Sealer<W>, stage: &Stage) -> io::Result<()> {
        let mut ids: Vec<(u64, u32)> = Vec::with_capacity(self.documents.len());
        self.for_each(stage, |at| {
            ids.push((hash_id(self.documents.id(at).map_err(io::Error::other)?), at as u32));
            Ok(())
        })?;
        ids.sort_unstable();
        ids.iter().try_for_each(|(hash, _)| out.put(&hash.to_le_bytes()))?;
        out.align(ALIGNMENT)?;
        ids.iter().try_for_each(|(_, document)| out.put(&document.to_le_bytes()))?;
        out.align(ALIGNMENT)
    }

    fn write_table<W: Write>(&self, out: &mut Sealer<W>, filter: &[u64], starts: &[u32]) -> io::Result<()> {
        filter.iter().try_for_each(|word| out.put(&word.to_le_bytes()))?;
        out.align(ALIGNMENT)?;
        starts.iter().try_for_each(|start| out.put(&start.to_le_bytes()))?;
        out.align(ALIGNMENT)
    }

    /// Writes postings, behind `posted` others.
    fn write_postings<W: Write, P>(
        &self,
        out: &mut Sealer<W>,
        postings: &[P],
        packed: impl Fn(&P) -> u64,
        posted: &mut u64,
        stage: &Stage,
    ) -> io::Result<()> {
        let Counts { documents, postings: all, .. } = self.counts;
        for some in postings.chunks(SOME) {
            check(stage)?;
            some.iter().try_for_each(|posting| out.put(&packed(posting).to_le_bytes()))?;
            *posted += some.len() as u64;
            stage.reach((documents + *posted * documents / all.max(1)) / 2);
        }
        Ok(())
    }

    /// Returns the part as bytes. The stage is as of [`NewPart::write`].
    pub fn to_bytes(&self, stage: &Stage) -> Result<Vec<u8>, PartError> {
        match self.write(Vec::new(), stage) {
            Ok((bytes, _)) => Ok(bytes),
            Err(error) => Err(error.downcast().expect("a vector takes everything")),
        }
    }
}
