//! The survivors: documents are taken in keep order, and one is kept unless a kept one is at least threshold-similar to it.
//!
//! A cluster of a hundred thousand pages has five billion pairs and one survivor, so documents are joined with the kept ones only.

use super::{Fate, by_blocks, by_halves};
use crate::join::{Engine, Joinable};

/// The kept document that a removed one resembles most, and how many elements they share.
pub(super) struct Twin {
    pub(super) document: u32,
    pub(super) common: u32,
}

/// Pairs that need not be feared, and documents looked at to foresee their number.
const MANY: u64 = 2 << 20;
const SAMPLE: u32 = 256;

/// The fate of every document, in the keep order that the collection was made ready with; the reference collection is kept whatever it
/// resembles. `progress` is told how many more documents of the order are settled.
pub fn survivors(joinable: &mut Joinable, progress: impl Fn(usize)) -> Vec<Fate> {
    let mut removed: Vec<(u32, Twin)> = Vec::new();
    let all = joinable.order().len();
    // All of them at once, if that does not mean more pairs than there is room for.
    let few = match joinable.is_dense() && joinable.estimate(SAMPLE).is_some_and(|pairs| pairs < MANY) {
        true => all.max(1),
        false => by_halves::FEW,
    };
    match joinable.engine() {
        Engine::Sparse(index) => {
            progress(all - index.places() as usize);
            by_blocks::settle_all(index, &progress, |document, twin| removed.push((document, twin)));
        }
        Engine::Dense { records, threshold, firsts, pinned } => {
            progress(all - (firsts.len() - pinned));
            by_halves::settle_all(records, threshold, &firsts, pinned, few, &progress, |document, twin| {
                removed.push((document, twin));
            });
        }
    }
    let mut fates = vec![Fate::Kept; all];
    for (document, Twin { document: twin, common }) in removed {
        let similarity = joinable.similarity(document, twin, common);
        fates[document as usize] = Fate::Removed { twin, similarity, identical: false };
    }
    for &document in &joinable.order()[joinable.pinned()..] {
        let first = joinable.groups().first(document);
        if first == document {
            continue;
        }
        let (twin, similarity) = match fates[first as usize] {
            Fate::Kept => (first, joinable.similarity(document, first, joinable.size(first))),
            Fate::Removed { twin, similarity, .. } => (twin, similarity),
        };
        fates[document as usize] = Fate::Removed { twin, similarity, identical: true };
    }
    fates
}
