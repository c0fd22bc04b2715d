use rayon::prelude::*;

use super::Pair;
use crate::candidates::Outgoing;
use crate::measure::Threshold;
use crate::sets::SetStore;
use crate::verify::common;

/// The oracle: compares every set with every other. Empty sets resemble nothing.
pub fn brute_pairs(store: &SetStore, threshold: &Threshold) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for a in 0..store.len() as u32 {
        for b in a + 1..store.len() as u32 {
            pairs.extend(compare(store, threshold, a, b));
        }
    }
    pairs
}

/// Compares each of these documents, which are ascending, with each behind it, if such a pair is wanted; on all cores.
pub(super) fn join(
    store: &SetStore,
    documents: &[u32],
    threshold: &Threshold,
    wanted: impl Fn(u32, u32) -> bool + Sync,
    progress: impl Fn(usize) + Sync,
    emit: impl Fn(&[Pair]) + Sync,
) {
    documents.par_iter().enumerate().for_each_init(
        || Outgoing::new(&emit),
        |outgoing, (at, &a)| {
            let others = documents[at + 1..].iter().filter(|&&b| wanted(a, b));
            outgoing.extend(others.filter_map(|&b| compare(store, threshold, a, b)));
            progress(1);
        },
    );
}

fn compare(store: &SetStore, threshold: &Threshold, a: u32, b: u32) -> Option<Pair> {
    let common = common(store.set(a), store.set(b));
    let empty = store.size(a).min(store.size(b)) == 0;
    (!empty && threshold.reaches(common, store.size(a), store.size(b))).then_some(Pair { a, b, common })
}
