//! What do all parts of an index say together?

use std::ops::Range;

use super::build::Remembered;
use super::error::PartError;
use super::find::{FindScratch, Found};
use super::limits::IndexLimits;
use super::part::{Part, Run};
use super::sealed::PartBytes;
use crate::measure::Threshold;
use crate::progress::Stage;
use crate::sets::mix;

/// Where a document of an index is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The number of the part.
    pub part: usize,
    /// The number of the document in the part.
    pub document: u32,
}

/// The parts of an index, the oldest first, and which of their documents were taken out.
pub struct Parts<B> {
    threshold: Threshold,
    parts: Vec<Part<B>>,
    /// Serial numbers of documents that were taken out and are still in a part, ascending.
    gone: Vec<u64>,
    limits: IndexLimits,
}

/// After how many documents progress is reported.
const SOME: u64 = 64;

impl<B: PartBytes> Parts<B> {
    /// Makes an index of parts that were made for this threshold. Every document of a part has a greater serial number than those of
    /// the parts before.
    pub fn new(threshold: Threshold, parts: Vec<Part<B>>, mut gone: Vec<u64>) -> Parts<B> {
        gone.sort_unstable();
        gone.dedup();
        Parts { threshold, parts, gone, limits: IndexLimits::default() }
    }

    /// Sets how much work on these parts may hold at a time.
    pub fn limited(self, limits: IndexLimits) -> Parts<B> {
        Parts { limits, ..self }
    }

    /// Sets how much work on these parts may hold at a time, from now on.
    pub fn limit(&mut self, limits: IndexLimits) {
        self.limits = limits;
        self.relieve();
    }

    /// Returns how much work on these parts may hold at a time.
    pub fn limits(&self) -> &IndexLimits {
        &self.limits
    }

    /// Releases the pages of all parts, if there are more of them in memory than the limits allow.
    pub fn relieve(&self) {
        let pages = self.limits.pages;
        if pages < u64::MAX && self.parts.iter().map(Part::resident).sum::<u64>() > pages {
            self.release();
        }
    }

    /// Releases the pages of all parts.
    pub fn release(&self) {
        self.parts.iter().for_each(Part::release);
    }

    /// Reads everything of a part and verifies every checksum. The stage counts documents.
    pub fn check(&self, part: usize, stage: &Stage) -> Result<(), PartError> {
        let before = stage.done();
        let pause = |done: u64| {
            self.relieve();
            stage.check()?;
            if done.is_multiple_of(SOME) {
                stage.reach(before + done);
            }
            Ok(())
        };
        self.parts[part].check_within(pause).map_err(|error| error.in_part(part))?;
        stage.reach(before + u64::from(self.parts[part].len()));
        Ok(())
    }

    /// Returns the lowest threshold that can be asked for.
    pub fn threshold(&self) -> &Threshold {
        &self.threshold
    }

    /// Returns the parts.
    pub fn parts(&self) -> &[Part<B>] {
        &self.parts
    }

    /// Returns the parts, to be used elsewhere.
    pub fn into_parts(self) -> Vec<Part<B>> {
        self.parts
    }

    /// Returns the serial numbers of documents that were taken out and are still in a part.
    pub fn gone(&self) -> &[u64] {
        &self.gone
    }

    /// Returns the number of documents.
    pub fn len(&self) -> u64 {
        // A damaged part may have several documents with one serial number.
        let all: u64 = self.parts.iter().map(|part| u64::from(part.len())).sum();
        all.saturating_sub(self.gone.len() as u64)
    }

    /// Returns whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Replaces parts, for example by the merged one, and returns them.
    pub(super) fn splice(&mut self, range: Range<usize>, with: impl IntoIterator<Item = Part<B>>) -> Vec<Part<B>> {
        self.parts.splice(range, with).collect()
    }

    /// Takes documents out. Serial numbers of documents that are not in the index are ignored.
    pub fn take_out(&mut self, serials: &[u64]) -> Result<(), PartError> {
        let mut there = Vec::new();
        for &serial in serials {
            if self.place_of(serial)?.is_some() {
                there.push(serial);
            }
        }
        self.gone.append(&mut there);
        self.gone.sort_unstable();
        self.gone.dedup();
        Ok(())
    }

    /// Puts back what was taken out since the list of taken-out documents was this one.
    pub(super) fn put_back(&mut self, gone: Vec<u64>) {
        self.gone = gone;
    }

