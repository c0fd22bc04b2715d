//! What fits in the memory that a run may use?

use lookalike_io::Source;

use super::estimate::Estimate;
use crate::error::Error;
use crate::on_disk::bytes_of_text;
use crate::read::{Collector, IDS};

/// The name of sets among what is compared.
pub(super) const SETS: &str = "sets";
/// Bytes for the program itself and the allocator's spare room.
pub(super) const PROGRAM: u64 = 22 << 20;
/// Bytes for each thread: its stack, blocks of rows, the current row.
pub(super) const THREAD: u64 = 6 << 20;
/// Bytes for each document, besides its id: its row, its place in the keep order, its hash, its fate.
const DOCUMENT: u64 = 80;
/// Bytes for each document whose text is hashed, for `check`: the hash, its state, lists to find it by id and by text, its row in the table
/// of removed documents.
const CHECKED: u64 = 72;
/// Bytes for each document whose text or signature may be in a file: its length, its best match, its side in a join, its links.
const IN_FILE: u64 = 80;
/// Bytes for each byte of a text in memory, besides those of comparing it: the list of texts grows by doubling.
const TEXT_BYTE: u64 = 2;
/// Bytes for each byte of a signature: the signatures, the lists of those that share something, candidates.
const SIGNED: u64 = 8;
/// The most sets of a sample, and bytes for each of their elements: on each thread, and in the index of the sample.
const SAMPLED: u64 = 4096;
const SAMPLED_BY_THREAD: u64 = 8;
const SAMPLED_ELEMENT: u64 = 40;
/// Bytes for each byte of a part's elements: the sets, the sets in order, postings, candidates.
pub(super) const COMPARED: u64 = 6;
/// The least bytes for sets and counters.
const LEAST: u64 = 1 << 20;
/// Bytes of memory for each byte of a file, at most: if so much is there, nothing need be estimated. A compressed file may hold a
/// thousand times its size.
pub(super) const AMPLE: u64 = 40;
const AMPLE_IF_COMPRESSED: u64 = 40_000;
/// The most files that are opened to see whether they are compressed.
const LOOKED_AT: usize = 64;

/// The memory of a run, and what the inputs hold.
#[derive(Clone, Copy, Debug)]
pub(in crate::external) struct Budget {
    /// The bytes that the run may use.
    pub(super) memory: u64,
    threads: u64,
    /// Bytes for each document, besides its id.
    document: u64,
    /// Bytes for ids, if they do not all fit.
    ids: u64,
    pub(super) few_partners: bool,
    /// Whether a sample of the sets is kept to measure the recall of signatures.
    samples: bool,
    kept: Kept,
    pub(in crate::external) estimate: Estimate,
}

/// What is kept of a document to compare it.
#[derive(Clone, Copy, Debug)]
enum Kept {
    Set,
    /// A text, which is compared within a distance.
    Text(u32),
    /// A signature of this many bytes, and perhaps the sets of candidates.
    Signature(u64, bool),
}

/// The share of the elements whose sets may have a partner, at most, in text at a threshold of 0.8. In other data it may be all.
const PARTNERED: f64 = 0.4;
/// The distinct elements for each slot of a sieve up to which it tells that. With more, it tells less. A byte has four slots.
const LOAD: f64 = 0.5;
const SLOTS: f64 = 4.0;

/// How memory is shared among what a run holds at the same time, in bytes.
#[derive(Clone, Copy, Debug)]
pub(in crate::external) struct Shares {
    /// The sieve of the first pass.
    pub(in crate::external) sieve: u64,
    /// The counters of the elements of sets on disk.
    pub(in crate::external) counters: u64,
    /// Postings that are sorted at a time.
    pub(in crate::external) postings: u64,
    /// The elements of the sets that are compared at a time.
    pub(in crate::external) part: u64,
}

