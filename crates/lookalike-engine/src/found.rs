use std::time::Duration;

use lookalike::join::Plan;
use lookalike::join::paper::Counts;
use lookalike::{Pair, Threshold};

use crate::error::Error;
use crate::expand::InOrder;
use crate::histogram::Histogram;
use crate::pair_table::Row;
use crate::sign::Signatures;
use crate::signed::SignedReport;

/// Pairs that were found.
pub(crate) struct Found {
    pub(crate) pairs: Hits,
    pub(crate) by: By,
    pub(crate) work: Work,
}

/// Pairs of documents, each with a number, in the order in which they are to be written.
pub(crate) enum Hits {
    InOrder(InOrder),
    Ranked(Vec<Pair>),
}

/// What was compared, and so what the number of a pair is.
pub(crate) enum By {
    /// Sets of these sizes: how many elements they share.
    Sets { threshold: Threshold, sizes: Vec<u32> },
    /// Texts within this distance: theirs.
    Texts { distance: u32 },
    /// Sets whose signatures made them candidates; a threshold of none reports them all.
    Signatures { threshold: Threshold, reaches: bool, sizes: Vec<u32>, signatures: Signatures },
}

/// What was done to find them.
pub(crate) struct Work {
    pub(crate) method: String,
    /// The method, and why it was chosen.
    pub(crate) plan: String,
    pub(crate) counts: Counts,
    /// How many different sets, or texts, there are.
    pub(crate) distinct_sets: u64,
    /// How long it took to get ready.
    pub(crate) prepare: Duration,
    /// And to join.
    pub(crate) join: Duration,
    /// What came of signatures, if pairs were found by them.
    pub(crate) signed: Option<SignedReport>,
}

impl Work {
    pub(crate) fn of_sets(plan: &Plan, counts: Counts, distinct_sets: u64, prepare: Duration, join: Duration) -> Work {
        Work {
            method: plan.method.to_string(),
            plan: plan.to_string(),
            counts,
            distinct_sets,
            prepare,
            join,
            signed: None,
        }
    }
}

impl By {
    pub(crate) fn is_distance(&self) -> bool {
        match self {
            By::Sets { threshold, .. } | By::Signatures { threshold, .. } => threshold.is_distance(),
            By::Texts { .. } => true,
        }
    }

    /// Whether it is told in how many bits documents agree.
    pub(crate) fn tells_agreement(&self) -> bool {
        matches!(self, By::Signatures { signatures: Signatures::SimHashes { .. }, .. })
    }

    fn row(&self, a: u32, b: u32, number: u32) -> Row {
        match self {
            By::Sets { threshold, sizes } | By::Signatures { threshold, sizes, .. } => {
                let (size_a, size_b) = (sizes[a as usize], sizes[b as usize]);
                let value = threshold.similarity(number, size_a, size_b);
                let agree = match self {
                    By::Signatures { signatures, .. } => signatures.agree(a, b),
                    By::Sets { .. } | By::Texts { .. } => None,
                };
                Row { a, b, value, common: number, size_a, size_b, agree }
            }
            // As a set, a text has one element: itself.
            By::Texts { .. } => {
                Row { a, b, value: number.into(), common: u32::from(number == 0), size_a: 1, size_b: 1, agree: None }
            }
        }
    }

    /// The number of two equal documents.
    fn of_equal(&self, document: u32) -> u32 {
        match self {
            By::Sets { sizes, .. } | By::Signatures { sizes, .. } => sizes[document as usize],
            By::Texts { .. } => 0,
        }
    }
}

impl Found {
    /// An empty histogram that has room for all.
    pub(crate) fn histogram(&self) -> Histogram {
        let last = match &self.pairs {
            Hits::InOrder(_) => None,
            Hits::Ranked(pairs) => pairs.last().map(|last| self.by.row(last.a, last.b, last.common).value),
        };
        match (last, &self.by) {
            (Some(most), by) if by.is_distance() => Histogram::distances(most as u64),
            (Some(least), _) => Histogram::similarities(least),
            (None, By::Signatures { reaches: false, .. }) => Histogram::similarities(0.0),
            (None, By::Sets { threshold, .. } | By::Signatures { threshold, .. }) => Histogram::of(threshold),
            (None, By::Texts { distance }) => Histogram::distances(u64::from(*distance)),
        }
    }

    /// Calls `each` with every pair, and returns what was done to find them.
    pub(crate) fn for_each(self, mut each: impl FnMut(Row) -> Result<(), Error>) -> Result<Work, Error> {
        let Found { pairs, by, work } = self;
        let mut put = |a: u32, b: u32, number: u32| each(by.row(a, b, number));
        match pairs {
            Hits::InOrder(pairs) => pairs.for_each(|document| by.of_equal(document), put)?,
            Hits::Ranked(pairs) => pairs.into_iter().try_for_each(|Pair { a, b, common }| put(a, b, common))?,
        }
        Ok(work)
    }
}
