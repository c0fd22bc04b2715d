//! The survivors: documents are taken in keep order, and one is kept unless a kept one is at least threshold-similar to it.
//!
//! A cluster of a hundred thousand pages has five billion pairs and one survivor, so documents are joined with the kept ones only.

use super::coded::Coded;
use super::resemblance::{Resemblance, Twin};
use super::{Fate, by_blocks, by_halves};
use crate::join::{Engine, Joinable, Match};
use crate::sets::Groups;

/// Pairs that need not be feared, and documents looked at to foresee their number.
const MANY: u64 = 2 << 20;
const SAMPLE: u32 = 256;

/// The fate of every document, in the keep order that the collection was made ready with; the reference collection is kept whatever it
/// resembles. `progress` is told how many more documents of the order are settled.
pub fn survivors(joinable: &mut Joinable, progress: impl Fn(usize)) -> Vec<Fate> {
    let mut removed: Vec<(u32, Twin)> = Vec::new();
    let all = joinable.order().len();
    let few = few(joinable);
    match joinable.engine() {
        Engine::Sparse(index) => {
            progress(all - index.places() as usize);
            by_blocks::settle_all(index, &progress, |index, place, Match { place: twin, common }, _| {
                removed.push((index.document(place), Twin { document: index.document(twin), common }));
            });
        }
        Engine::Dense { records, threshold, firsts, pinned } => {
            progress(all - (firsts.len() - pinned));
            removed = by_halves::settle_all(&Coded::new(records, *threshold), &firsts, pinned, few, &progress);
        }
    }
    let order = &joinable.order()[joinable.pinned()..];
    let similarity = |document, twin, common| joinable.similarity(document, twin, common);
    fates(all, order, joinable.groups(), &removed, similarity, |document| joinable.size(document))
}

/// How many documents are joined with each other: all at once, if that does not mean more pairs than there is room for.
pub(super) fn few(joinable: &mut Joinable) -> usize {
    match joinable.is_dense() && joinable.estimate(SAMPLE).is_some_and(|pairs| pairs < MANY) {
        true => joinable.order().len().max(1),
        false => by_halves::FEW,
    }
}

/// Who stays among documents that are compared in a way of the caller's own.
pub struct KeepOrder<'a> {
    /// How many documents there are.
    pub documents: usize,
    /// Those that may be removed, in keep order.
    pub order: &'a [u32],
    /// Which are the same, and whose fate so is that of the first of them.
    pub groups: &'a Groups,
    /// Of those that stand for their equals, the ones that may resemble another: first the pinned ones, which are kept whatever they
    /// resemble, then in keep order.
    pub compared: &'a [u32],
    /// How many of these are pinned.
    pub pinned: usize,
}

impl KeepOrder<'_> {
    /// The fate of every document. `similarity` is that of two documents that share so much, and `own` what a document shares with its
    /// equals.
    pub fn survivors(
        &self,
        resemblance: &impl Resemblance,
        similarity: impl Fn(u32, u32, u32) -> f64,
        own: impl Fn(u32) -> u32,
        progress: impl Fn(usize),
    ) -> Vec<Fate> {
        let removed = by_halves::settle_all(resemblance, self.compared, self.pinned, by_halves::FEW, progress);
        fates(self.documents, self.order, self.groups, &removed, similarity, own)
    }
}

/// The fates by what was found of the documents that stand for their equals.
fn fates(
    documents: usize,
    order: &[u32],
    groups: &Groups,
    removed: &[(u32, Twin)],
    similarity: impl Fn(u32, u32, u32) -> f64,
    own: impl Fn(u32) -> u32,
) -> Vec<Fate> {
    let mut fates = vec![Fate::Kept; documents];
    for &(document, Twin { document: twin, common }) in removed {
        let similarity = similarity(document, twin, common);
        fates[document as usize] = Fate::Removed { twin, similarity, identical: false };
    }
    for &document in order {
        let first = groups.first(document);
        if first == document {
            continue;
        }
        let (twin, similarity) = match fates[first as usize] {
            Fate::Kept => (first, similarity(document, first, own(first))),
            Fate::Removed { twin, similarity, .. } => (twin, similarity),
        };
        fates[document as usize] = Fate::Removed { twin, similarity, identical: true };
    }
    fates
}
