//! How low is a threshold worth trying?

use super::ladder::LADDER;
use super::trial::Scored;
use crate::scores::f1_of;

/// A threshold is not worth trying if F1 with all labels stays below this, whatever it finds.
const HOPELESS: f64 = 0.2;

/// The highest threshold, as a place in [`LADDER`] from `lowest` on, at which F1 with all labels is below 0.2 even if all `same` pairs that
/// are the same are found. All lower thresholds are as hopeless, because they find at least as many different pairs. `None` if there is none.
pub fn hopeless(pairs: &[Scored], lowest: u8, same: f64) -> Option<u8> {
    let mut wrong = [0.0; LADDER.len()];
    pairs.iter().filter(|pair| !pair.is_same).for_each(|pair| wrong[usize::from(pair.rung)] += 1.0);
    let mut all = 0.0;
    (lowest..LADDER.len() as u8).rev().find(|&rung| {
        all += wrong[usize::from(rung)];
        f1_of(same, all, 0.0) < HOPELESS
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::choose::trial::{Part, Settings, Trial};

    proptest! {
        /// No threshold that is called hopeless reaches an F1 of 0.2, and the next one above might.
        #[test]
        fn nothing_good_is_lost(pairs in proptest::collection::vec((0_u8..15, 0_u8..12), 0..120), missed in 0_u8..6) {
            let scored = |(rung, kind): (u8, u8)| Scored { rung, is_same: kind == 0, units: [0, u32::from(kind > 0)] };
            let pairs: Vec<Scored> = pairs.into_iter().map(scored).collect();
            let all = f64::from(missed) + pairs.iter().filter(|pair| pair.is_same).count() as f64;
            let found = hopeless(&pairs, 0, all);
            let wrong = |from: u8| pairs.iter().filter(|pair| !pair.is_same && pair.rung >= from).count() as f64;
            if let Some(rung) = found {
                let settings = Settings { text: vec![], within: vec![], tokens: "words".into(), measure: "jaccard".into() };
                let trial = Trial { settings, pairs: pairs.clone(), lowest: 0 };
                let curve = trial.curve(&Part { is_in: &[true, true], between: 1.0 }, &[all, 0.0]);
                prop_assert!(curve[..=usize::from(rung)].iter().all(|f1| *f1 < 0.2));
            }
            let next = found.map_or(0, |rung| rung + 1);
            prop_assert!(next == 15 || 2.0 * all / (2.0 * all + wrong(next)) >= 0.2 || all == 0.0);
        }
    }
}
