//! Turns the pairs found into the rows of a table.

use lookalike::engine::{Histogram, SetPair};

use super::expand_groups::PairsInOrder;
use super::limit::Selection;
use super::row::PairRow;
use super::values::PairValues;
use crate::error::Error;

/// The pairs found, and what their numbers mean.
pub(crate) struct Found {
    pub(crate) pairs: Hits,
    pub(crate) values: PairValues,
}

/// Pairs of documents, each with a number, in the order of the table.
pub(crate) enum Hits {
    InOrder(PairsInOrder),
    Ranked(Vec<SetPair>),
}

impl Found {
    /// An empty histogram with a range for all pairs.
    pub(crate) fn histogram(&self) -> Histogram {
        let Hits::Ranked(pairs) = &self.pairs else { return self.values.histogram() };
        match pairs.last().map(|last| self.values.row(last.a, last.b, last.common).value) {
            Some(most) if self.values.is_distance() => Histogram::distances(most as u64),
            Some(least) => Histogram::similarities(least),
            None => self.values.histogram(),
        }
    }

    /// Calls `each` with every selected pair.
    pub(crate) fn for_each(
        self,
        Selection { distinct, limit }: &mut Selection,
        mut each: impl FnMut(PairRow) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Found { pairs, values } = self;
        // Between two collections, two equal sets are not distinct.
        let is_wanted = |a: u32, b: u32, number: u32| !*distinct || !values.row(a, b, number).is_identical();
        let mut rows = Vec::with_capacity(SOME);
        let mut flush = |rows: &mut Vec<PairRow>| {
            values.complete(rows)?;
            rows.drain(..).try_for_each(&mut each)
        };
        let mut put = |a: u32, b: u32, number: u32| {
            rows.push(values.row(a, b, number));
            if rows.len() == SOME { flush(&mut rows) } else { Ok(()) }
        };
        match pairs {
            Hits::InOrder(pairs) => {
                if let Some(limit) = limit {
                    limit.prepare(pairs.members());
                }
                pairs.for_each_document(
                    |document| values.of_equal(document),
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
                for SetPair { a, b, common } in pairs.into_iter().filter(|pair| is_wanted(pair.a, pair.b, pair.common))
                {
                    if limit.as_mut().is_none_or(|limit| limit.allows(a, b)) {
                        put(a, b, common)?;
                    }
                }
            }
        }
        flush(&mut rows)
    }
}

/// Rows that are completed as a batch.
const SOME: usize = 1 << 10;