impl Budget {
    /// The budget of a collector, if it is so little that a sample must tell whether the inputs fit in memory. `few_partners` is whether most
    /// documents of a text have no partner, as with a high threshold.
    pub(in crate::external) fn of(
        collector: &Collector,
        sources: &[Source],
        few_partners: bool,
    ) -> Result<Option<Budget>, Error> {
        let Some(memory) = collector.memory else { return Ok(None) };
        if Budget::new(collector, memory, Estimate::default()).shares().is_err() {
            // It is too little whatever the inputs hold, but only they tell how much is enough.
            Budget::new(collector, memory, Estimate::of(collector, sources)?).shares()?;
        }
        let total: u64 = sources.iter().map(Source::size).sum();
        let some = || sources.iter().step_by(sources.len().div_ceil(LOOKED_AT).max(1));
        let is_ample = |times: u64| total.saturating_mul(times) <= memory;
        if is_ample(AMPLE_IF_COMPRESSED) || is_ample(AMPLE) && !some().any(Source::is_compressed) {
            return Ok(None);
        }
        let budget = Budget::new(collector, memory, Estimate::of(collector, sources)?).few_partners(few_partners);
        Ok(Some(budget))
    }

    /// The error of a run that keeps everything in memory, and does not fit. It ends with a way out besides more memory.
    pub(in crate::external) fn too_small(&self, way_out: &str) -> Error {
        let needed = self.all().div_ceil(1 << 20);
        Error::Usage(format!(
            "{} of memory is too little: the {} of about {} documents need {needed} MiB. Use --memory {needed}MiB or \
             more{way_out}",
            mebibytes(self.memory),
            self.compared_name(),
            self.estimate.documents
        ))
    }

    /// The budget of a collector, whether its inputs fit or not.
    pub(in crate::external) fn always(
        collector: &Collector,
        sources: &[Source],
        few_partners: bool,
    ) -> Result<Budget, Error> {
        let memory = collector.memory.unwrap_or(u64::MAX);
        Ok(Budget::new(collector, memory, Estimate::of(collector, sources)?).few_partners(few_partners))
    }

    /// The same memory for inputs that hold this.
    pub(in crate::external) fn with(self, estimate: Estimate) -> Budget {
        Budget { estimate, ..self }
    }

    /// The same memory for as many documents as it has room for.
    pub(in crate::external) fn with_most_documents(self) -> Budget {
        let others = self.fixed() - self.documents() + LEAST;
        let documents = self.memory.saturating_sub(others) / self.document;
        let Estimate { elements, ids, texts, .. } = self.estimate;
        self.with(self.estimate.counted(documents, elements, ids, texts))
    }

    /// The bytes that the run may use.
    pub(in crate::external) fn memory(&self) -> u64 {
        self.memory
    }

    pub(super) fn new(collector: &Collector, memory: u64, estimate: Estimate) -> Budget {
        let (threads, ids) = (collector.threads as u64, memory / IDS);
        let kept = match &collector.signing {
            Some(signing) => Kept::Signature(signing.bytes() as u64, collector.verifies),
            None => collector.edit.map_or(Kept::Set, Kept::Text),
        };
        let checked = if collector.hash_texts { CHECKED } else { 0 };
        let in_file = if collector.edit.is_some() || collector.signing_on_disk().is_some() { IN_FILE } else { 0 };
        let document = DOCUMENT + checked + in_file;
        Budget { memory, threads, document, ids, few_partners: true, samples: collector.samples, kept, estimate }
    }

    pub(super) fn few_partners(self, few_partners: bool) -> Budget {
        Budget { few_partners, ..self }
    }

    /// Bytes of the sets that may have a partner, at most.
    pub(super) fn stored(&self, shares: &Shares) -> u64 {
        let Estimate { documents, elements, .. } = self.estimate;
        let load = self.estimate.distinct_elements() / (SLOTS * shares.sieve as f64);
        let is_few = self.few_partners && self.estimate.is_sparse();
        let share = if is_few { (PARTNERED * load / LOAD).clamp(PARTNERED, 1.0) } else { 1.0 };
        ((8 * (elements + documents)) as f64 * share) as u64
    }

