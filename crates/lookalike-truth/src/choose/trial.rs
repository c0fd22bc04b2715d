//! One way to compare, and the labelled pairs by the thresholds that they reach.

use serde::Serialize;

use super::ladder::LADDER;
use crate::scores::f1_of;

/// A way to compare, without its threshold.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Settings {
    /// The fields of the text.
    pub text: Vec<String>,
    /// The fields that must be equal.
    pub within: Vec<String>,
    /// What the elements are.
    pub tokens: String,
    /// The measure.
    pub measure: String,
}

impl Settings {
    /// Whether the elements are shingles of several words: one changed word changes all that contain it.
    pub(super) fn is_brittle(&self) -> bool {
        self.tokens.starts_with("words:")
    }
}

/// A pair with a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scored {
    /// The place in [`LADDER`] of the highest threshold that the pair reaches.
    pub rung: u8,
    /// Whether the two are the same.
    pub is_same: bool,
    /// The groups of both.
    pub units: [u32; 2],
}

/// A way to compare, and what it finds.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The way to compare.
    pub settings: Settings,
    /// The labelled pairs that reach the lowest threshold.
    pub pairs: Vec<Scored>,
    /// The place in [`LADDER`] of the lowest threshold that was computed.
    pub lowest: u8,
}

/// F1 by threshold.
pub(super) type Curve = [f64; LADDER.len()];

/// Some of the groups.
pub(super) struct Part<'a> {
    /// By group, whether it is in this part.
    pub(super) is_in: &'a [bool],
    /// The weight of a pair between two groups.
    pub(super) between: f64,
}

impl Part<'_> {
    /// The sum of the groups' numbers.
    pub(super) fn sum(&self, of: &[f64]) -> f64 {
        of.iter().zip(self.is_in).filter(|(_, is_in)| **is_in).map(|(of, _)| of).sum()
    }
}

/// Pairs by the highest threshold that they reach.
#[derive(Clone, Default)]
pub(super) struct Counts {
    /// Pairs that are the same. They are always of one group.
    pub(super) right: [u32; LADDER.len()],
    /// Different pairs of one group: labels that contradict each other, or a group that only chains hold together.
    pub(super) inside: [u32; LADDER.len()],
    /// Different pairs of two groups.
    pub(super) between: [u32; LADDER.len()],
}

impl Counts {
    /// F1 by threshold. A pair of two groups counts `between`; `all` pairs are the same.
    pub(super) fn curve(&self, between: f64, lowest: u8, all: f64) -> Curve {
        let mut curve = [0.0; LADDER.len()];
        let (mut found, mut errors) = (0.0, 0.0);
        for rung in (usize::from(lowest)..LADDER.len()).rev() {
            found += f64::from(self.right[rung]);
            errors += f64::from(self.inside[rung]) + f64::from(self.between[rung]) * between;
            curve[rung] = f1_of(found, errors, (all - found).max(0.0));
        }
        curve
    }
}

impl Trial {
    /// F1 by threshold. `same` is the number of pairs that are the same, by group.
    pub(super) fn curve(&self, part: &Part, same: &[f64]) -> Curve {
        let mut counts = Counts::default();
        for pair in &self.pairs {
            let [a, b] = pair.units;
            if part.is_in[a as usize] && part.is_in[b as usize] {
                let kind = match (pair.is_same, a == b) {
                    (true, _) => &mut counts.right,
                    (false, true) => &mut counts.inside,
                    (false, false) => &mut counts.between,
                };
                kind[usize::from(pair.rung)] += 1;
            }
        }
        counts.curve(part.between, self.lowest, part.sum(same))
    }

    /// What each group adds to F1 at a threshold: how fast F1 changes with the weight of the group, by its number. A pair between two groups
    /// has the weights of both.
    pub(super) fn by_unit(&self, rung: usize, part: &Part, same: &[f64]) -> Vec<f64> {
        let (mut right, mut wrong) = (vec![0.0; same.len()], vec![0.0; same.len()]);
        let mut errors = 0.0;
        for pair in self.pairs.iter().filter(|pair| usize::from(pair.rung) >= rung) {
            let [a, b] = pair.units.map(|unit| unit as usize);
            if part.is_in[a] && part.is_in[b] {
                let weight = if a == b { 1.0 } else { part.between };
                let counts = if pair.is_same { &mut right } else { &mut wrong };
                counts[a] += weight;
                if a != b {
                    counts[b] += weight;
                }
                errors += if pair.is_same { 0.0 } else { weight };
            }
        }
        // F1 is twice what is right, divided by all that was found and all that is the same. Pairs that are the same are of one group.
        let found = part.sum(&right);
        let total = found + errors + part.sum(same);
        if total == 0.0 {
            return vec![0.0; same.len()];
        }
        let f1 = 2.0 * found / total;
        let change = |unit: usize| (2.0 * right[unit] - f1 * (right[unit] + wrong[unit] + same[unit])) / total;
        (0..same.len()).map(|unit| if part.is_in[unit] { change(unit) } else { 0.0 }).collect()
    }
}
