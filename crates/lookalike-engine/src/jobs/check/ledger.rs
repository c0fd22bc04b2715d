//! Accounts for every input row as kept or removed, and checks the stated twins.

use std::ops::Range;

use lookalike::Threshold;
use lookalike::engine::{Progress, Stage, hash_token};

use super::ids::{ByKey, Ids};
use super::removed::{Removed, RemovedRow};
use super::sets::SetsOfTwins;
use crate::error::{Error, check_cancelled};
use crate::read::Documents;
use crate::report::Failure;

/// Another tool may have rounded the similarities that it states.
const TOLERANCE: f64 = 1e-9;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Open,
    Kept,
    Removed,
}

/// The state of every input row.
pub(super) struct Ledger<'a> {
    documents: &'a Documents,
    /// A hash of each text.
    text_hashes: &'a [u64],
    ids: &'a Ids<'a>,
    removed_rows: &'a Removed,
    sets: SetsOfTwins<'a>,
    threshold: &'a Threshold,
    states: Vec<State>,
    references: Range<u32>,
    kept_rows: Range<u32>,
    /// The document of each row of the table of removed documents, if it was found.
    removed: Vec<Option<u32>>,
    pub(super) failures: Vec<Failure>,
}

impl<'a> Ledger<'a> {
    pub(super) fn new(
        (documents, text_hashes): (&'a Documents, &'a [u64]),
        references: Range<u32>,
        ids: &'a Ids<'a>,
        removed_rows: &'a Removed,
        sets: SetsOfTwins<'a>,
        threshold: &'a Threshold,
    ) -> Ledger<'a> {
        Ledger {
            documents,
            text_hashes,
            ids,
            removed_rows,
            sets,
            threshold,
            states: vec![State::Open; documents.inputs() as usize],
            kept_rows: references.end..documents.len() as u32,
            references,
            removed: Vec::new(),
            failures: Vec::new(),
        }
    }

    fn inputs_called(&self, id: &str) -> Result<Vec<u32>, Error> {
        let mut called = self.ids.called(id)?;
        called.retain(|&document| document < self.references.start);
        Ok(called)
    }

    /// Accounts for every row: first the removed rows with a unique id, then the kept rows by id and text, then the removed rows whose id
    /// several documents share. Such a row gets the first document that fits its stated twin.
    pub(super) fn settle(&mut self, progress: &dyn Progress) -> Result<(), Error> {
        self.removed = vec![None; self.removed_rows.len()];
        for at in 0..self.removed_rows.len() {
            check_cancelled(progress)?;
            let id = self.removed_rows.id(at)?;
            match self.inputs_called(&id)?[..] {
                [] => self.failures.push(Failure::Unknown(id.into_owned())),
                [document] if self.states[document as usize] == State::Open => self.remove(at, document),
                [_] => self.failures.push(Failure::Twice(id.into_owned())),
                _ => {}
            }
        }
        self.settle_kept(progress)?;
        for at in 0..self.removed_rows.len() {
            check_cancelled(progress)?;
            let id = self.removed_rows.id(at)?;
            let called = self.inputs_called(&id)?;
            if called.len() > 1 {
                match self.first_that_fits(at, &called)? {
                    Some(document) => self.remove(at, document),
                    None => self.failures.push(Failure::Twice(id.into_owned())),
                }
            }
        }
        for document in self.documents_that_are(State::Open) {
            self.failures.push(Failure::Lost(self.documents.id(document)?.into_owned()));
        }
        Ok(())
    }

    /// The first open document that fits the stated twin of a row, or else the first open one.
    fn first_that_fits(&self, at: usize, called: &[u32]) -> Result<Option<u32>, Error> {
        let row = self.removed_rows.row(at)?;
        let mut first = None;
        for &document in called.iter().filter(|&&document| self.states[document as usize] == State::Open) {
            if self.judge(document, &row)?.is_none_or(|failure| failure.is_none()) {
                return Ok(Some(document));
            }
            first = first.or(Some(document));
        }
        Ok(first)
    }

    fn remove(&mut self, row: usize, document: u32) {
        self.states[document as usize] = State::Removed;
        self.removed[row] = Some(document);
    }

    /// Matches each kept row with an open input of the same id and text, or of the same text if it has no id.
    fn settle_kept(&mut self, progress: &dyn Progress) -> Result<(), Error> {
        let Ledger { documents, text_hashes, .. } = *self;
        let hash = |document: u32| -> Result<u64, Error> {
            let id = documents.own_id(document)?.map_or(0, |id| hash_token(id.as_bytes()));
            Ok(hash_token(&[id.to_le_bytes(), text_hashes[document as usize].to_le_bytes()].concat()))
        };
        let open = |document: &u32| self.states[*document as usize] == State::Open;
        let open = ByKey::new((0..self.references.start).filter(open).map(|document| Ok((hash(document)?, document))))?;
        // By the first place of a key: how many from there on are no longer open.
        let mut done = vec![0u32; open.len() + 1];
        for row in self.kept_rows.clone() {
            check_cancelled(progress)?;
            let (id, text) = (documents.own_id(row)?, text_hashes[row as usize]);
            let mut places = open.places(hash(row)?);
            let is_open = |place: usize| self.states[open.document(place) as usize] == State::Open;
            let done = &mut done[places.start];
            places.start += *done as usize;
            while !places.is_empty() && !is_open(places.start) {
                *done += 1;
                places.start += 1;
            }
            let mut equal = None;
            for document in places.filter(|&place| is_open(place)).map(|place| open.document(place)) {
                if text_hashes[document as usize] == text && documents.own_id(document)? == id {
                    equal = Some(document);
                    break;
                }
            }
            match equal {
                Some(document) => self.states[document as usize] = State::Kept,
                None => {
                    let name = documents.id(row)?.into_owned();
                    let called = id.map_or_else(|| Ok(Vec::new()), |id| self.inputs_called(&id))?;
                    self.failures.push(match called[..] {
                        [] => Failure::Unknown(name),
                        [document] if self.states[document as usize] == State::Open => {
                            self.states[document as usize] = State::Kept;
                            Failure::Changed(name)
                        }
                        _ => Failure::Twice(name),
                    });
                }
            }
        }
        Ok(())
    }

    pub(super) fn documents_that_are(&self, state: State) -> Vec<u32> {
        (0..self.references.start).filter(|&document| self.states[document as usize] == state).collect()
    }

    /// Checks every stated twin. Returns the removed documents without a stated twin.
    pub(super) fn check_twins(&mut self, progress: &dyn Progress) -> Result<Vec<u32>, Error> {
        let stage = Stage::begin(progress, "comparing", self.removed.len());
        let mut without = Vec::new();
        for (at, document) in std::mem::take(&mut self.removed).into_iter().enumerate() {
            check_cancelled(&stage)?;
            stage.add(1);
            let Some(document) = document else { continue };
            match self.judge(document, &self.removed_rows.row(at)?)? {
                Some(failure) => self.failures.extend(failure),
                None => without.push(document),
            }
        }
        Ok(without)
    }

    /// The failure of the stated twin of a document, if it fails. `None` if no twin is stated.
    fn judge(&self, document: u32, row: &RemovedRow) -> Result<Option<Option<Failure>>, Error> {
        let Some(twin) = &row.twin else { return Ok(None) };
        let (sets, threshold) = (&self.sets, self.threshold);
        let is_kept =
            |&other: &u32| self.references.contains(&other) || self.states.get(other as usize) == Some(&State::Kept);
        let size = |document: u32| sets.size(document);
        let mut best: Option<(u32, u32)> = None;
        for other in self.ids.called(twin)?.into_iter().filter(is_kept) {
            let common = sets.common(document, other)?;
            let is_better = best.is_none_or(|(before, shared)| {
                threshold.compare(size(document), (shared, size(before)), (common, size(other))).is_le()
            });
            if is_better {
                best = Some((other, common));
            }
        }
        let (id, twin) = (row.id.to_string(), twin.to_string());
        let Some((best, common)) = best else { return Ok(Some(Some(Failure::TwinGone(id, twin)))) };
        let (a, b) = (size(document), size(best));
        let empty = a.min(b) == 0;
        let similarity = if empty { 0.0 } else { threshold.similarity(common, a, b) };
        let stated = row.similarity.filter(|stated| (stated - similarity).abs() > TOLERANCE);
        Ok(Some(match stated {
            _ if empty || !threshold.reaches(common, a, b) => Some(Failure::TooFar(id, twin, similarity)),
            Some(stated) => Some(Failure::Misstated(id, twin, stated, similarity)),
            None => None,
        }))
    }
}
