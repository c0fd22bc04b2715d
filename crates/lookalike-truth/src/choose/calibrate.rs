//! Chooses a setting, and says what it is worth.

use std::collections::HashMap;

use lookalike::engine::{Cancelled, Stage};
use rayon::prelude::*;
use serde::Serialize;

use super::choice::choose;
use super::enough::Enough;
use super::floor::{floor, median};
use super::halves::{Halves, InHalves};
use super::influence::{Influence, influences};
use super::ladder::LADDER;
use super::others::Others;
use super::trial::{Counts, Curve, Part, Settings, Trial};
use crate::scores::{Cell, Interval, resample};

/// A chosen setting.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Chosen {
    /// The way to compare.
    #[serde(flatten)]
    pub settings: Settings,
    /// The threshold.
    pub threshold: &'static str,
    /// F1 with all labels.
    pub f1: f64,
}

/// What one split of the groups showed.
#[derive(Clone, Debug, Serialize)]
pub struct Split {
    /// The setting chosen on one half.
    pub chosen: Chosen,
    /// Its F1 on the other half.
    pub f1: f64,
    /// The F1 there of the setting that is chosen without any document of the other half. The choice above uses pairs with one document in each
    /// half, which are different: by their labels, or because labels are complete. No pair with both documents in the other half is used.
    pub alone: f64,
    /// The same, for a collection of the whole size. A half of the groups has a half of the pairs within groups, but only a quarter of those
    /// between groups: here they count twice.
    pub in_all: f64,
    /// The best F1 of any setting on the other half.
    pub best: f64,
    /// F1 on the other half of the setting chosen with all labels.
    pub of_all: f64,
    /// F1 of the default settings on the other half.
    pub default: Option<f64>,
}

/// A choice of settings.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Calibration {
    /// The chosen setting.
    pub chosen: Chosen,
    /// What it is expected to reach on documents that had no part in the choice: the mean over the splits, and where 95 % of them lie.
    pub expected: Interval,
    /// F1 of the chosen setting with all labels, with the interval of the bootstrap by groups.
    pub f1: Interval,
    /// The median over the splits of the best F1 in hindsight, less that of the chosen setting.
    pub median_loss: f64,
    /// The same if settings are chosen without the documents of the other half.
    pub median_loss_alone: f64,
    /// What even the best one setting is expected to lose: the setting with the least mean loss over half of the splits, judged on the other
    /// half of them. It has seen all labels, and what it loses is chance. `None` with fewer than two splits.
    pub floor: Option<f64>,
    /// The default settings with all labels.
    pub default: Option<Chosen>,
    /// What each choice is worth.
    pub influences: Vec<Influence>,
    /// The best threshold of each way to compare, the best first.
    pub best: Vec<Chosen>,
    /// The splits.
    pub splits: Vec<Split>,
    /// Whether the labels are enough.
    pub enough: Enough,
}

/// So that the splits are the same in every run.
const SEED: u64 = 0xca11_b7a7;
/// How many ways to compare are listed.
const LISTED: usize = 50;
/// The threshold of the default settings.
const DEFAULT: usize = 10;

