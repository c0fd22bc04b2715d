use rayon::prelude::*;

use super::Pair;
use super::paper::Counts;
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
) -> Counts {
    let results = documents.par_iter().enumerate().map_init(
        || Outgoing::new(&emit),
        |outgoing, (at, &a)| {
            let others = documents[at + 1..].iter().filter(|&&b| wanted(a, b));
            progress(1);
            let mut compared = 0;
            let pairs = others.filter_map(|&b| {
                compared += 1;
                compare(store, threshold, a, b)
            });
            (outgoing.extend(pairs), compared)
        },
    );
    let (results, compared) = results.reduce(|| (0, 0), |one, two| (one.0 + two.0, one.1 + two.1));
    Counts { verified: compared, results, ..Counts::default() }
}

fn compare(store: &SetStore, threshold: &Threshold, a: u32, b: u32) -> Option<Pair> {
    let common = common(store.set(a), store.set(b));
    let empty = store.size(a).min(store.size(b)) == 0;
    (!empty && threshold.reaches(common, store.size(a), store.size(b))).then_some(Pair { a, b, common })
}
