//! Are there enough labels?

use serde::Serialize;

use super::trial::Trial;
use crate::scores::Interval;

/// Whether the labels are enough to choose by.
#[derive(Clone, Debug, Serialize)]
pub struct Enough {
    /// Pairs that are the same.
    pub same: u64,
    /// Groups with such pairs.
    pub groups: u64,
    /// Different pairs that some way to compare finds similar. Only these tell ways to compare apart.
    pub different: u64,
    /// Whether the labels are enough.
    pub is_enough: bool,
    /// Half the width of the interval of F1.
    pub uncertainty: f64,
    /// How many more pairs that are the same would make F1 certain to within 0.05; `None` if it is.
    pub more: Option<u64>,
    /// How many more different pairs that look similar are needed; `None` if there are enough.
    pub more_different: Option<u64>,
    /// The missing labels, in words.
    pub lacking: Vec<String>,
}

/// Fewer groups than this say little.
const GROUPS: u64 = 20;
/// Fewer different pairs than this say little.
const DIFFERENT: u64 = 10;
/// How certain F1 should be.
const WANTED: f64 = 0.05;

impl Enough {
    /// Whether so many groups have labels that they say something.
    pub fn has_groups(&self) -> bool {
        self.groups >= GROUPS
    }

    pub(super) fn of(trials: &[Trial], same: &[f64], f1: &Interval) -> Enough {
        let groups = same.iter().filter(|same| **same > 0.0).count() as u64;
        let all_same = same.iter().sum::<f64>() as u64;
        let different = trials.iter().map(|trial| trial.pairs.iter().filter(|pair| !pair.is_same).count()).max();
        let different = different.unwrap_or(0) as u64;
        let uncertainty = (f1.high - f1.low) / 2.0;
        // The width of an interval falls with the root of the number of groups.
        let factor = (uncertainty / WANTED).powi(2);
        let per_group = all_same as f64 / groups.max(1) as f64;
        let for_width = ((factor - 1.0).max(0.0) * groups as f64 * per_group).ceil() as u64;
        let for_groups = (GROUPS.saturating_sub(groups) as f64 * per_group.max(1.0)).ceil() as u64;
        let more = for_width.max(for_groups);
        let mut lacking = Vec::new();
        if groups < GROUPS {
            lacking.push(format!("only {groups} groups have pairs that are the same; {GROUPS} or more are needed"));
        }
        if different < DIFFERENT {
            lacking.push(format!(
                "only {different} pairs that look similar are labelled different; {DIFFERENT} or more are needed"
            ));
        }
        if uncertainty > WANTED {
            lacking.push(format!("F1 is known only to within {uncertainty:.2}"));
        }
        Enough {
            same: all_same,
            groups,
            different,
            is_enough: lacking.is_empty(),
            uncertainty,
            more: (more > 0).then_some(more),
            more_different: (different < DIFFERENT).then(|| DIFFERENT - different),
            lacking,
        }
    }
}

#[cfg(test)]
mod tests {
    use lookalike::engine::Stage;

    use super::*;
    use crate::choose::floor::median;
    use crate::choose::trial::{Scored, Settings};
    use crate::choose::{Others, calibrate};
    use crate::random::Random;

    fn enough(groups: u32, different: u32, reach: f64) -> Enough {
        let same = (0..groups).map(|unit| Scored { rung: 9, is_same: true, units: [unit, unit] });
        let others = (0..different).map(|unit| Scored { rung: 9, is_same: false, units: [unit, unit + 1] });
        let settings = Settings { text: vec![], within: vec![], tokens: "words".into(), measure: "jaccard".into() };
        let trial = Trial { settings, pairs: same.chain(others).collect(), lowest: 0 };
        let f1 = Interval { value: 0.9, low: 0.9 - reach, high: 0.9 + reach };
        Enough::of(&[trial], &vec![1.0; groups as usize], &f1)
    }

    /// Whatever is lacking, it is said how many more would settle it.
    #[test]
    fn how_many_more() {
        let more = |it: &Enough| (it.is_enough, it.more, it.more_different);
        assert_eq!(more(&enough(40, 10, 0.04)), (true, None, None));
        assert_eq!(more(&enough(40, 3, 0.04)), (false, None, Some(7)));
        assert_eq!(more(&enough(12, 12, 0.04)), (false, Some(8), None));
        // Twice as uncertain as it may be: four times as many groups.
        assert_eq!(more(&enough(40, 12, 0.1)), (false, Some(120), None));
        assert_eq!(more(&enough(12, 0, 0.04)), (false, Some(8), Some(10)));
    }

    /// Groups of two to four documents, of which a setting finds most.
    fn labelled(groups: u32, random: &mut Random) -> (Trial, Vec<f64>) {
        let (mut pairs, mut same) = (Vec::new(), Vec::new());
        for unit in 0..groups {
            let all = [1, 1, 3, 6][random.below(4)];
            let found = if random.below(10) < 6 { all } else { 0 };
            pairs.extend((0..found).map(|_| Scored { rung: 9, is_same: true, units: [unit, unit] }));
            pairs.extend((random.below(2) == 0).then_some(Scored { rung: 9, is_same: false, units: [unit, unit] }));
            same.push(f64::from(all));
        }
        let settings = Settings { text: vec![], within: vec![], tokens: "words".into(), measure: "jaccard".into() };
        (Trial { settings, pairs, lowest: 0 }, same)
    }

    fn judged(groups: u32, random: &mut Random) -> Enough {
        let (trial, same) = labelled(groups, random);
        calibrate(&[trial], &same, &Others::Labelled(vec![]), None, 0, &Stage::silent()).unwrap().unwrap().enough
    }

    /// With as many more labels as it says, F1 is as certain as it should be; with a quarter of them it is not.
    #[test]
    fn so_many_more_do_settle_it() {
        let mut random = Random::new(8);
        let (mut with_all, mut with_some) = (Vec::new(), Vec::new());
        for _ in 0..40 {
            let first = judged(60, &mut random);
            let per_group = first.same as f64 / first.groups as f64;
            let more = first.more.expect("sixty groups do not settle this") as f64 / per_group;
            with_all.push(judged(60 + more as u32, &mut random).uncertainty);
            with_some.push(judged(60 + more as u32 / 4, &mut random).uncertainty);
        }
        let [with_all, with_some] = [&mut with_all, &mut with_some].map(|values| median(values));
        assert!((0.045..0.055).contains(&with_all), "{with_all}");
        assert!(with_some > 0.06, "{with_some}");
    }
}
