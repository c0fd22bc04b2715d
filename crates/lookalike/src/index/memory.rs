//! A whole index in memory.

use std::ops::Range;
use std::sync::Arc;

use super::build::{NewDocument, NewPart};
use super::elements::Elements;
use super::error::PartError;
use super::find::{FindScratch, Found};
use super::grow::{Growth, find_references, share_fates};
use super::limits::IndexLimits;
use super::merge::{due_for_merging, merge};
use super::part::Part;
use super::parts::{Parts, Place};
use crate::cluster::{Fate, survivors};
use crate::join::Join;
use crate::measure::Threshold;
use crate::progress::{Progress, Silent, Stage};
use crate::sets::SetStore;

/// An index in memory: documents by id, and which of them a set resembles.
pub struct MemoryIndex {
    parts: Parts<Vec<u8>>,
    next: u64,
}

/// Parts that one part replaced, and the place of that one: enough to put them back.
type Replaced = (usize, Vec<Part<Vec<u8>>>);

/// What was decided on a document that was added.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Settled {
    /// It is in the index now.
    Kept,
    /// It was left out, because it resembles a document of the index, or of its batch.
    Removed {
        /// The id of that document.
        twin: String,
        /// Their exact similarity.
        similarity: f64,
        /// Whether an earlier document has the same set.
        identical: bool,
    },
}

impl MemoryIndex {
    /// Makes an empty index for this threshold, which must be a similarity.
    pub fn new(threshold: Threshold) -> MemoryIndex {
        MemoryIndex { parts: Parts::new(threshold, Vec::new(), Vec::new()), next: 0 }
    }

    /// Sets how much work on it holds at a time.
    pub fn limited(self, limits: IndexLimits) -> MemoryIndex {
        MemoryIndex { parts: self.parts.limited(limits), ..self }
    }

    /// Returns the parts.
    pub fn parts(&self) -> &Parts<Vec<u8>> {
        &self.parts
    }

    /// Adds documents, each a set with an id, except those that resemble a document of the index or an earlier one of these.
    pub fn add<I: AsRef<str>>(&mut self, ids: &[I], batch: &SetStore) -> Result<Vec<Settled>, PartError> {
        self.add_watched(ids, batch, &Silent)
    }

    /// The same, but reports its progress, and can be cancelled. If it fails, the index is as before. Works on the threads of the current
    /// pool.
    pub fn add_watched<I: AsRef<str>>(
        &mut self,
        ids: &[I],
        batch: &SetStore,
        progress: &dyn Progress,
    ) -> Result<Vec<Settled>, PartError> {
        let inputs = batch.len() as u32;
        let stage = Stage::begin(progress, "asking index", batch.len());
        let references = find_references(&self.parts, batch, u64::MAX, &stage)?;
        drop(stage);
        let sets = Arc::new(SetStore::joined(batch, &self.parts.sets_of(&references)?)?);
        let order = (inputs..sets.len() as u32).chain(0..inputs).collect();
        let join = Join::new(*self.parts.threshold()).keep_order(order, references.len());
        let stage = Stage::begin(progress, "comparing", batch.len());
        let mut source = join.prepare(sets.clone(), &stage.quiet())?;
        let mut fates = survivors(&mut source, &stage)?;
        stage.check()?;
        drop(stage);
        share_fates(&self.parts, &sets, inputs, &references, &mut fates)?;
        let id = |document: u32| match document.checked_sub(inputs) {
            None => Ok(ids[document as usize].as_ref()),
            Some(reference) => self.parts.id(references[reference as usize].place),
        };
        let settled: Result<Vec<Settled>, PartError> = fates[..inputs as usize]
            .iter()
            .map(|fate| match *fate {
                Fate::Kept => Ok(Settled::Kept),
                Fate::Removed { twin, similarity, identical } => {
                    Ok(Settled::Removed { twin: id(twin)?.to_string(), similarity, identical })
                }
            })
            .collect();
        let settled = settled?;
        let growth = Growth::new(self.parts.threshold(), &sets, inputs, &references, &fates, self.next);
        let documents: Vec<NewDocument> = (self.next..)
            .zip(&growth.kept)
            .map(|(serial, &document)| NewDocument {
                id: ids[document as usize].as_ref(),
                serial,
                set: Elements::Numbers(sets.set(document)),
            })
            .collect();
        let part = NewPart::new(&documents, growth.removed, self.parts.threshold())?.limited(*self.parts.limits());
        let stage = Stage::begin(progress, "writing index", documents.len());
        let part = Part::open(part.to_bytes(&stage)?)?;
        drop(stage);
        self.append(part, progress)?;
        self.next += documents.len() as u64;
        Ok(settled)
    }