/// Chooses a setting. `same` is the number of pairs that are the same, by group; `others` the pairs of two groups that are known to be
/// different; `default` the default way to compare, which is only judged. `None` if there is no trial, or nothing is the same. The stage
/// counts splits.
pub fn calibrate(
    trials: &[Trial],
    same: &[f64],
    others: &Others,
    default: Option<&Trial>,
    splits: usize,
    stage: &Stage,
) -> Result<Option<Calibration>, Cancelled> {
    let all = vec![true; same.len()];
    let whole = Part { is_in: &all, between: 1.0 };
    let curve = |trial: &Trial| stage.check().map(|()| trial.curve(&whole, same));
    let curves = trials.par_iter().map(curve).collect::<Result<Vec<Curve>, Cancelled>>()?;
    let Some((trial, rung)) = choose(trials, &curves, &whole, same) else { return Ok(None) };
    if same.iter().sum::<f64>() == 0.0 {
        return Ok(None);
    }
    let named = |trial: usize, rung: usize, f1: f64| Chosen {
        settings: trials[trial].settings.clone(),
        threshold: LADDER[rung],
        f1,
    };
    let halves = Halves::new(same, splits, SEED);
    let found: Vec<InHalves> = trials.par_iter().map(|trial| halves.count(trial, stage)).collect::<Result<_, _>>()?;
    let split = |number: usize| {
        let half = &halves.first[number];
        let other: Vec<bool> = half.iter().map(|is_in| !is_in).collect();
        let [half, other] = [half, &other].map(|is_in| Part { is_in, between: 1.0 });
        let all = other.sum(same);
        let on = |of: fn(&InHalves) -> &[Counts], all: f64| -> Vec<Curve> {
            found.iter().zip(trials).map(|(found, trial)| of(found)[number].curve(1.0, trial.lowest, all)).collect()
        };
        let (own, judged) = (on(|found| &found.first, half.sum(same)), on(|found| &found.second, all));
        let of_all = judged[trial][rung];
        let alone = choose(trials, &own, &half, same)?;
        // A document of this half and one of the other are different, whatever the others are among themselves.
        let (share, all) = (others.share_within(half.is_in), half.sum(same));
        let wide = |(found, trial): (&InHalves, &Trial)| found.first_and_across(number).curve(share, trial.lowest, all);
        let wide: Vec<Curve> = found.iter().zip(trials).map(wide).collect();
        let (trial, rung) = choose(trials, &wide, &half, same)?;
        let split = Split {
            alone: judged[alone.0][alone.1],
            chosen: named(trial, rung, own[trial][rung]),
            f1: judged[trial][rung],
            in_all: found[trial].second[number].curve(2.0, trials[trial].lowest, all)[rung],
            best: judged.iter().flatten().copied().fold(0.0, f64::max),
            of_all,
            default: default.map(|default| default.curve(&other, same)[DEFAULT]),
        };
        Some((split, judged))
    };
    let watched = |number: usize| {
        if let Err(cancelled) = stage.check() {
            return Some(Err(cancelled));
        }
        let made = split(number);
        stage.add(1);
        made.map(Ok)
    };
    let (halves, judged): (Vec<Split>, Vec<Vec<Curve>>) =
        (0..splits).into_par_iter().filter_map(watched).collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
    let floor = floor(&judged, &halves.iter().map(|split| split.best).collect::<Vec<f64>>());
    let mut losses: Vec<f64> = halves.iter().map(|split| split.best - split.f1).collect();
    let mut alone: Vec<f64> = halves.iter().map(|split| split.best - split.alone).collect();
    let mut reached: Vec<f64> = halves.iter().map(|split| split.in_all).collect();
    stage.check()?;
    let f1 = interval_of(&trials[trial], rung, same, curves[trial][rung]);
    let enough = Enough::of(trials, same, &f1);
    let mut best: Vec<Chosen> = (0..trials.len()).map(|trial| best_of(trial, &curves, named)).collect();
    best.sort_by(|one, two| two.f1.total_cmp(&one.f1));
    let influences = influences(trials, &curves);
    best.truncate(LISTED);
    Ok(Some(Calibration {
        chosen: named(trial, rung, curves[trial][rung]),
        expected: middle(&mut reached).unwrap_or(f1),
        f1,
        median_loss: median(&mut losses),
        median_loss_alone: median(&mut alone),
        floor,
        default: default.map(|default| Chosen {
            settings: default.settings.clone(),
            threshold: LADDER[DEFAULT],
            f1: default.curve(&whole, same)[DEFAULT],
        }),
        influences,
        best,
        splits: halves,
        enough,
    }))
}

fn best_of(trial: usize, curves: &[Curve], named: impl Fn(usize, usize, f64) -> Chosen) -> Chosen {
    let curve = &curves[trial];
    let rung = (0..LADDER.len())
        .rev()
        .fold(LADDER.len() - 1, |best, rung| if curve[rung] > curve[best] { rung } else { best });
    named(trial, rung, curve[rung])
}

/// F1 with the interval of the bootstrap by groups.
fn interval_of(trial: &Trial, rung: usize, same: &[f64], value: f64) -> Interval {
    let mut cells: HashMap<(u32, u32), Cell> = HashMap::new();
    let mut missed = same.to_vec();
    for pair in trial.pairs.iter().filter(|pair| usize::from(pair.rung) >= rung) {
        let [a, b] = pair.units;
        let cell = cells.entry((a.min(b), a.max(b))).or_default();
        if pair.is_same {
            cell.right += 1.0;
            missed[a as usize] -= 1.0;
        } else {
            cell.wrong += 1.0;
        }
    }
    for (unit, &missed) in missed.iter().enumerate().filter(|(_, missed)| **missed > 0.0) {
        cells.entry((unit as u32, unit as u32)).or_default().missed += missed;
    }
    let ends = resample(&cells, &[], &Default::default(), SEED).map_or((0.0, 1.0), |resampled| resampled.f1);
    Interval { value, low: ends.0.min(value), high: ends.1.max(value) }
}