    /// Whether all sets and ids fit in memory.
    pub(in crate::external) fn fits(&self) -> bool {
        self.all() <= self.memory
    }

    /// Bytes if all sets and ids are in memory.
    pub(in crate::external) fn all(&self) -> u64 {
        (self.fixed() - self.ids()).saturating_add(self.estimate.ids).saturating_add(self.compared())
    }

    /// Bytes for documents, besides their ids.
    pub(super) fn documents(&self) -> u64 {
        self.document * self.estimate.documents
    }

    /// Bytes for ids, if some of them may be in a file.
    pub(super) fn ids(&self) -> u64 {
        self.estimate.ids.min(self.ids)
    }

    /// Bytes that are always needed.
    pub(in crate::external) fn fixed(&self) -> u64 {
        PROGRAM + self.threads * THREAD + self.documents() + self.sample() + self.ids()
    }

    /// Bytes for the sample that measures the recall of signatures.
    pub(super) fn sample(&self) -> u64 {
        let Estimate { documents, elements, .. } = self.estimate;
        let elements = elements.checked_div(documents).unwrap_or(0) * documents.min(SAMPLED);
        if self.samples { elements * (SAMPLED_BY_THREAD * self.threads + SAMPLED_ELEMENT) } else { 0 }
    }

    /// Bytes for what is compared, if it is in memory. For sets: twice their elements if most of them drop out before they are compared,
    /// otherwise as much as if they were one part.
    pub(super) fn compared(&self) -> u64 {
        let Estimate { documents, elements, texts, .. } = self.estimate;
        let is_few = self.few_partners && self.estimate.is_sparse();
        let sets = 8 * elements * if is_few { 2 } else { COMPARED };
        match self.kept {
            Kept::Set => sets,
            Kept::Text(distance) => {
                let length = texts.checked_div(documents).unwrap_or(0).min(u64::from(u32::MAX)) as u32;
                documents * bytes_of_text(length, false, distance) + TEXT_BYTE * texts
            }
            Kept::Signature(bytes, has_sets) => {
                let share = if !has_sets {
                    0.0
                } else if is_few {
                    PARTNERED
                } else {
                    1.0
                };
                SIGNED * bytes * documents + (sets as f64 * share) as u64
            }
        }
    }

    /// The name of what is compared.
    pub(super) fn compared_name(&self) -> &'static str {
        match self.kept {
            Kept::Set => SETS,
            Kept::Text(_) => "texts",
            Kept::Signature(..) => "signatures and candidates",
        }
    }

    /// Bytes of memory for texts, or signatures and sets, that are compared at a time.
    pub(in crate::external) fn at_a_time(&self, shares: &Shares) -> u64 {
        // The rest is for pairs that are sorted.
        shares.part * COMPARED * 3 / 4
    }

    /// Shares the memory, or says how much is needed.
    pub(in crate::external) fn shares(&self) -> Result<Shares, Error> {
        let Some(free) = self.memory.checked_sub(self.fixed()).filter(|&free| free >= LEAST) else {
            let others = self.fixed() - self.ids() + LEAST;
            let needed = (others + self.estimate.ids.min(others.div_ceil(IDS - 1))).div_ceil(1 << 20);
            let documents = match self.estimate.documents {
                0 => String::new(),
                documents => format!(" for about {documents} documents"),
            };
            let memory = mebibytes(self.memory);
            return Err(Error::Usage(format!(
                "{memory} of memory is too little{documents}; use --memory {needed}MiB or more"
            )));
        };
        // With four slots per element, more do not help.
        let sieve = free.min(self.estimate.elements + (1 << 16));
        Ok(Shares { sieve, counters: free / 2, postings: free / 4, part: free / COMPARED })
    }
}

/// An amount of memory for a message, rounded down.
pub(super) fn mebibytes(bytes: u64) -> String {
    match bytes >> 20 {
        0 => "less than 1 MiB".to_string(),
        mebibytes => format!("{mebibytes} MiB"),
    }
}
