//! How much does each choice matter?

use serde::Serialize;

use super::ladder::LADDER;
use super::trial::{Settings, Trial};

/// How much a choice matters.
#[derive(Clone, Debug, Serialize)]
pub struct Influence {
    /// Which setting it is: `tokens`, `measure`, `text`, `within` or `threshold`.
    pub choice: &'static str,
    /// Each value, and the best F1 that any setting with it reaches, the best first.
    pub values: Vec<(String, f64)>,
    /// The difference between the best value and the worst.
    pub spread: f64,
}

/// The value of a choice in a way to compare.
type Value = fn(&Settings) -> String;

const CHOICES: [(&str, Value); 4] = [
    ("text", |settings| settings.text.join(",")),
    ("within", |settings| if settings.within.is_empty() { "–".to_string() } else { settings.within.join(",") }),
    ("tokens", |settings| settings.tokens.clone()),
    ("measure", |settings| settings.measure.clone()),
];

/// By choice and value, the best F1; the choice that matters most first.
pub(super) fn influences(trials: &[Trial], curves: &[[f64; LADDER.len()]]) -> Vec<Influence> {
    let mut found: Vec<Influence> = Vec::new();
    for (choice, value) in CHOICES {
        let mut values: Vec<(String, f64)> = Vec::new();
        for (trial, curve) in trials.iter().zip(curves) {
            let (name, best) = (value(&trial.settings), curve.iter().copied().fold(0.0, f64::max));
            match values.iter_mut().find(|(known, _)| *known == name) {
                Some((_, f1)) => *f1 = f1.max(best),
                None => values.push((name, best)),
            }
        }
        found.push(influence(choice, values));
    }
    let at = |rung: usize| curves.iter().map(|curve| curve[rung]).fold(0.0, f64::max);
    // Thresholds that no trial went down to say nothing.
    let lowest = trials.iter().map(|trial| usize::from(trial.lowest)).min().unwrap_or(0);
    found.push(influence(
        "threshold",
        (lowest..LADDER.len()).map(|rung| (LADDER[rung].to_string(), at(rung))).collect(),
    ));
    found.sort_by(|one, two| two.spread.total_cmp(&one.spread));
    found
}

fn influence(choice: &'static str, mut values: Vec<(String, f64)>) -> Influence {
    values.sort_by(|one, two| two.1.total_cmp(&one.1));
    let spread = values.first().map_or(0.0, |best| best.1) - values.last().map_or(0.0, |worst| worst.1);
    Influence { choice, values, spread }
}
