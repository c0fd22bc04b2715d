//! How are stars linked: survivors, each with the documents removed because of it?
//!
//! Once the survivors are known, every removed document is linked with all earlier survivors it resembles. Survivors do
//! not resemble each other. So an unknown pair consists of a removed document and another that is removed, or that is
//! kept and comes later. Linked documents need no comparison. In a large cluster nearly all pairs are linked, so
//! documents are compared by sides on which no two documents of a large cluster meet.

use super::links::Links;
use crate::candidates::Side;
use crate::join::{Compared, JoinError, Pair, PairSource};
use crate::progress::Stage;

/// The maximum number of removed, linked documents that are still compared with each other: that is cheaper than
/// keeping them apart.
const FEW: u32 = 64;

/// Documents, and which of them are removed.
pub(super) struct Stars<'a> {
    links: &'a Links,
    references: &'a [u32],
    /// The other documents.
    documents: &'a [u32],
    /// By document, whether it is removed.
    removed: Vec<bool>,
    /// How many removed documents may be linked with each other and still be compared.
    few: u32,
}

impl<'a> Stars<'a> {
    /// `compared` holds the documents that represent their equals, references first.
    pub(super) fn new(links: &'a Links, compared: &'a Compared, removed: impl Iterator<Item = u32>) -> Stars<'a> {
        let (references, documents) = compared.documents.split_at(compared.pinned);
        let mut is_removed = vec![false; compared.documents.iter().max().map_or(0, |&last| last as usize + 1)];
        removed.for_each(|document| is_removed[document as usize] = true);
        Stars { links, references, documents, removed: is_removed, few: FEW }
    }

    /// Links documents that resemble each other. By document, `mixed` marks references that represent documents that
    /// are not; these are compared with other references too.
    pub(super) fn link(&self, source: &mut dyn PairSource, mixed: &[bool], stage: &Stage) -> Result<(), JoinError> {
        let mut compare = |sides: Vec<(u32, Side)>| {
            let faces = |one: Side| sides.iter().any(|&(_, two)| one.faces(two));
            // With an empty side there is nothing to compare.
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
        // Documents of small clusters with all; those of large clusters, and kept ones, not with each other.
        let is_small = |document: u32| is_removed(document) && clusters.number(document).is_none();
        let side = |&document: &u32| (document, if is_small(document) { Side::Both } else { Side::First });
        if self.documents.iter().any(|&document| is_small(document)) {
            compare(self.documents.iter().map(side).collect())?;
        }
        // Documents of large clusters with the kept documents that are in none.
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
    /// By document, the number of its cluster.
    numbers: Vec<u32>,
    count: u32,
}

/// The number for documents in no large cluster.
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
        /// For any number compared at a time, and for any limit of a large cluster.
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