/// The mean, and where 95 % of the values lie.
fn middle(values: &mut [f64]) -> Option<Interval> {
    values.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| values.get(((values.len().max(1) - 1) as f64 * share).round() as usize).copied();
    Some(Interval { value: values.iter().sum::<f64>() / values.len().max(1) as f64, low: at(0.025)?, high: at(0.975)? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choose::trial::Scored;
    use crate::random::Random;

    fn trial(tokens: &str, pairs: Vec<Scored>) -> Trial {
        let settings =
            Settings { text: vec!["text".into()], within: vec![], tokens: tokens.into(), measure: "jaccard".into() };
        Trial { settings, pairs, lowest: 0 }
    }

    /// Few groups of two, and many documents of their own. One way takes pairs of these for the same, which few halves see, but many pairs of a
    /// document of a half and one of the other.
    #[test]
    fn documents_of_the_other_half_show_what_is_wrong() {
        let same =
            |rung: u8, units: u32| (0..units).map(move |unit| Scored { rung, is_same: true, units: [unit, unit] });
        let wrong = (0..8).map(|unit| Scored { rung: 14, is_same: false, units: [unit, 8 + unit] });
        let trials = [trial("many", same(14, 8).chain(wrong).collect()), trial("few", same(14, 7).collect())];
        let groups = [vec![1.0; 8], vec![0.0; 8]].concat();
        let documents = [vec![[2.0, 0.0]; 8], vec![[1.0, 0.0]; 8]].concat();
        let silent = Stage::silent();
        let found = calibrate(&trials, &groups, &Others::All(documents.clone()), None, 100, &silent).unwrap().unwrap();
        let mean = |of: fn(&Split) -> f64| found.splits.iter().map(of).sum::<f64>() / 100.0;
        assert!(mean(|split| split.f1) > mean(|split| split.alone) + 0.003);
        // Labels of all these pairs say the same as complete labels.
        let sizes = documents.iter().map(|of| of[0] as usize);
        let units: Vec<u32> = sizes.enumerate().flat_map(|(unit, size)| vec![unit as u32; size]).collect();
        let pairs = units.iter().enumerate().flat_map(|(at, &a)| units[..at].iter().map(move |&b| [a, b]));
        let labelled = Others::Labelled(pairs.filter(|[a, b]| a != b).collect());
        let labelled = calibrate(&trials, &groups, &labelled, None, 100, &silent).unwrap().unwrap();
        assert_eq!(labelled.splits.len(), 100);
        assert!(labelled.splits.iter().zip(&found.splits).all(|(one, two)| one.chosen == two.chosen));
    }

    /// Whatever the pairs of the judged half are, the choice is the same.
    #[test]
    fn no_pair_of_the_judged_half_is_used() {
        let (mut random, silent) = (Random::new(3), Stage::silent());
        let units = 30;
        let mut one = |tokens: &str| {
            let pairs = (0..300).map(|_| {
                let [a, b] = [random.below(units) as u32, random.below(units) as u32];
                let b = if random.below(2) == 0 { a } else { b };
                Scored { rung: random.below(15) as u8, is_same: a == b, units: [a, b] }
            });
            trial(tokens, pairs.collect())
        };
        let trials = ["words", "chars:3", "letters:3", "words:5"].map(&mut one);
        let same = vec![20.0; units];
        let others = Others::All(vec![[7.0, 0.0]; units]);
        let found = calibrate(&trials, &same, &others, None, 20, &silent).unwrap().unwrap();
        let mut changed = 0;
        for (number, half) in Halves::new(&same, 20, SEED).first.iter().enumerate() {
            let mut altered = trials.clone();
            for pair in altered.iter_mut().flat_map(|trial| &mut trial.pairs) {
                if pair.units.iter().all(|&unit| !half[unit as usize]) {
                    pair.rung = random.below(15) as u8;
                }
            }
            let same: Vec<f64> = half.iter().map(|is_in| if *is_in { 20.0 } else { 300.0 }).collect();
            let altered = calibrate(&altered, &same, &others, None, 20, &silent).unwrap().unwrap();
            assert_eq!(altered.splits[number].chosen, found.splits[number].chosen);
            changed += usize::from(altered.splits[number].f1 != found.splits[number].f1);
        }
        assert_eq!(changed, 20, "the pairs of the judged half decide what is found there");
    }

    /// Forty groups of two; the good way finds them from 0.7 on, the bad way mixes them with pairs of others.
    fn two_ways() -> (Vec<Trial>, Vec<f64>) {
        let same = |rung: u8| (0..40).map(move |unit| Scored { rung, is_same: true, units: [unit, unit] });
        let different = |rung: u8| (0..39).map(move |unit| Scored { rung, is_same: false, units: [unit, unit + 1] });
        let good = same(9).chain(different(5)).collect();
        let bad = same(9).chain(different(10)).collect();
        (vec![trial("bad", bad), trial("good", good)], vec![1.0; 40])
    }

    #[test]
    fn the_better_way_is_chosen() {
        let (trials, same) = two_ways();
        let silent = Stage::silent();
        let found = calibrate(&trials, &same, &Others::All(vec![[2.0, 0.0]; 40]), Some(&trials[0]), 20, &silent)
            .unwrap()
            .unwrap();
        assert_eq!((found.chosen.settings.tokens.as_str(), found.chosen.f1), ("good", 1.0));
        // In the middle of what is right, not on its edge.
        assert!(["0.65", "0.7"].contains(&found.chosen.threshold), "{}", found.chosen.threshold);
        assert_eq!((found.median_loss, found.floor, found.splits.len()), (0.0, Some(0.0), 20));
        assert_eq!(found.default.unwrap().f1, 0.0);
        assert_eq!(found.influences[0].choice, "threshold");
        assert!(calibrate(&trials, &[0.0; 40], &Others::Labelled(vec![]), None, 20, &silent).unwrap().is_none());
        assert!(calibrate(&[], &same, &Others::Labelled(vec![]), None, 20, &silent).unwrap().is_none());
    }
}
