//! A collection that is ready to be joined by the chosen plan.

use std::sync::Arc;

use crate::join::expand_groups::{expand_first, expand_groups, members};
use crate::join::forecast::Forecast;
use crate::join::frame::Frame;
use crate::join::source::PairSource;
use crate::join::sources::Brute;
use crate::join::sources::DenseSource;
use crate::join::sources::PaperSource;
use crate::join::sources::SparseSource;
use crate::join::{JoinError, Pair, Plan};
use crate::measure::Threshold;
use crate::progress::Stage;
use crate::sets::SetStore;

/// A collection of sets that is ready to be joined.
pub struct Joinable {
    pub(super) prepared: Prepared,
    pub(super) plan: Plan,
    /// The forecast and the original sets, if the plan may still change.
    pub(super) change: Option<Change>,
}

/// What a change of plan needs.
#[derive(Clone)]
pub(super) struct Change {
    pub(super) forecast: Forecast,
    pub(super) store: Arc<SetStore>,
}

pub(super) enum Prepared {
    Sparse(Box<SparseSource>),
    Dense(Box<DenseSource>),
    Paper(PaperSource),
    Brute(Brute),
}

impl Joinable {
    pub(super) fn new(prepared: Prepared, plan: Plan) -> Joinable {
        Joinable { prepared, plan, change: None }
    }

    /// Returns the chosen plan and the reasons.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Returns the threshold.
    pub fn threshold(&self) -> &Threshold {
        &self.frame().threshold
    }

    /// Returns the size of a document's set.
    pub fn size(&self, document: u32) -> u32 {
        self.frame().size(document)
    }

    /// Expands pairs of representatives to all pairs of documents, in order, including pairs of equal sets.
    pub fn expand_groups(&self, found: Vec<Pair>, stage: &Stage) -> Result<Vec<Pair>, JoinError> {
        self.expand_wanted(found, |_| true, |_| true, usize::MAX, stage)
    }

    /// Like [`Joinable::expand_groups`], but only pairs of certain documents, and of those only certain pairs. Fails if there are more than `most`.
    pub(crate) fn expand_wanted(
        &self,
        found: Vec<Pair>,
        can_be: impl Fn(u32) -> bool,
        want: impl Fn(&Pair) -> bool,
        most: usize,
        stage: &Stage,
    ) -> Result<Vec<Pair>, JoinError> {
        let frame = self.frame();
        let can_be = |document| frame.size(document) > 0 && can_be(document);
        let want = |pair: &Pair| frame.references.want(pair.a, pair.b) && want(pair);
        expand_groups(&frame.keep, can_be, want, |document| frame.size(document), found, most, stage)
    }

    /// Calls `put` with the first `most` wanted pairs of each pair of representatives, and of each group.
    pub(crate) fn expand_first(
        &self,
        found: &[Pair],
        can_be: impl Fn(u32) -> bool,
        want: impl Fn(&Pair) -> bool,
        most: usize,
        put: impl FnMut(Pair),
        stage: &Stage,
    ) -> Result<(), JoinError> {
        let frame = self.frame();
        let can_be = |document| frame.size(document) > 0 && can_be(document);
        let want = |pair: &Pair| frame.references.want(pair.a, pair.b) && want(pair);
        let members = members(&frame.keep, can_be);
        expand_first(&members, want, |document| frame.size(document), found, most, put, stage)
    }

    pub(super) fn frame(&self) -> &Frame {
        match &self.prepared {
            Prepared::Sparse(source) => &source.frame,
            Prepared::Dense(source) => &source.frame,
            Prepared::Paper(source) => &source.frame,
            Prepared::Brute(source) => &source.frame,
        }
    }

    pub(super) fn source(&self) -> &dyn PairSource {
        match &self.prepared {
            Prepared::Sparse(source) => &**source,
            Prepared::Dense(source) => &**source,
            Prepared::Paper(source) => source,
            Prepared::Brute(source) => source,
        }
    }

    pub(super) fn source_mut(&mut self) -> &mut dyn PairSource {
        match &mut self.prepared {
            Prepared::Sparse(source) => &mut **source,
            Prepared::Dense(source) => &mut **source,
            Prepared::Paper(source) => source,
            Prepared::Brute(source) => source,
        }
    }
}
