//! The promises, put to the test on what a run wrote, ours or another tool's.
//!
//! 1. Every input row is kept or removed, and nothing else is.
//! 2. No two kept documents reach the threshold, nor does a kept one with one of the reference collection.
//! 3. Every removed document's twin is kept (or in the reference collection) and as similar as stated. Where no twin is stated, there
//!    must be one.

use std::collections::HashMap;

use lookalike::sets::Groups;
use lookalike::verify::common;
use lookalike::{Join, Joinable, SetStore, Threshold};
use lookalike_io::Source;

use crate::collect::{Collection, Collector};
use crate::error::{Error, pool};
use crate::expand::{Expansion, Sides};
use crate::keep::Keep;
use crate::removed::{Removed, read_removed};
use crate::verdict::{Failure, Verdict};
use crate::watch::Watch;

/// What to check.
pub struct Check {
    /// What went into the run.
    pub inputs: Vec<Source>,
    /// Its reference collection.
    pub against: Vec<Source>,
    /// The rows that it kept.
    pub kept: Vec<Source>,
    /// The table of those that it removed.
    pub removed: Vec<Source>,
    /// How the run read.
    pub collector: Collector,
    /// What made a pair.
    pub threshold: Threshold,
}

/// A stated similarity may have been rounded to print it, by another tool.
const TOLERANCE: f64 = 1e-9;

