use super::Pair;
use crate::measure::Threshold;
use crate::sets::SetStore;
use crate::verify::common;

/// The oracle: compares every set with every other. Empty sets resemble nothing.
pub fn brute_pairs(store: &SetStore, threshold: &Threshold) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for a in 0..store.len() as u32 {
        for b in a + 1..store.len() as u32 {
            let common = common(store.set(a), store.set(b));
            let empty = store.size(a).min(store.size(b)) == 0;
            if !empty && threshold.reaches(common, store.size(a), store.size(b)) {
                pairs.push(Pair { a, b, common });
            }
        }
    }
    pairs
}
