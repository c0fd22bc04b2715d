//! Accounts for every input row as kept or removed, and checks the stated twins.

use std::borrow::Cow;
use std::collections::HashMap;

use lookalike::Threshold;
use lookalike::engine::common;

use super::removed::Removed;
use crate::error::Error;
use crate::read::Collection;
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
    all: &'a Collection,
    by_id: HashMap<String, Vec<u32>>,
    states: Vec<State>,
    pub(super) references: std::ops::Range<u32>,
    kept_rows: std::ops::Range<u32>,
    /// The document of each row of the table of removed documents, if it was found.
    removed: Vec<Option<u32>>,
    pub(super) failures: Vec<Failure>,
}

impl<'a> Ledger<'a> {
    pub(super) fn new(all: &'a Collection, first_kept_source: usize, sources: usize) -> Result<Ledger<'a>, Error> {
        let inputs = all.documents.inputs();
        let kept_rows = if first_kept_source < sources {
            all.documents.of_source(first_kept_source).start..all.documents.len() as u32
        } else {
            all.documents.len() as u32..all.documents.len() as u32
        };
        let mut by_id: HashMap<String, Vec<u32>> = HashMap::new();
        for document in 0..kept_rows.start {
            by_id.entry(all.documents.id(document)?.into_owned()).or_default().push(document);
        }
        Ok(Ledger {
            all,
            by_id,
            states: vec![State::Open; inputs as usize],
            references: inputs..kept_rows.start,
            kept_rows,
            removed: Vec::new(),
            failures: Vec::new(),
        })
    }

    fn inputs_called(&self, id: &str) -> Vec<u32> {
        let all = self.by_id.get(id).map_or(&[][..], Vec::as_slice);
        all.iter().copied().filter(|&document| document < self.references.start).collect()
    }

    /// Accounts for every row: first the removed rows with a unique id, then the kept rows by id and text, then the removed rows whose id
    /// several documents share. Such a row gets the first document that fits its stated twin.
    pub(super) fn settle(&mut self, removed: &[Removed], threshold: &Threshold) -> Result<(), Error> {
        self.removed = vec![None; removed.len()];
        for (at, row) in removed.iter().enumerate() {
            match self.inputs_called(&row.id)[..] {
                [] => self.failures.push(Failure::Unknown(row.id.clone())),
                [document] if self.states[document as usize] == State::Open => self.remove(at, document),
                [_] => self.failures.push(Failure::Twice(row.id.clone())),
                _ => {}
            }
        }
        self.settle_kept()?;
        for (at, row) in removed.iter().enumerate() {
            let called = self.inputs_called(&row.id);
            if called.len() > 1 {
                let open: Vec<u32> =
                    called.into_iter().filter(|&document| self.states[document as usize] == State::Open).collect();
                let fits =
                    |&&document: &&u32| self.judge(document, row, threshold).is_none_or(|failure| failure.is_none());
                match open.iter().find(fits).or(open.first()) {
                    Some(&document) => self.remove(at, document),
                    None => self.failures.push(Failure::Twice(row.id.clone())),
                }
            }
        }
        for document in self.documents_that_are(State::Open) {
            self.failures.push(Failure::Lost(self.all.documents.id(document)?.into_owned()));
        }
        Ok(())
    }

    fn remove(&mut self, row: usize, document: u32) {
        self.states[document as usize] = State::Removed;
        self.removed[row] = Some(document);
    }

    /// Matches each kept row with an open input of the same id and text, or of the same text if it has no id.
    fn settle_kept(&mut self) -> Result<(), Error> {
        let documents = &self.all.documents;
        let mut open: HashMap<(Option<Cow<str>>, u64), Vec<u32>> = HashMap::new();
        for document in (0..self.references.start).rev() {
            if self.states[document as usize] == State::Open {
                let key = (documents.own_id(document)?, self.all.text_hashes[document as usize]);
                open.entry(key).or_default().push(document);
            }
        }
        for row in self.kept_rows.clone() {
            let key = (documents.own_id(row)?, self.all.text_hashes[row as usize]);
            match open.get_mut(&key).and_then(Vec::pop) {
                Some(document) => self.states[document as usize] = State::Kept,
                None => {
                    let name = documents.id(row)?.into_owned();
                    let called = key.0.map_or_else(Vec::new, |id| self.inputs_called(&id));
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
    pub(super) fn check_twins(&mut self, removed: &[Removed], threshold: &Threshold) -> Vec<u32> {
        let mut without = Vec::new();
        for (row, document) in removed.iter().zip(std::mem::take(&mut self.removed)) {
            let Some(document) = document else { continue };
            match self.judge(document, row, threshold) {
                Some(failure) => self.failures.extend(failure),
                None => without.push(document),
            }
        }
        without
    }

    /// What is wrong with the stated twin of a document, if anything. `None` if no twin is stated.
    fn judge(&self, document: u32, row: &Removed, threshold: &Threshold) -> Option<Option<Failure>> {
        let twin = row.twin.as_ref()?;
        let store = &self.all.store;
        let is_kept =
            |&other: &u32| self.references.contains(&other) || self.states.get(other as usize) == Some(&State::Kept);
        let called = self.by_id.get(twin).map_or(&[][..], Vec::as_slice);
        let shared = |other: u32| common(store.set(document), store.set(other));
        let size = |document: u32| store.size(document);
        let best =
            called.iter().copied().filter(is_kept).max_by(|&one, &two| {
                threshold.compare(size(document), (shared(one), size(one)), (shared(two), size(two)))
            });
        let (id, twin) = (row.id.clone(), twin.clone());
        let Some(best) = best else { return Some(Some(Failure::TwinGone(id, twin))) };
        let (common, a, b) = (shared(best), size(document), size(best));
        let empty = a.min(b) == 0;
        let similarity = if empty { 0.0 } else { threshold.similarity(common, a, b) };
        let stated = row.similarity.filter(|stated| (stated - similarity).abs() > TOLERANCE);
        Some(match stated {
            _ if empty || !threshold.reaches(common, a, b) => Some(Failure::TooFar(id, twin, similarity)),
            Some(stated) => Some(Failure::Misstated(id, twin, stated, similarity)),
            None => None,
        })
    }
}
