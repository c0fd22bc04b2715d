//! How well clusters agree with the groups that people made: B-cubed and the adjusted Rand index.

use std::collections::HashMap;

use serde::Serialize;

/// How well clusters agree with groups.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ClusterScores {
    /// Documents that were compared.
    pub documents: u64,
    /// B-cubed precision: for each document, the share of its cluster that is in its group, averaged over documents.
    pub b_cubed_precision: f64,
    /// B-cubed recall: for each document, the share of its group that is in its cluster, averaged over documents.
    pub b_cubed_recall: f64,
    /// Their harmonic mean.
    pub b_cubed_f1: f64,
    /// The adjusted Rand index: 1 for equal clusterings, 0 for what chance would give.
    pub adjusted_rand_index: f64,
}

/// Compares two clusterings of the same documents: the cluster and the group of each.
pub fn compare_clusterings(documents: impl Iterator<Item = (u32, u32)>) -> Option<ClusterScores> {
    let mut cells: HashMap<(u32, u32), u64> = HashMap::new();
    let (mut clusters, mut groups): (HashMap<u32, u64>, HashMap<u32, u64>) = Default::default();
    let mut all = 0_u64;
    for (cluster, group) in documents {
        *cells.entry((cluster, group)).or_default() += 1;
        *clusters.entry(cluster).or_default() += 1;
        *groups.entry(group).or_default() += 1;
        all += 1;
    }
    if all == 0 {
        return None;
    }
    // Sorted, because a sum of floating-point numbers depends on its order.
    let mut sorted: Vec<((u32, u32), u64)> = cells.into_iter().collect();
    sorted.sort_unstable();
    let share = |of: &dyn Fn(&(u32, u32)) -> u64| {
        sorted.iter().map(|(cell, n)| (*n as f64) * (*n as f64) / of(cell) as f64).sum::<f64>() / all as f64
    };
    let (precision, recall) = (share(&|cell| clusters[&cell.0]), share(&|cell| groups[&cell.1]));
    let pairs = |n: u64| u128::from(n) * u128::from(n.saturating_sub(1)) / 2;
    let together: u128 = sorted.iter().map(|(_, n)| pairs(*n)).sum();
    let in_clusters: u128 = clusters.values().map(|&n| pairs(n)).sum();
    let in_groups: u128 = groups.values().map(|&n| pairs(n)).sum();
    Some(ClusterScores {
        documents: all,
        b_cubed_precision: precision,
        b_cubed_recall: recall,
        b_cubed_f1: 2.0 * precision * recall / (precision + recall),
        adjusted_rand_index: adjusted(together as f64, in_clusters as f64, in_groups as f64, pairs(all) as f64),
    })
}

fn adjusted(together: f64, in_clusters: f64, in_groups: f64, all: f64) -> f64 {
    let expected = if all == 0.0 { 0.0 } else { in_clusters * in_groups / all };
    let most = (in_clusters + in_groups) / 2.0;
    // Both put all documents together, or both put none together: they agree.
    if most == expected { 1.0 } else { (together - expected) / (most - expected) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Both scores as they are defined, document by document and pair by pair.
    fn by_definition(of: &[(u32, u32)]) -> (f64, f64, f64) {
        let n = of.len() as f64;
        let (mut precision, mut recall) = (0.0, 0.0);
        for one in of {
            let both = of.iter().filter(|two| *two == one).count() as f64;
            precision += both / of.iter().filter(|two| two.0 == one.0).count() as f64 / n;
            recall += both / of.iter().filter(|two| two.1 == one.1).count() as f64 / n;
        }
        let (mut a, mut b, mut c, mut d) = (0.0, 0.0, 0.0, 0.0);
        for (at, one) in of.iter().enumerate() {
            for two in &of[at + 1..] {
                match (one.0 == two.0, one.1 == two.1) {
                    (true, true) => a += 1.0,
                    (true, false) => b += 1.0,
                    (false, true) => c += 1.0,
                    (false, false) => d += 1.0,
                }
            }
        }
        // Hubert and Arabie's index, by the counts of pairs.
        let below: f64 = (a + b) * (b + d) + (a + c) * (c + d);
        let index = if below == 0.0 { 1.0 } else { 2.0 * (a * d - b * c) / below };
        (precision, recall, index)
    }

    proptest! {
        #[test]
        fn as_defined(of in proptest::collection::vec((0_u32..6, 0_u32..6), 1..40)) {
            let (precision, recall, index) = by_definition(&of);
            let scores = compare_clusterings(of.iter().copied()).unwrap();
            prop_assert!((scores.b_cubed_precision - precision).abs() < 1e-12);
            prop_assert!((scores.b_cubed_recall - recall).abs() < 1e-12);
            prop_assert!((scores.adjusted_rand_index - index).abs() < 1e-12, "{scores:?} {index}");
        }
    }

    #[test]
    fn nothing_to_compare() {
        assert_eq!(compare_clusterings([].into_iter()), None);
        assert_eq!(compare_clusterings([(0, 0)].into_iter()).unwrap().adjusted_rand_index, 1.0);
    }
}
