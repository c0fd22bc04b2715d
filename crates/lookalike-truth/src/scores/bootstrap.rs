//! How far scores would vary with other documents: the bootstrap, by groups.
//!
//! Pairs are not independent: the pairs of one large group are found or missed together. So groups are drawn, with replacement, and not
//! pairs. If a group is drawn w times, its own pairs count w times, and a pair between two groups counts the product of both (Snijders
//! and Borgatti's bootstrap of networks).

use std::collections::HashMap;

use rayon::prelude::*;

use super::curve::{Ranked, average_precision};
use super::interval::f1_of;
use crate::random::Random;

/// Pairs of the same two groups with the same fate.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cell {
    /// Found, and the same.
    pub right: f64,
    /// Found, and different.
    pub wrong: f64,
    /// Not found, and the same.
    pub missed: f64,
}

/// 95 % intervals.
#[derive(Clone, Copy, Debug)]
pub struct Resampled {
    /// Of F1.
    pub f1: (f64, f64),
    /// Of the average precision, if pairs have scores.
    pub average_precision: Option<(f64, f64)>,
}

/// Work that one call may do: cells times draws.
const WORK: usize = 40_000_000;

/// The intervals of F1 and of the average precision. `cells` has what happened to the pairs of two groups, or of one group with itself;
/// `ranked` the found pairs with labels, the highest score first, each with its groups. `None` if there are fewer than two groups.
pub fn resample(
    cells: &HashMap<(u32, u32), Cell>,
    ranked: &[(Ranked, u32, u32)],
    same: &HashMap<u32, f64>,
    seed: u64,
) -> Option<Resampled> {
    let mut cells: Vec<((u32, u32), Cell)> = cells.iter().map(|(groups, cell)| (*groups, *cell)).collect();
    // The order of a map differs from run to run.
    cells.sort_unstable_by_key(|(groups, _)| *groups);
    let ranked_groups = ranked.iter().flat_map(|(_, a, b)| [*a, *b]);
    let groups: Vec<u32> = cells.iter().flat_map(|((a, b), _)| [*a, *b]).chain(ranked_groups).collect();
    let mut distinct = groups;
    distinct.sort_unstable();
    distinct.dedup();
    if distinct.len() < 2 {
        return None;
    }
    let place: HashMap<u32, usize> = distinct.iter().enumerate().map(|(at, &group)| (group, at)).collect();
    let cells: Vec<(usize, usize, Cell)> = cells.iter().map(|((a, b), cell)| (place[a], place[b], *cell)).collect();
    let ranked: Vec<(Ranked, usize, usize)> = ranked.iter().map(|(pair, a, b)| (*pair, place[a], place[b])).collect();
    let mut same: Vec<(usize, f64)> = same.iter().filter_map(|(group, n)| Some((*place.get(group)?, *n))).collect();
    same.sort_unstable_by_key(|(group, _)| *group);
    let draws = (WORK / (cells.len() + ranked.len() + distinct.len())).clamp(100, 1000);
    let one = |draw: usize| {
        let mut random = Random::new(seed ^ (draw as u64).wrapping_mul(0x2545_f491_4f6c_dd1d));
        let mut weights = vec![0.0; distinct.len()];
        (0..distinct.len()).for_each(|_| weights[random.below(distinct.len())] += 1.0);
        let weight = |a: usize, b: usize| if a == b { weights[a] } else { weights[a] * weights[b] };
        let mut sum = Cell::default();
        for &(a, b, cell) in &cells {
            let weight = weight(a, b);
            sum.right += weight * cell.right;
            sum.wrong += weight * cell.wrong;
            sum.missed += weight * cell.missed;
        }
        let same: f64 = same.iter().map(|&(group, n)| weights[group] * n).sum();
        let weighted = ranked.iter().map(|&(pair, a, b)| Ranked { weight: weight(a, b), ..pair });
        (f1_of(sum.right, sum.wrong, sum.missed), average_precision(weighted, same))
    };
    let (f1, precision): (Vec<f64>, Vec<f64>) = (0..draws).into_par_iter().map(one).unzip();
    Some(Resampled { f1: middle(f1), average_precision: (!ranked.is_empty()).then(|| middle(precision)) })
}