    /// Calls `each` with the id of every document that reaches the threshold with a set. The threshold must have the measure of the
    /// index, and be at least as high.
    pub fn find(
        &self,
        set: &[u64],
        threshold: &Threshold,
        scratch: &mut FindScratch,
        mut each: impl FnMut(&str, Found),
    ) -> Result<(), PartError> {
        let mut found = Vec::new();
        self.parts.find(set, threshold, u64::MAX, scratch, |part, one| found.push((part, one)))?;
        for (part, one) in found {
            each(self.parts.id(Place { part, document: one.document })?, one);
        }
        Ok(())
    }

    /// Takes the documents with an id out, and returns how many there were.
    pub fn remove(&mut self, id: &str) -> Result<usize, PartError> {
        let mut serials = Vec::new();
        self.parts.find_id(id, &mut serials)?;
        self.parts.take_out(&serials)?;
        Ok(serials.len())
    }

    /// Replaces documents: takes those with these ids out, then adds these. If that fails, nothing is taken out.
    pub fn replace<I: AsRef<str>>(
        &mut self,
        ids: &[I],
        batch: &SetStore,
        progress: &dyn Progress,
    ) -> Result<Vec<Settled>, PartError> {
        let mut serials = Vec::new();
        ids.iter().try_for_each(|id| self.parts.find_id(id.as_ref(), &mut serials))?;
        let before = self.parts.gone().to_vec();
        let taken_out = self.parts.take_out(&serials);
        let replaced = taken_out.and_then(|()| self.add_watched(ids, batch, progress));
        if replaced.is_err() {
            self.parts.put_back(before);
        }
        replaced
    }

    /// Merges all parts into one.
    pub fn merge_all(&mut self) -> Result<(), PartError> {
        self.merge(0..self.parts.parts().len(), &Silent, &mut Vec::new())
    }

    /// Appends a part, and merges parts as long as there are many of a size. If that fails, the parts are as before.
    fn append(&mut self, part: Part<Vec<u8>>, progress: &dyn Progress) -> Result<(), PartError> {
        let (end, gone) = (self.parts.parts().len(), self.parts.gone().to_vec());
        self.parts.splice(end..end, [part]);
        let mut replaced = Vec::new();
        let merged = self.merge_if_due(progress, &mut replaced);
        if merged.is_err() {
            for (first, parts) in replaced.into_iter().rev() {
                self.parts.splice(first..first + 1, parts);
            }
            self.parts.splice(end..end + 1, []);
            self.parts.put_back(gone);
        }
        merged
    }

    fn merge_if_due(&mut self, progress: &dyn Progress, replaced: &mut Vec<Replaced>) -> Result<(), PartError> {
        loop {
            let bytes: Vec<u64> = self.parts.parts().iter().map(|part| part.bytes() as u64).collect();
            match due_for_merging(&bytes) {
                Some(range) => self.merge(range, progress, replaced)?,
                None => return Ok(()),
            }
        }
    }

    fn merge(
        &mut self,
        range: Range<usize>,
        progress: &dyn Progress,
        replaced: &mut Vec<Replaced>,
    ) -> Result<(), PartError> {
        let documents = self.parts.parts()[range.clone()].iter().map(|part| part.len() as usize).sum();
        let stage = Stage::begin(progress, "merging", documents);
        let merged = merge(&self.parts, range.clone(), &stage, |part| part.to_bytes(&stage))??;
        let merged = Part::open(merged)?;
        replaced.push((range.start, self.parts.splice(range, [merged])));
        self.parts.forget_gone(&stage)
    }
}