impl Check {
    /// Checks.
    pub fn run(self, watch: &dyn Watch) -> Result<Verdict, Error> {
        self.collector.check_within(&self.threshold)?;
        let pool = pool(self.collector.threads)?;
        let collector = Collector { hash_texts: true, ..self.collector.clone() };
        // One collection: the inputs, the reference, and the kept rows, which are copies of inputs.
        let parts = [&self.inputs[..], &self.against, &self.kept];
        let sources: Vec<Source> = parts.concat();
        let all = collector.collect(&sources, self.inputs.len(), &Keep::First, watch)?;
        let removed = read_removed(&self.removed)?;

        let first_kept_source = self.inputs.len() + self.against.len();
        let mut ledger = Ledger::new(&all, first_kept_source, sources.len());
        ledger.settle(&removed, &self.threshold);
        let twins = ledger.check_twins(&removed, &self.threshold);
        let kept: Vec<u32> = ledger.documents_that_are(State::Kept);
        let references: Vec<u32> = ledger.references.clone().collect();
        let mut failures = ledger.failures;
        let unnamed = pool.install(|| {
            let found = kept_pairs(&all, &references, &kept, self.threshold)?;
            let unnamed = found.count - found.named.len() as u64;
            failures.extend(found.named);
            failures.extend(without_twin(&all, &references, &kept, &twins, self.threshold)?);
            Ok::<u64, Error>(unnamed)
        })?;
        Ok(Verdict {
            documents: u64::from(all.documents.inputs()),
            kept: kept.len() as u64,
            removed: removed.len() as u64,
            bad_rows: all.tally.unusable + all.tally.unreadable,
            breaches: failures.len() as u64 + unnamed,
            failures,
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    Kept,
    Removed,
}

/// Who is accounted for.
struct Ledger<'a> {
    all: &'a Collection,
    by_id: HashMap<String, Vec<u32>>,
    states: Vec<State>,
    references: std::ops::Range<u32>,
    kept_rows: std::ops::Range<u32>,
    /// The document of each row of the table, if it was found.
    removed: Vec<Option<u32>>,
    failures: Vec<Failure>,
}

impl<'a> Ledger<'a> {
    fn new(all: &'a Collection, first_kept_source: usize, sources: usize) -> Ledger<'a> {
        let inputs = all.documents.inputs();
        let kept_rows = if first_kept_source < sources {
            all.documents.of_source(first_kept_source).start..all.documents.len() as u32
        } else {
            all.documents.len() as u32..all.documents.len() as u32
        };
        let mut by_id: HashMap<String, Vec<u32>> = HashMap::new();
        for document in 0..kept_rows.start {
            by_id.entry(all.documents.id(document).into_owned()).or_default().push(document);
        }
        Ledger {
            all,
            by_id,
            states: vec![State::Open; inputs as usize],
            references: inputs..kept_rows.start,
            kept_rows,
            removed: Vec::new(),
            failures: Vec::new(),
        }
    }

    fn inputs_called(&self, id: &str) -> Vec<u32> {
        let all = self.by_id.get(id).map_or(&[][..], Vec::as_slice);
        all.iter().copied().filter(|&document| document < self.references.start).collect()
    }

    /// Accounts for every row: first the removed ones whose id is unique, then the kept ones by id and text, then the removed ones whose
    /// id several share: the first of these that is as its row says.
    fn settle(&mut self, removed: &[Removed], threshold: &Threshold) {
        self.removed = vec![None; removed.len()];
        for (at, row) in removed.iter().enumerate() {
            match self.inputs_called(&row.id)[..] {
                [] => self.failures.push(Failure::Unknown(row.id.clone())),
                [document] if self.states[document as usize] == State::Open => self.remove(at, document),
                [_] => self.failures.push(Failure::Twice(row.id.clone())),
                _ => {}
            }
        }
        self.settle_kept();
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
            self.failures.push(Failure::Lost(self.all.documents.id(document).into_owned()));
        }
    }

    fn remove(&mut self, row: usize, document: u32) {
        self.states[document as usize] = State::Removed;
        self.removed[row] = Some(document);
    }

    /// A kept row is the input with its id and text; without ids of their own, any input with its text that is still open.
    fn settle_kept(&mut self) {
        let documents = &self.all.documents;
        let mut open: HashMap<(Option<&str>, u64), Vec<u32>> = HashMap::new();
        for document in (0..self.references.start).rev() {
            if self.states[document as usize] == State::Open {
                let key = (documents.own_id(document), self.all.text_hashes[document as usize]);
                open.entry(key).or_default().push(document);
            }
        }
        for row in self.kept_rows.clone() {
            let id = documents.own_id(row);
            match open.get_mut(&(id, self.all.text_hashes[row as usize])).and_then(Vec::pop) {
                Some(document) => self.states[document as usize] = State::Kept,
                None => {
                    let name = documents.id(row).into_owned();
                    let called = id.map_or_else(Vec::new, |id| self.inputs_called(id));
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
    }

    fn documents_that_are(&self, state: State) -> Vec<u32> {
        (0..self.references.start).filter(|&document| self.states[document as usize] == state).collect()
    }

    /// Checks every stated twin, and returns the removed documents for which none is stated.
    fn check_twins(&mut self, removed: &[Removed], threshold: &Threshold) -> Vec<u32> {
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

    /// What is wrong with a document's stated twin, if anything; `None` if none is stated.
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

/// Pairs that should not be.
#[derive(Default)]
struct KeptPairs {
    count: u64,
    /// The first of them.
    named: Vec<Failure>,
}

/// Pairs that are named. A run that removed nothing may have more than anyone reads.
const NAMED: usize = 10_000;

/// Every pair among the kept documents, or of one with a reference.
fn kept_pairs(all: &Collection, references: &[u32], kept: &[u32], threshold: Threshold) -> Result<KeptPairs, Error> {
    // Inputs before references, as the pairs want it.
    let documents: Vec<u32> = kept.iter().chain(references).copied().collect();
    let mut joinable = joinable(all, &documents, kept.len(), threshold)?;
    let pairs = Expansion::of(&mut joinable, Sides::all(kept.len() as u32, documents.len() as u32));
    let id = |document: u32| all.documents.id(documents[document as usize]).into_owned();
    let mut found = KeptPairs::default();
    pairs.finish(true)?.for_each_document(
        |document| joinable.size(document),
        |a, partners| {
            found.count += partners.count();
            let room = NAMED - found.named.len();
            if room > 0 {
                let name = |(b, common)| Failure::KeptPair(id(a), id(b), joinable.similarity(a, b, common));
                found.named.extend(partners.iter().take(room).map(name));
            }
            Ok(())
        },
    )?;
    Ok(found)
}

/// Removed documents that resemble no kept one.
fn without_twin(
    all: &Collection,
    references: &[u32],
    kept: &[u32],
    removed: &[u32],
    threshold: Threshold,
) -> Result<Vec<Failure>, Error> {
    if removed.is_empty() {
        return Ok(Vec::new());
    }
    let documents: Vec<u32> = removed.iter().chain(kept).chain(references).copied().collect();
    let inputs = removed.len() as u32;
    let mut joinable = joinable(all, &documents, removed.len(), threshold)?;
    let pairs = Expansion::of(&mut joinable, Sides::across(inputs, documents.len() as u32));
    let mut lost = Vec::new();
    pairs.finish(true)?.for_each_document(
        |document| joinable.size(document),
        |a, partners| {
            if partners.count() == 0 {
                lost.push(Failure::NoTwin(all.documents.id(documents[a as usize]).into_owned()));
            }
            Ok(())
        },
    )?;
    Ok(lost)
}

/// These documents, numbered anew and made ready, those from `inputs` on being a reference collection.
fn joinable(all: &Collection, documents: &[u32], inputs: usize, threshold: Threshold) -> Result<Joinable, Error> {
    let store = SetStore::of_sets(documents.iter().map(|&document| all.store.set(document)))?;
    let fingerprints = Groups::fingerprints(&store);
    let (inputs, total) = (inputs as u32, documents.len() as u32);
    let order = (inputs..total).chain(0..inputs).collect();
    Ok(Join::new(threshold).keep_order(order, (total - inputs) as usize).prepare(store, fingerprints)?)
}
