use std::time::Duration;

use lookalike::join::Plan;
use lookalike::join::paper::Counts;
use lookalike::{Pair, Threshold};
use rayon::prelude::*;

use crate::error::Error;
use crate::expand::InOrder;
use crate::histogram::Histogram;
use crate::limit::Selection;
use crate::pair_table::{Beside, Besides, Row, Telling};
use crate::signatures::Signatures;
use crate::signed::{Signed, SignedReport};

/// Pairs that were found.
pub(crate) struct Found {
    pub(crate) pairs: Hits,
    pub(crate) by: By,
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
    /// Signatures, and the sets of those that they made candidates, if they were compared: how many elements these share.
    Signatures(Box<Signed>),
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
            By::Sets { threshold, .. } => threshold.is_distance(),
            By::Signatures(_) => false,
            By::Texts { .. } => true,
        }
    }

    /// What is told of a pair.
    pub(crate) fn telling(&self) -> Telling {
        let (verified, beside) = match self {
            By::Sets { .. } | By::Texts { .. } => (true, Besides::Nothing),
            By::Signatures(signed) => {
                let beside = match &signed.signatures {
                    Signatures::Features(_) => Besides::Nothing,
                    Signatures::SimHashes { .. } => Besides::Agreement,
                    Signatures::Web { .. } => Besides::Pages,
                };
                (signed.is_verified(), beside)
            }
        };
        Telling { is_distance: self.is_distance(), verified, beside }
    }

    pub(crate) fn row(&self, a: u32, b: u32, number: u32) -> Row {
        let of_sets = |threshold: &Threshold, sizes: &[u32]| {
            let (size_a, size_b) = (sizes[a as usize], sizes[b as usize]);
            let value = threshold.similarity(number, size_a, size_b);
            Row { a, b, value, common: number, size_a, size_b, beside: Beside::Nothing }
        };
        match self {
            By::Sets { threshold, sizes } => of_sets(threshold, sizes),
            // As a set, a text has one element: itself.
            By::Texts { .. } => {
                let (common, beside) = (u32::from(number == 0), Beside::Nothing);
                Row { a, b, value: number.into(), common, size_a: 1, size_b: 1, beside }
            }
            By::Signatures(signed) => {
                let Signed { threshold, sizes, signatures, .. } = &**signed;
                let mut row = of_sets(threshold, sizes);
                if !signed.is_verified() && !row.is_identical() {
                    row.value = signatures.estimate(a, b);
                }
                let agreement = signatures.agree(a, b).map(Beside::Agreement);
                let pages = signatures.of_pages(a, b).map(|pair| Beside::Pages(pair, None));
                Row { beside: agreement.or(pages).unwrap_or(Beside::Nothing), ..row }
            }
        }
    }

    /// An empty histogram that has room for all that is a pair.
    pub(crate) fn histogram(&self) -> Histogram {
        match self {
            By::Signatures(signed) if !signed.must_reach() => Histogram::similarities(0.0),
            By::Signatures(signed) => Histogram::of(&signed.threshold),
            By::Sets { threshold, .. } => Histogram::of(threshold),
            By::Texts { distance } => Histogram::distances(u64::from(*distance)),
        }
    }

    /// Finds out what takes long of some rows, on all threads.
    fn complete(&self, rows: &mut [Row]) {
        let By::Signatures(signed) = self else { return };
        if let Some(terms) = &signed.terms {
            rows.par_iter_mut().for_each(|row| {
                if let Beside::Pages(_, difference) = &mut row.beside {
                    *difference = terms.difference(row.a, row.b);
                }
            });
        }
    }

    /// The number of two equal documents.
    pub(crate) fn of_equal(&self, document: u32) -> u32 {
        match self {
            By::Sets { sizes, .. } => sizes[document as usize],
            By::Signatures(signed) => signed.sizes[document as usize],
            By::Texts { .. } => 0,
        }
    }
}

impl Found {
    /// An empty histogram that has room for all.
    pub(crate) fn histogram(&self) -> Histogram {
        let Hits::Ranked(pairs) = &self.pairs else { return self.by.histogram() };
        match pairs.last().map(|last| self.by.row(last.a, last.b, last.common).value) {
            Some(most) if self.by.is_distance() => Histogram::distances(most as u64),
            Some(least) => Histogram::similarities(least),
            None => self.by.histogram(),
        }
    }

    /// Calls `each` with every pair that is wanted.
    pub(crate) fn for_each(
        self,
        Selection { distinct, limit }: &mut Selection,
        mut each: impl FnMut(Row) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Found { pairs, by } = self;
        // Of two collections, a set of both is not distinct from itself.
        let is_wanted = |a: u32, b: u32, number: u32| !*distinct || !by.row(a, b, number).is_identical();
        let mut rows = Vec::with_capacity(SOME);
        let mut flush = |rows: &mut Vec<Row>| {
            by.complete(rows);
            rows.drain(..).try_for_each(&mut each)
        };
        let mut put = |a: u32, b: u32, number: u32| {
            rows.push(by.row(a, b, number));
            if rows.len() == SOME { flush(&mut rows) } else { Ok(()) }
        };
        match pairs {
            Hits::InOrder(pairs) => {
                if let Some(limit) = limit {
                    limit.prepare(pairs.members());
                }
                pairs.for_each_document(
                    |document| by.of_equal(document),
                    |a, partners| {
                        partners.retain(|b, number| is_wanted(a, b, number));
                        match limit {
                            Some(limit) => limit.choose(a, partners, |b, number| put(a, b, number)),
                            None => partners.iter().try_for_each(|(b, number)| put(a, b, number)),
                        }
                    },
                )?;
            }
            Hits::Ranked(pairs) => {
                for Pair { a, b, common } in pairs.into_iter().filter(|pair| is_wanted(pair.a, pair.b, pair.common)) {
                    if limit.as_mut().is_none_or(|limit| limit.allows(a, b)) {
                        put(a, b, common)?;
                    }
                }
            }
        }
        flush(&mut rows)
    }
}

/// Rows that are completed together.
const SOME: usize = 1 << 10;
