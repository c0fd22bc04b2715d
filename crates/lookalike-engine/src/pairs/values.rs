//! What the number of a pair means, and the similarity computed from it.

use lookalike::Threshold;
use lookalike::engine::Histogram;
use rayon::prelude::*;

use super::row::{Beside, Besides, PairColumns, PairRow};
use crate::error::Error;
use crate::sign::{Signatures, SignedSource};

/// What was compared, and how to read the number of a pair.
pub(crate) enum PairValues {
    /// Sets of these sizes. The number is how many elements they share.
    Sets { threshold: Threshold, sizes: Vec<u32> },
    /// Texts within this distance. The number is their distance.
    Texts { distance: u32 },
    /// Signatures. The number is how many elements the sets share, if sets were compared.
    Signatures(Box<SignedSource>),
}

impl PairValues {
    pub(crate) fn is_distance(&self) -> bool {
        match self {
            PairValues::Sets { threshold, .. } => threshold.is_distance(),
            PairValues::Signatures(_) => false,
            PairValues::Texts { .. } => true,
        }
    }

    /// The columns of a table of pairs.
    pub(crate) fn columns(&self) -> PairColumns {
        let (verified, beside) = match self {
            PairValues::Sets { .. } | PairValues::Texts { .. } => (true, Besides::Nothing),
            PairValues::Signatures(signed) => {
                let beside = match &signed.signatures {
                    Signatures::Features(_) | Signatures::Terms(_) | Signatures::Light { .. } => Besides::Nothing,
                    Signatures::SimHashes { .. } => Besides::Agreement,
                    Signatures::Web { .. } => Besides::Pages,
                };
                (signed.is_verified(), beside)
            }
        };
        PairColumns { is_distance: self.is_distance(), verified, beside }
    }

    pub(crate) fn row(&self, a: u32, b: u32, number: u32) -> PairRow {
        let of_sets = |threshold: &Threshold, sizes: &[u32]| {
            let (size_a, size_b) = (sizes[a as usize], sizes[b as usize]);
            let value = threshold.similarity(number, size_a, size_b);
            PairRow { a, b, value, common: number, size_a, size_b, beside: Beside::Nothing }
        };
        match self {
            PairValues::Sets { threshold, sizes } => of_sets(threshold, sizes),
            // A text counts as a set with one element, itself.
            PairValues::Texts { .. } => {
                let (common, beside) = (u32::from(number == 0), Beside::Nothing);
                PairRow { a, b, value: number.into(), common, size_a: 1, size_b: 1, beside }
            }
            PairValues::Signatures(signed) => {
                let SignedSource { threshold, sizes, signatures, .. } = &**signed;
                let mut row = of_sets(threshold, sizes);
                if !signed.is_verified() && !row.is_identical() {
                    row.value = signatures.estimate(a, b);
                }
                if signed.sets_on_disk().is_some() {
                    return row;
                }
                let agreement = signatures.agree(a, b).map(Beside::Agreement);
                let pages = signatures.of_pages(a, b).map(|pair| Beside::Pages(pair, None));
                PairRow { beside: agreement.or(pages).unwrap_or(Beside::Nothing), ..row }
            }
        }
    }

    /// An empty histogram with a range for all possible pairs.
    pub(crate) fn histogram(&self) -> Histogram {
        match self {
            PairValues::Signatures(signed) if !signed.must_reach() => Histogram::similarities(0.0),
            PairValues::Signatures(signed) => Histogram::of(&signed.threshold),
            PairValues::Sets { threshold, .. } => Histogram::of(threshold),
            PairValues::Texts { distance } => Histogram::distances(u64::from(*distance)),
        }
    }

    /// Fills in the values that are slow to compute, on all threads.
    pub(super) fn complete(&self, rows: &mut [PairRow]) -> Result<(), Error> {
        let PairValues::Signatures(signed) = self else { return Ok(()) };
        if let Some(terms) = &signed.terms {
            rows.par_iter_mut().for_each(|row| {
                if let Beside::Pages(_, difference) = &mut row.beside {
                    *difference = terms.difference(row.a, row.b);
                }
            });
        }
        let pairs: Vec<(u32, u32)> = rows.iter().map(|row| (row.a, row.b)).collect();
        let found = signed.beside(&pairs)?.unwrap_or_default();
        for (row, (agreement, pages, difference)) in rows.iter_mut().zip(found) {
            let pages = pages.map(|pages| Beside::Pages(pages, difference));
            row.beside = agreement.map(Beside::Agreement).or(pages).unwrap_or(Beside::Nothing);
        }
        Ok(())
    }

    /// The number of a pair of equal documents.
    pub(crate) fn of_equal(&self, document: u32) -> u32 {
        match self {
            PairValues::Sets { sizes, .. } => sizes[document as usize],
            PairValues::Signatures(signed) => signed.sizes[document as usize],
            PairValues::Texts { .. } => 0,
        }
    }
}
