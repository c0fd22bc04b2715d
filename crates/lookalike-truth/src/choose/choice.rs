//! Which setting do the labels call for?
//!
//! The best F1 wins, with two guards against chance. The thresholds on both sides count too: a peak at a single threshold is chance. And
//! shingles of several words must be better than all other units by more than one standard error. One changed word changes all shingles
//! that contain it, so that a setting with them is brittle, and with few labels one of the many is the best by luck.

use super::ladder::LADDER;
use super::trial::{Curve, Part, Trial};

/// The chosen trial and threshold. `curves` has F1 of each trial on `part`.
pub(super) fn choose(trials: &[Trial], curves: &[Curve], part: &Part, same: &[f64]) -> Option<(usize, usize)> {
    let usual = best(trials, curves, |trial| !trial.settings.is_brittle());
    let brittle = best(trials, curves, |trial| trial.settings.is_brittle());
    let (usual, brittle) = match (usual, brittle) {
        (Some(usual), Some(brittle)) => (usual, brittle),
        (usual, brittle) => return usual.or(brittle).map(|best| best.at),
    };
    let gain = brittle.score - usual.score;
    let is_better = gain > 0.0 && gain > standard_error(trials, brittle.at, usual.at, part, same);
    Some(if is_better { brittle.at } else { usual.at })
}

struct Best {
    score: f64,
    at: (usize, usize),
}

/// The best of some trials. The first of equals wins, and of its thresholds the highest.
fn best(trials: &[Trial], curves: &[Curve], wants: impl Fn(&Trial) -> bool) -> Option<Best> {
    let mut best: Option<Best> = None;
    for (number, (_, curve)) in trials.iter().zip(curves).enumerate().filter(|(_, (trial, _))| wants(trial)) {
        for rung in (0..LADDER.len()).rev() {
            let beside = |at: Option<usize>| at.and_then(|at| curve.get(at)).copied().unwrap_or(curve[rung]);
            let score = curve[rung] / 2.0 + (beside(rung.checked_sub(1)) + beside(Some(rung + 1))) / 4.0;
            if best.as_ref().is_none_or(|known| score > known.score + 1e-12) {
                best = Some(Best { score, at: (number, rung) });
            }
        }
    }
    best
}

/// The standard error of the difference in F1 between two settings, if other groups had been labelled: from what each group adds to it (the
/// delta method).
fn standard_error(trials: &[Trial], one: (usize, usize), two: (usize, usize), part: &Part, same: &[f64]) -> f64 {
    let [one, two] = [one, two].map(|(trial, rung)| trials[trial].by_unit(rung, part, same));
    let differences = one.iter().zip(two).zip(part.is_in).filter(|(_, is_in)| **is_in).map(|((one, two), _)| one - two);
    let differences: Vec<f64> = differences.collect();
    let count = differences.len() as f64;
    let mean = differences.iter().sum::<f64>() / count.max(1.0);
    let squares: f64 = differences.iter().map(|value| (value - mean).powi(2)).sum();
    (squares * count / (count - 1.0).max(1.0)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choose::trial::{Scored, Settings};
    use crate::random::Random;

    fn trial(tokens: &str, pairs: Vec<Scored>) -> Trial {
        let settings =
            Settings { text: vec!["text".into()], within: vec![], tokens: tokens.into(), measure: "jaccard".into() };
        Trial { settings, pairs, lowest: 0 }
    }

    /// A trial that finds the pair of each group with this chance, and as many pairs of other groups.
    fn random_trial(tokens: &str, groups: u32, chance: usize, random: &mut Random) -> Trial {
        let mut pairs = Vec::new();
        for unit in 0..groups {
            if random.below(100) < chance {
                pairs.push(Scored { rung: 8, is_same: true, units: [unit, unit] });
            }
            if random.below(100) >= chance {
                let other = random.below(groups as usize) as u32;
                pairs.push(Scored { rung: 8, is_same: false, units: [unit, other] });
            }
        }
        trial(tokens, pairs)
    }

    fn part(is_in: &[bool]) -> Part<'_> {
        Part { is_in, between: 1.0 }
    }

    fn chosen(trials: &[Trial], groups: usize) -> &str {
        let (is_in, same) = (vec![true; groups], vec![1.0; groups]);
        let curves: Vec<Curve> = trials.iter().map(|trial| trial.curve(&part(&is_in), &same)).collect();
        &trials[choose(trials, &curves, &part(&is_in), &same).unwrap().0].settings.tokens
    }

    /// Leaving out one group after another, and computing the difference again, gives the same standard error.
    #[test]
    fn the_standard_error_is_that_of_the_jackknife() {
        for seed in 0..20 {
            let mut random = Random::new(seed);
            let groups = 80 + random.below(80);
            let trials = [70, 85].map(|chance| random_trial("words", groups as u32, chance, &mut random));
            let same = vec![1.0; groups];
            // Some groups have no part in it.
            let all: Vec<bool> = (0..groups).map(|unit| unit % 7 != 0).collect();
            let without: Vec<f64> = (0..groups)
                .filter(|&unit| all[unit])
                .map(|unit| {
                    let mut is_in = all.clone();
                    is_in[unit] = false;
                    let f1 = trials.each_ref().map(|trial| trial.curve(&part(&is_in), &same)[8]);
                    f1[0] - f1[1]
                })
                .collect();
            let count = without.len() as f64;
            let mean = without.iter().sum::<f64>() / count;
            let squares: f64 = without.iter().map(|value| (value - mean).powi(2)).sum();
            let jackknife = (squares * (count - 1.0) / count).sqrt();
            let found = standard_error(&trials, (0, 8), (1, 8), &part(&all), &same);
            assert!((found / jackknife - 1.0).abs() < 0.02, "{found} and {jackknife}");
        }
    }

    #[test]
    fn shingles_of_several_words_must_be_clearly_better() {
        let found = |tokens, units: std::ops::Range<u32>| {
            trial(tokens, units.map(|unit| Scored { rung: 14, is_same: true, units: [unit, unit] }).collect())
        };
        // One pair more is no evidence, twenty are.
        assert_eq!(chosen(&[found("words:5", 0..31), found("words", 0..30)], 40), "words");
        assert_eq!(chosen(&[found("words:5", 0..40), found("words", 0..20)], 40), "words:5");
        assert_eq!(chosen(&[found("words:5", 0..30), found("words", 0..30)], 40), "words");
        // Between others, one pair decides, and so it does if nothing else was tried.
        assert_eq!(chosen(&[found("chars:3", 0..31), found("words", 0..30)], 40), "chars:3");
        assert_eq!(chosen(&[found("words:2", 0..30), found("words:5", 0..31)], 40), "words:5");
    }

    #[test]
    fn nothing_found_is_no_error() {
        assert_eq!(chosen(&[trial("words:5", vec![]), trial("words", vec![])], 3), "words");
        assert_eq!(standard_error(&[trial("words", vec![])], (0, 0), (0, 0), &part(&[]), &[]), 0.0);
        assert_eq!(choose(&[], &[], &part(&[]), &[]), None);
    }
}
