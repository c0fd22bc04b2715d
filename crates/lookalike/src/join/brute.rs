use super::Pair;
use crate::measure::Threshold;
use crate::sets::SetStore;
use crate::verify::common;

/// The oracle: compares every set with every other.
pub fn brute_pairs(store: &SetStore, threshold: &Threshold) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for a in 0..store.len() as u32 {
        for b in a + 1..store.len() as u32 {
            let common = common(store.set(a), store.set(b));
            if common > 0 && threshold.reaches(common, store.size(a), store.size(b)) {
                pairs.push(Pair { a, b, common });
            }
        }
    }
    pairs
}
