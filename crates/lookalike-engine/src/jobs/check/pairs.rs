//! Finds the pairs that must not be there, and those that must.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use lookalike::Threshold;
use lookalike::engine::{Compared, PairSource, Progress, SetPair, Side, Stage};

use super::sets::ToCompare;
use crate::error::Error;
use crate::external::External;
use crate::pairs::{Expansion, GroupMembers, JobSource};
use crate::read::{Collection, Collector, Sides};
use crate::report::Failure;

/// The role of each document.
pub(super) struct Roles<'a> {
    pub(super) collection: &'a Collection,
    /// The references come after the inputs.
    pub(super) references: Range<u32>,
    /// The kept documents, ascending.
    pub(super) kept: &'a [u32],
    /// The removed documents without a stated twin.
    pub(super) without: &'a [u32],
    pub(super) threshold: Threshold,
}

/// Pairs that break promise 2.
#[derive(Default)]
pub(super) struct KeptPairs {
    pub(super) count: u64,
    /// The first pairs.
    pub(super) named: Vec<Failure>,
}

/// The most pairs to list. A run that removed nothing may have very many.
const NAMED: usize = 10_000;

impl Roles<'_> {
    /// By document, whether it is one of these or a reference.
    fn with_references(&self, some: &[&[u32]]) -> Vec<bool> {
        let mut all = vec![false; self.references.end as usize];
        some.iter().copied().flatten().for_each(|&document| all[document as usize] = true);
        all[self.references.start as usize..].fill(true);
        all
    }

    /// The sets of the kept documents and the references.
    pub(super) fn read_kept<'a>(
        &self,
        external: Option<&External<'a>>,
        progress: &dyn Progress,
    ) -> Result<ToCompare<'a>, Error> {
        let is_wanted = self.with_references(&[self.kept]);
        let order = self.references.clone().chain(0..self.references.start).collect();
        let order = (order, self.references.len());
        ToCompare::read(
            self.collection,
            external,
            self.threshold,
            order,
            |document| is_wanted[document as usize],
            progress,
        )
    }

    /// The sets of the removed documents without a stated twin, and all that may be one. `None` if there is no such document.
    pub(super) fn read_removed<'a>(
        &self,
        external: Option<&External<'a>>,
        progress: &dyn Progress,
    ) -> Result<Option<ToCompare<'a>>, Error> {
        if self.without.is_empty() {
            return Ok(None);
        }
        let is_wanted = self.with_references(&[self.kept, self.without]);
        let is_pinned = self.with_references(&[self.kept]);
        let documents = || 0..self.references.end;
        let mut order: Vec<u32> = documents().filter(|&document| is_pinned[document as usize]).collect();
        let pinned = order.len();
        order.extend(documents().filter(|&document| !is_pinned[document as usize]));
        let order = (order, pinned);
        let is_wanted = |document: u32| is_wanted[document as usize];
        ToCompare::read(self.collection, external, self.threshold, order, is_wanted, progress).map(Some)
    }

    /// Every pair of two kept documents, or of a kept document and a reference.
    pub(super) fn kept_pairs(
        &self,
        mut source: JobSource,
        collector: &Collector,
        progress: &dyn Progress,
    ) -> Result<KeptPairs, Error> {
        let sides = Sides::all(self.references.start, self.references.end);
        let members = GroupMembers::of(&source.as_pairs().keep_order().groups, sides.b.end, |_| true);
        let pairs = Expansion::new(members, sides, collector.sort_bytes(), &collector.space);
        let stage = Stage::begin(progress, "joining", source.as_pairs().work());
        source.as_pairs_mut().pairs(&stage, &|some| pairs.add(some))?;
        drop(stage);
        let source = source.as_pairs();
        let id = |document: u32| self.collection.documents.id(document).map(Cow::into_owned);
        let mut found = KeptPairs::default();
        pairs.finish(true)?.for_each_document(
            |document| source.common(document, document),
            |a, partners| {
                found.count += partners.count();
                let room = NAMED - found.named.len();
                if room > 0 {
                    for (b, common) in partners.iter().take(room) {
                        found.named.push(Failure::KeptPair(id(a)?, id(b)?, source.similarity(a, b, common)));
                    }
                }
                Ok(())
            },
        )?;
        Ok(found)
    }

    /// The removed documents without a stated twin that resemble no kept document and no reference.
    pub(super) fn without_twin(&self, mut source: JobSource, progress: &dyn Progress) -> Result<Vec<Failure>, Error> {
        let has_twin: Vec<AtomicBool> = (0..self.references.end).map(|_| AtomicBool::new(false)).collect();
        let source = source.as_pairs_mut();
        let Compared { documents, pinned } = source.compared();
        let side = |(at, &document): (usize, &u32)| (document, if at < pinned { Side::Second } else { Side::First });
        let among: Vec<(u32, Side)> = documents.iter().enumerate().map(side).collect();
        let stage = Stage::begin(progress, "joining", source.work());
        source.pairs_among(&among, &stage, &|some: &[SetPair]| {
            for document in some.iter().flat_map(|pair| [pair.a, pair.b]) {
                has_twin[document as usize].store(true, Relaxed);
            }
        })?;
        drop(stage);
        let source: &dyn PairSource = source;
        let keep = source.keep_order();
        // A document whose group is represented by a kept document is equal to it.
        let mut is_pinned = vec![false; has_twin.len()];
        keep.order[..keep.pinned].iter().for_each(|&document| is_pinned[document as usize] = true);
        let mut lost = Vec::new();
        for &document in self.without {
            let first = keep.groups.first(document) as usize;
            if !is_pinned[first] && !has_twin[first].load(Relaxed) {
                lost.push(Failure::NoTwin(self.collection.documents.id(document)?.into_owned()));
            }
        }
        Ok(lost)
    }
}