    /// Forgets taken-out documents that are no longer in any part. If the stage cancels it, none.
    pub fn forget_gone(&mut self, stage: &Stage) -> Result<(), PartError> {
        let mut left = Vec::new();
        for &serial in &self.gone {
            stage.check()?;
            if self.find_serial(serial)?.is_some() {
                left.push(serial);
            }
        }
        self.gone = left;
        Ok(())
    }

    pub(super) fn is_gone(&self, serial: u64) -> bool {
        self.gone.binary_search(&serial).is_ok()
    }

    /// Returns where the document with a serial number is. `None` if it was taken out.
    pub fn place_of(&self, serial: u64) -> Result<Option<Place>, PartError> {
        if self.is_gone(serial) { Ok(None) } else { self.find_serial(serial) }
    }

    fn find_serial(&self, serial: u64) -> Result<Option<Place>, PartError> {
        self.relieve();
        for (part, one) in self.parts.iter().enumerate() {
            if let Some(document) = one.find_serial(serial).map_err(|error| error.in_part(part))? {
                return Ok(Some(Place { part, document }));
            }
        }
        Ok(None)
    }

    /// Returns the id of a document.
    pub fn id(&self, place: Place) -> Result<&str, PartError> {
        self.relieve();
        self.parts[place.part].id(place.document).map_err(|error| error.in_part(place.part))
    }

    /// Appends the serial numbers of the documents with this id.
    pub fn find_id(&self, id: &str, serials: &mut Vec<u64>) -> Result<(), PartError> {
        self.relieve();
        let find = |part: &Part<B>, serials: &mut Vec<u64>| {
            let mut documents = Vec::new();
            part.find_id(id, |document| documents.push(document))?;
            for document in documents {
                let serial = part.serial(document)?;
                if !self.is_gone(serial) {
                    serials.push(serial);
                }
            }
            Ok(())
        };
        let mut parts = self.parts.iter().enumerate();
        parts.try_for_each(|(number, part)| find(part, serials).map_err(|error: PartError| error.in_part(number)))
    }

    /// Returns what is remembered of a removed document whose set has this hash, if its twin is still there.
    pub fn remembered(&self, hash: u128) -> Result<Option<Remembered>, PartError> {
        let mut all = Vec::new();
        for (number, part) in self.parts.iter().enumerate() {
            part.find_remembered(hash, |one| all.push(one)).map_err(|error| error.in_part(number))?;
        }
        for one in all {
            if self.place_of(one.twin)?.is_some() {
                return Ok(Some(one));
            }
        }
        Ok(None)
    }

    /// Calls `each` with every document that reaches the threshold with a set, the oldest part first, and the number of its part. The
    /// threshold must have the measure of the index, and be at least as high. Documents with a serial number of `below` or more are
    /// left out.
    pub fn find(
        &self,
        set: &[u64],
        threshold: &Threshold,
        below: u64,
        scratch: &mut FindScratch,
        mut each: impl FnMut(usize, Found),
    ) -> Result<(), PartError> {
        let keys: Vec<u64> = set.iter().map(|&element| mix(element)).collect();
        let (mut passed, mut runs) = (Vec::new(), Vec::new());
        for (number, part) in self.parts.iter().enumerate() {
            let mut find = || {
                runs.clear();
                part.pass_filter(&keys, (0, u64::MAX), &mut passed, |&key| key)?;
                part.for_each_run(&passed, |&key| key, |_, run| runs.push(run))?;
                let wanted = |_, serial| serial < below && !self.is_gone(serial);
                self.find_in(number, set, &runs, threshold, wanted, scratch, |found| each(number, found))
            };
            find().map_err(|error| error.in_part(number))?;
        }
        Ok(())
    }

    /// The same in one part, given the runs of postings of the set's elements. Leaves out documents that are not `wanted` by their number
    /// and serial number.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn find_in(
        &self,
        number: usize,
        set: &[u64],
        runs: &[Run],
        threshold: &Threshold,
        wanted: impl Fn(u32, u64) -> bool,
        scratch: &mut FindScratch,
        each: impl FnMut(Found),
    ) -> Result<(), PartError> {
        let most = u32::try_from(self.limits.documents).unwrap_or(u32::MAX);
        let thresholds = (&self.threshold, threshold);
        self.parts[number].find(set, runs, thresholds, most, wanted, || self.relieve(), scratch, each)
    }
}
