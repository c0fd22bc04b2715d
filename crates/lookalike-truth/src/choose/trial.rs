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

/// Some of the groups.
pub(super) struct Part<'a> {
    /// By group, whether it is in this part.
    pub(super) is_in: &'a [bool],
    /// What a pair between two groups counts.
    pub(super) between: f64,
}

impl Trial {
    /// F1 by threshold. `same` is the number of pairs that are the same, by group.
    pub(super) fn curve(&self, part: &Part, same: &[f64]) -> [f64; LADDER.len()] {
        let mut right = [0.0; LADDER.len()];
        let mut wrong = [0.0; LADDER.len()];
        for pair in &self.pairs {
            let [a, b] = pair.units;
            if part.is_in[a as usize] && part.is_in[b as usize] {
                let weight = if a == b { 1.0 } else { part.between };
                let counts = if pair.is_same { &mut right } else { &mut wrong };
                counts[usize::from(pair.rung)] += weight;
            }
        }
        let all: f64 = same.iter().zip(part.is_in).filter(|(_, is_in)| **is_in).map(|(same, _)| same).sum();
        let mut curve = [0.0; LADDER.len()];
        let (mut found, mut errors) = (0.0, 0.0);
        for rung in (usize::from(self.lowest)..LADDER.len()).rev() {
            found += right[rung];
            errors += wrong[rung];
            curve[rung] = f1_of(found, errors, (all - found).max(0.0));
        }
        curve
    }
}