/// The middle 95 %.
fn middle(mut values: Vec<f64>) -> (f64, f64) {
    values.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| values[((values.len() - 1) as f64 * share).round() as usize];
    (at(0.025), at(0.975))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A labelled collection: each group's own pairs, found or missed together more often than not, and wrong pairs between some groups.
    fn population(groups: u32, seed: u64) -> HashMap<(u32, u32), Cell> {
        let mut random = Random::new(seed);
        let mut cells: HashMap<(u32, u32), Cell> = HashMap::new();
        let mut noisy = Vec::new();
        for group in 0..groups {
            // One pair, three, or six: groups of two, three or four documents.
            let pairs = [1.0, 1.0, 3.0, 6.0][random.below(4)];
            let right = if random.below(10) < 7 { pairs } else { 0.0 };
            cells.insert((group, group), Cell { right, wrong: 0.0, missed: pairs - right });
            if random.below(5) == 0 {
                noisy.push(group);
            }
        }
        for (at, &b) in noisy.iter().enumerate() {
            for &a in &noisy[..at] {
                if random.below(4) == 0 {
                    cells.insert((a, b), Cell { right: 0.0, wrong: 2.0, missed: 0.0 });
                }
            }
        }
        cells
    }

    /// What F1 is with so many groups, of all that might have been drawn: 2.75 pairs a group, of which 70 % are found; of the pairs of two groups,
    /// a hundredth has two wrong pairs.
    fn expected(groups: f64) -> f64 {
        let (right, missed) = (groups * 2.75 * 0.7, groups * 2.75 * 0.3);
        f1_of(right, groups * (groups - 1.0) / 2.0 * 0.02, missed)
    }

    /// Of many collections drawn from the same source, the interval holds the true F1 in about 95 of 100.
    #[test]
    fn the_interval_covers_the_truth() {
        let groups = 60;
        let truth = expected(f64::from(groups));
        let (mut covered, mut low, mut high) = (0, 0, 0);
        for seed in 0..300 {
            let (from, to) = resample(&population(groups, seed), &[], &HashMap::new(), seed).unwrap().f1;
            covered += u32::from(from <= truth && truth <= to);
            low += u32::from(truth < from);
            high += u32::from(truth > to);
        }
        assert!((270..=297).contains(&covered), "{covered} of 300");
        assert!(low > 0 && high > 0, "both ends are at work: {low} below, {high} above");
    }

    /// A plain bootstrap: groups are drawn into a list, and each pair counts once for each place of its group, or for each two places of its
    /// two groups.
    #[test]
    fn as_a_plain_bootstrap() {
        for seed in 0..4 {
            let groups = 40;
            let cells = population(groups, 1000 + seed);
            let mut state = 77 + seed;
            let mut below = |end: u64| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) % end
            };
            let mut drawn: Vec<f64> = (0..4000)
                .map(|_| {
                    let places: Vec<u32> = (0..groups).map(|_| below(groups.into()) as u32).collect();
                    let mut sum = [0.0; 3];
                    let mut count = |cell: Option<&Cell>| {
                        let cell = cell.copied().unwrap_or_default();
                        sum = [sum[0] + cell.right, sum[1] + cell.wrong, sum[2] + cell.missed];
                    };
                    for (at, &one) in places.iter().enumerate() {
                        count(cells.get(&(one, one)));
                        for &two in places[..at].iter().filter(|&&two| two != one) {
                            count(cells.get(&(one.min(two), one.max(two))));
                        }
                    }
                    2.0 * sum[0] / (2.0 * sum[0] + sum[1] + sum[2])
                })
                .collect();
            drawn.sort_unstable_by(f64::total_cmp);
            let (low, high) = resample(&cells, &[], &HashMap::new(), seed).unwrap().f1;
            let width = drawn[3899] - drawn[100];
            assert!(width > 0.1, "{width}");
            // An eighth of the width is three standard errors of an end with a thousand draws.
            assert!((low - drawn[100]).abs() < width / 8.0, "{low} and {}", drawn[100]);
            assert!((high - drawn[3899]).abs() < width / 8.0, "{high} and {}", drawn[3899]);
        }
    }
}
