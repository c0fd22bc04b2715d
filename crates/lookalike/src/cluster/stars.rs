//! What links the stars: survivors, each with the documents removed for its sake.
//!
//! When it is settled who stays, every removed document is linked with all survivors before it that it resembles. Survivors do not
//! resemble each other. So a pair of which nothing is known has a removed document, and another that is removed too, or is kept and comes
//! later. Two documents that are linked already need no comparison. Where a cluster is large, nearly all pairs are such, so documents are
//! compared by sides on which none of a large cluster meets another of it.

use super::links::Links;
use crate::candidates::Side;
use crate::join::{Compared, JoinError, Pair, PairSource};
use crate::progress::Stage;

/// Removed documents that are linked and still compared with each other: that is cheaper than to keep them apart.
const FEW: u32 = 64;

/// Documents, as far as it is settled who stays.
pub(super) struct Stars<'a> {
    links: &'a Links,
    references: &'a [u32],
    /// The others.
    documents: &'a [u32],
    /// By document.
    removed: Vec<bool>,
    /// How many removed ones are linked with each other, for those to be compared with each other.
    few: u32,
}

impl<'a> Stars<'a> {
    /// `compared` has the documents that stand for their equals, first the references.
    pub(super) fn new(links: &'a Links, compared: &'a Compared, removed: impl Iterator<Item = u32>) -> Stars<'a> {
        let (references, documents) = compared.documents.split_at(compared.pinned);
        let mut is_removed = vec![false; compared.documents.iter().max().map_or(0, |&last| last as usize + 1)];
        removed.for_each(|document| is_removed[document as usize] = true);
        Stars { links, references, documents, removed: is_removed, few: FEW }
    }

    /// Links what resembles each other. `mixed` has, by document, which references stand for documents that are none: these are
    /// compared with the other references too.
    pub(super) fn link(&self, source: &mut dyn PairSource, mixed: &[bool], stage: &Stage) -> Result<(), JoinError> {
        let mut compare = |sides: Vec<(u32, Side)>| {
            let faces = |one: Side| sides.iter().any(|&(_, two)| one.faces(two));
            // With nothing on the other side, or nothing at all, there is nothing to compare.
            if sides.iter().any(|&(_, side)| side == Side::Both) || faces(Side::First) && faces(Side::Second) {
                let link = |some: &[Pair]| some.iter().for_each(|pair| self.links.link(pair.a, pair.b));
                source.pairs_among(&sides, &stage.quiet(), &link)?;
            }
            Ok::<(), JoinError>(stage.check()?)
        };
        let side_of = |&reference: &u32| match mixed[reference as usize] {
            true => (reference, Side::Both),
            false => (reference, Side::Second),
        };
        if self.references.iter().any(|&reference| mixed[reference as usize]) {
            compare(self.references.iter().map(side_of).collect())?;
        }

        let clusters = Clusters::new(self);
        let is_removed = |document: u32| self.removed[document as usize];
        // Those of small clusters with all; those of large ones, and those that are kept, not with each other.
        let is_small = |document: u32| is_removed(document) && clusters.number(document).is_none();
        let side = |&document: &u32| (document, if is_small(document) { Side::Both } else { Side::First });
        if self.documents.iter().any(|&document| is_small(document)) {
            compare(self.documents.iter().map(side).collect())?;
        }
        // Those of large clusters with the kept ones of none.
        let side = |&document: &u32| match (clusters.number(document), is_removed(document)) {
            (Some(_), true) => Some((document, Side::First)),
            (None, false) => Some((document, Side::Second)),
            _ => None,
        };
        compare(self.documents.iter().filter_map(side).collect())?;
        // Any two large clusters differ in a bit of their numbers.
        for bit in 0..u32::BITS - clusters.count.saturating_sub(1).leading_zeros() {
            let side = |number: u32| if number >> bit & 1 == 0 { Side::First } else { Side::Second };
            let numbered = |&document: &u32| Some((document, side(clusters.number(document)?)));
            compare(self.documents.iter().filter_map(numbered).collect())?;
        }
        Ok(())
    }
}

/// Documents that are linked with many removed ones.
struct Clusters {
    /// By document: the number of its cluster.
    numbers: Vec<u32>,
    count: u32,
}

/// The number of what is in no large cluster.
const NONE: u32 = u32::MAX;

impl Clusters {
    fn new(stars: &Stars) -> Clusters {
        let most = stars.documents.iter().map(|&document| document.max(stars.links.first(document))).max();
        let room = most.map_or(0, |most| most as usize + 1);
        let mut members = vec![0; room];
        for &document in stars.documents.iter().filter(|&&document| stars.removed[document as usize]) {
            members[stars.links.first(document) as usize] += 1;
        }
        let (mut of_first, mut numbers, mut count) = (vec![NONE; room], vec![NONE; room], 0);
        for &document in stars.documents {
            let first = stars.links.first(document) as usize;
            if members[first] > stars.few {
                if of_first[first] == NONE {
                    of_first[first] = count;
                    count += 1;
                }
                numbers[document as usize] = of_first[first];
            }
        }
        Clusters { numbers, count }
    }

    fn number(&self, document: u32) -> Option<u32> {
        Some(self.numbers[document as usize]).filter(|&number| number != NONE)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::by_halves;
    use super::*;
    use crate::join::{Algorithm, Join, brute_pairs};
    use crate::measure::{Measure, Threshold};
    use crate::sets::SetStore;
    use proptest::prelude::*;

    proptest! {
        /// However many are compared at a time, and whatever counts as large.
        #[test]
        fn as_by_all_pairs(
            sets in proptest::collection::btree_set(proptest::collection::btree_set(0..14u64, 1..9), 0..60),
            value in 1..10u32,
            at_once in 1..6usize,
            few in 0..4u32,
        ) {
            let threshold = Threshold::new(Measure::Jaccard, &format!("{value}/9")).unwrap();
            let store: Arc<SetStore> = Arc::new(sets.iter().map(|set| set.iter().copied().collect::<Vec<_>>()).collect());
            let join = Join::new(threshold).algorithm(Algorithm::Light);
            let mut source = join.prepare(store.clone(), &Stage::silent()).unwrap();
            let (links, expected) = (Links::new(source.keep_order()), Links::new(source.keep_order()));
            brute_pairs(&store, &threshold).iter().for_each(|pair| expected.link(pair.a, pair.b));

            let compared = source.compared();
            let link = |some: &[Pair]| some.iter().for_each(|pair| links.link(pair.a, pair.b));
            let removed = by_halves::settle_all(&mut source, &compared, at_once, &Stage::silent(), &link).unwrap();
            let stars = Stars::new(&links, &compared, removed.iter().map(|(document, _)| *document));
            Stars { few, ..stars }.link(&mut source, &vec![false; sets.len()], &Stage::silent()).unwrap();
            for document in 0..sets.len() as u32 {
                prop_assert_eq!(links.first(document), expected.first(document));
            }
        }
    }
}
