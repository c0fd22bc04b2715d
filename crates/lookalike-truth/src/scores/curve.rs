//! Precision and recall as the threshold falls.

use serde::Serialize;

use super::interval::{Interval, wilson};

/// A found pair with a label.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranked {
    /// How similar the two are; for a distance, minus the distance.
    pub score: f64,
    /// Whether they are the same.
    pub is_same: bool,
    /// What it counts.
    pub weight: f64,
}

/// Average precision: the sum over thresholds of (gain in recall) × precision. Pairs of one score enter together, as in scikit-learn. `same`
/// is how many pairs are the same, found or not: a pair that was never found adds nothing. `ranked` is sorted by score, the highest first.
pub fn average_precision(ranked: impl Iterator<Item = Ranked>, same: f64) -> f64 {
    let (mut right, mut all, mut sum) = (0.0, 0.0, 0.0);
    let (mut gained, mut score) = (0.0, f64::NAN);
    for pair in ranked {
        if pair.score != score {
            sum += if all > 0.0 { gained * right / all } else { 0.0 };
            (gained, score) = (0.0, pair.score);
        }
        all += pair.weight;
        if pair.is_same {
            right += pair.weight;
            gained += pair.weight;
        }
    }
    sum += if all > 0.0 { gained * right / all } else { 0.0 };
    if same > 0.0 { sum / same } else { 0.0 }
}

/// The found pairs of a range of similarity.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Level {
    /// The lowest similarity or distance of the range.
    pub from: f64,
    /// The end of the range, which is not in it, unless it is 1.
    pub to: f64,
    /// Found pairs that are the same.
    pub right: u64,
    /// Found pairs that are different.
    pub wrong: u64,
    /// Found pairs without a label.
    pub unlabelled: u64,
    /// The share that is right, of those with a label.
    pub precision: Option<Interval>,
}

/// The most ranges.
const MOST: f64 = 20.0;

/// Counts found pairs by similarity, or by distance, lowest first. Each has its value, and whether it is the same if that is known.
pub fn by_level(found: &[(f64, Option<bool>)], is_distance: bool) -> Vec<Level> {
    let least = found.iter().map(|(value, _)| *value).fold(f64::INFINITY, f64::min);
    let greatest = found.iter().map(|(value, _)| *value).fold(f64::NEG_INFINITY, f64::max);
    if found.is_empty() || !least.is_finite() || !greatest.is_finite() {
        return Vec::new();
    }
    // Similarities in steps of 0.05, of which the last is 1 itself; counts and distances in whole numbers.
    let is_share = !is_distance && least >= 0.0 && greatest <= 1.0;
    let step = if is_share { 0.05 } else { ((greatest - least) / MOST).ceil().max(1.0) };
    // A similarity of 0.85 is in the range from 0.85, though 0.85 / 0.05 is a little less than 17.
    let place = |value: f64| (value / step + 1e-9).floor();
    let first = place(least);
    let mut levels: Vec<Level> = (0..=(place(greatest) - first) as usize)
        .map(|at| {
            let from = round((first + at as f64) * step);
            let to = if is_share && from >= 1.0 { 1.0 } else { round(from + step) };
            Level { from, to, right: 0, wrong: 0, unlabelled: 0, precision: None }
        })
        .collect();
    for &(value, is_same) in found {
        let level = &mut levels[(place(value) - first) as usize];
        match is_same {
            Some(true) => level.right += 1,
            Some(false) => level.wrong += 1,
            None => level.unlabelled += 1,
        }
    }
    for level in &mut levels {
        level.precision = wilson(level.right, level.right + level.wrong);
    }
    levels
}

fn round(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ranking_by_hand() {
        let pair = |score, is_same| Ranked { score, is_same, weight: 1.0 };
        let ranked = [pair(0.9, true), pair(0.8, false), pair(0.7, true), pair(0.7, false)];
        // Recall 1/4 at precision 1, then 2/4 at precision 2/4; two are never found.
        assert_eq!(average_precision(ranked.into_iter(), 4.0), 0.25 + 0.25 * 0.5);
        assert_eq!(average_precision([].into_iter(), 0.0), 0.0);
    }

    #[test]
    fn levels_begin_at_round_numbers() {
        let found = [(0.85, Some(true)), (0.8, None), (1.0, Some(false)), (0.899, Some(false))];
        let levels = by_level(&found, false);
        let ends: Vec<(f64, f64)> = levels.iter().map(|level| (level.from, level.to)).collect();
        assert_eq!(ends, [(0.8, 0.85), (0.85, 0.9), (0.9, 0.95), (0.95, 1.0), (1.0, 1.0)]);
        assert_eq!((levels[1].right, levels[1].wrong, levels[0].unlabelled, levels[4].wrong), (1, 1, 1, 1));
        let far = by_level(&[(0.0, Some(true)), (3.0, Some(false))], true);
        assert_eq!((far.len(), far[3].wrong), (4, 1));
    }
}
