//! What does even the best setting lose?
//!
//! Hindsight is the best of several hundred settings on a half of the groups, and partly luck: on another half, another setting has it. So
//! a loss against hindsight does not say how much a better choice would gain. The floor does: it is the loss of the one setting that does
//! best over many splits, which no choice can know, on splits that had no part in finding it.

use super::ladder::LADDER;
use super::trial::Curve;

/// The setting with the least mean loss over one half of the splits, and its median loss over the other; the mean of both ways round. `judged`
/// has the curves of all trials on each judged half, and `best` the best F1 there. `None` with fewer than two splits.
pub(super) fn floor(judged: &[Vec<Curve>], best: &[f64]) -> Option<f64> {
    let middle = judged.len() / 2;
    if middle == 0 {
        return None;
    }
    let (one, two) = judged.split_at(middle);
    let (best_of_one, best_of_two) = best.split_at(middle);
    // The mean loss is least where the mean F1 is highest.
    let on_two = loss_of(highest(one)?, two, best_of_two);
    let on_one = loss_of(highest(two)?, one, best_of_one);
    Some((on_one + on_two) / 2.0)
}

/// The setting with the highest mean F1; the first of equals.
fn highest(judged: &[Vec<Curve>]) -> Option<(usize, usize)> {
    let trials = judged.first()?.len();
    let mut highest: Option<((usize, usize), f64)> = None;
    for trial in 0..trials {
        for rung in 0..LADDER.len() {
            let sum: f64 = judged.iter().map(|curves| curves[trial][rung]).sum();
            if highest.is_none_or(|(_, known)| sum > known) {
                highest = Some(((trial, rung), sum));
            }
        }
    }
    highest.map(|(at, _)| at)
}

fn loss_of((trial, rung): (usize, usize), judged: &[Vec<Curve>], best: &[f64]) -> f64 {
    median(&mut judged.iter().zip(best).map(|(curves, best)| best - curves[trial][rung]).collect::<Vec<f64>>())
}

pub(super) fn median(values: &mut [f64]) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    match values.len() {
        0 => 0.0,
        n if n.is_multiple_of(2) => (values[n / 2 - 1] + values[n / 2]) / 2.0,
        n => values[n / 2],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(f1: f64) -> Curve {
        let mut curve = [0.0; LADDER.len()];
        curve[3] = f1;
        curve
    }

    /// Two settings that take turns to be the best: in hindsight one of them is perfect on most splits, but the other half never says which.
    #[test]
    fn what_is_best_by_luck_is_not_the_floor() {
        let split = |one: f64, two: f64| vec![curve(one), curve(two)];
        let judged = [split(1.0, 0.5), split(1.0, 0.5), split(0.5, 1.0), split(0.5, 1.0)];
        assert_eq!(floor(&judged, &[1.0; 4]), Some(0.5));
        // A setting that is good everywhere loses little, and the floor finds it.
        let steady: Vec<Vec<Curve>> = judged.iter().map(|curves| [&curves[..], &[curve(0.9)]].concat()).collect();
        assert!((floor(&steady, &[1.0; 4]).unwrap() - 0.5).abs() < 1e-9, "each half of the splits prefers its own");
        let mixed = [0, 2, 1, 3].map(|at: usize| steady[at].clone());
        assert!((floor(&mixed, &[1.0; 4]).unwrap() - 0.1).abs() < 1e-9);
        assert_eq!(floor(&judged[..1], &[1.0]), None);
        assert_eq!(floor(&[], &[]), None);
    }
}
