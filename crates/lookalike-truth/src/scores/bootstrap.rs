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
