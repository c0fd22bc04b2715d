//! A collection that is ready to be joined by the plan that was chosen for it.

use std::cmp::Ordering;
use std::sync::Arc;

use super::brute::Brute;
use super::dense::DenseSource;
use super::forecast::Forecast;
use super::frame::Frame;
use super::paper::PaperSource;
use super::source::{Compared, Emit, Indexed, KeepOrder, PairSource, Twin};
use super::sparse::SparseSource;
use super::expand::expand;
use super::{Counted, Counts, JoinError, Pair, Plan, Side};
use crate::measure::Threshold;
use crate::progress::Stage;
use crate::sets::SetStore;

/// A collection of sets made ready to be joined.
pub struct Joinable {
    pub(super) engine: Engine,
    pub(super) plan: Plan,
    /// What was foreseen, and the sets as they were, if the plan may still change.
    pub(super) change: Option<Change>,
}

/// What a change of plan takes.
#[derive(Clone)]
pub(super) struct Change {
    pub(super) forecast: Forecast,
    pub(super) store: Arc<SetStore>,
}

pub(super) enum Engine {
    Sparse(Box<SparseSource>),
    Dense(Box<DenseSource>),
    Paper(PaperSource),
    Brute(Brute),
}

/// Documents looked at to estimate the number of pairs, and how many pairs a document may have within a block.
const SAMPLE: u32 = 256;
const PAIRS_IN_BLOCK: f64 = 64.0;
/// A share of all pairs.
const MANY_ALIKE: f64 = 1.0 / 32.0;
/// The fewest documents that are worth a join.
const FEWEST: usize = 128;

impl Joinable {
    pub(super) fn new(engine: Engine, plan: Plan) -> Joinable {
        Joinable { engine, plan, change: None }
    }

    /// What was chosen, and why.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The threshold.
    pub fn threshold(&self) -> &Threshold {
        &self.frame().threshold
    }

    /// How many elements a document's set has.
    pub fn size(&self, document: u32) -> u32 {
        self.frame().size(document)
    }

    /// All pairs of documents, in order, from those of documents that stand for their groups; those of equal sets included.
    pub fn expand(&self, found: &[Pair]) -> Vec<Pair> {
        let frame = self.frame();
        let (is_there, want) = (|document| frame.size(document) > 0, |a, b| frame.references.want(a, b));
        expand(&frame.keep, is_there, want, |document| frame.size(document), found)
    }

    pub(super) fn frame(&self) -> &Frame {
        match &self.engine {
            Engine::Sparse(source) => &source.frame,
            Engine::Dense(source) => &source.frame,
            Engine::Paper(source) => &source.frame,
            Engine::Brute(source) => &source.frame,
        }
    }

    fn source(&self) -> &dyn PairSource {
        match &self.engine {
            Engine::Sparse(source) => &**source,
            Engine::Dense(source) => &**source,
            Engine::Paper(source) => source,
            Engine::Brute(source) => source,
        }
    }

    fn source_mut(&mut self) -> &mut dyn PairSource {
        match &mut self.engine {
            Engine::Sparse(source) => &mut **source,
            Engine::Dense(source) => &mut **source,
            Engine::Paper(source) => source,
            Engine::Brute(source) => source,
        }
    }
}

impl PairSource for Joinable {
    fn keep_order(&self) -> &KeepOrder {
        &self.frame().keep
    }

    fn compared(&self) -> Compared {
        self.source().compared()
    }

    fn work(&self) -> usize {
        self.source().work()
    }

    fn pairs(&mut self, stage: &Stage, emit: Emit) -> Result<Counts, JoinError> {
        self.try_index();
        self.source_mut().pairs(stage, emit)
    }

    fn pairs_among(&mut self, among: &[(u32, Side)], stage: &Stage, emit: Emit) -> Result<(), JoinError> {
        self.source_mut().pairs_among(among, stage, emit)
    }

    fn compare(&self, document: u32, one: Twin, two: Twin) -> Ordering {
        self.frame().compare(document, one, two)
    }

    fn common(&self, a: u32, b: u32) -> u32 {
        self.source().common(a, b)
    }

    fn similarity(&self, a: u32, b: u32, common: u32) -> f64 {
        self.frame().similarity(a, b, common)
    }

    /// As many as can be without those that resemble many others being compared with all of them.
    fn at_once(&mut self) -> usize {
        let likeness = self.likeness();
        // Where many are alike, a sample of their pairs would cost more than it tells.
        let pairs = if likeness > MANY_ALIKE { None } else { self.estimate(SAMPLE, Counted::Sets) };
        let count = self.work().max(1) as f64;
        let pairs_each = pairs.map_or(likeness * count, |pairs| pairs as f64 / count);
        ((count * PAIRS_IN_BLOCK / pairs_each.max(1.0)) as usize).max(FEWEST)
    }

    fn index(&mut self) -> Option<Indexed<'_>> {
        let forecast = self.change.as_ref().map(|change| change.forecast);
        let indexed = self.source_mut().index()?;
        Some(Indexed { forecast, ..indexed })
    }

    fn leave_index(&mut self) {
        self.change_to_dense();
    }
}
