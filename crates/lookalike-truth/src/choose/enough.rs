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
            lacking,
        }
    }
}
