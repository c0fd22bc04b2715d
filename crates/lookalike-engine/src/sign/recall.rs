//! The recall of signatures, estimated from a sample.
//!
//! The sample draws sets, not pairs. For a drawn set i, the number of its partners Tᵢ is known, and the number Fᵢ of those that were
//! found. A partner that is drawn too counts half, because the pair is seen from both ends. So ΣT counts every pair once.
//!
//! The recall is R = ΣF / ΣT, a ratio estimate. Its interval is Wilson's for an effective number of independent pairs, because pairs of
//! one set tend to be found or missed together. That number is the smaller of
//!
//! * (ΣT)² / ΣT², as if the pairs of a set were all found or all missed, and
//! * R(1 − R) / V, where V = Σ(F − R·T)² / (ΣT)² is the variance of the ratio estimate,
//!
//! divided by the share of sets that were not drawn: if all sets were drawn, nothing is uncertain.

use crate::report::Recall;

/// The two-sided 95 % quantile of the normal distribution.
const QUANTILE: f64 = 1.959_963_984_540_054;
/// The target half-width of the interval, and the least number of sets with partners to draw for it.
const HALF_WIDTH: f64 = 0.01;
const FEWEST: f64 = 2000.0;

/// The number of sets to draw for a narrow interval around the designed recall, if `share` of the sets may have partners.
pub fn sets_to_draw(designed: f64, share: f64) -> usize {
    let pairs = (QUANTILE / HALF_WIDTH).powi(2) * designed * (1.0 - designed);
    (pairs.max(FEWEST) / share.max(1e-9)).ceil() as usize
}

/// The pairs of a drawn set: with sets that were not drawn, and with drawn ones, which count the same pairs.
#[derive(Clone, Copy, Debug, Default)]
pub struct PairsOfSet {
    /// With sets that were not drawn.
    pub with_others: u64,
    /// With drawn ones.
    pub with_drawn: u64,
}

impl PairsOfSet {
    /// The number of pairs, with half of each pair of two drawn sets.
    fn shared(self) -> f64 {
        self.with_others as f64 + self.with_drawn as f64 / 2.0
    }
}

impl Recall {
    /// The recall from the pairs of each drawn set, and those of them that were found.
    pub fn of(drawn: &[(PairsOfSet, PairsOfSet)], sets: u64) -> Recall {
        let sum = |each: &dyn Fn(f64, f64) -> f64| drawn.iter().map(|(t, f)| each(t.shared(), f.shared())).sum::<f64>();
        let (all, found) = (sum(&|t, _| t), sum(&|_, f| f));
        let mut recall = Recall {
            measured: None,
            low: 0.0,
            high: 1.0,
            sampled_sets: drawn.len() as u64,
            sets,
            sampled_pairs: all.round() as u64,
            found_pairs: found.round() as u64,
        };
        if all == 0.0 {
            return recall;
        }
        let share = found / all;
        recall.measured = Some(share);
        let together = all * all / sum(&|t, _| t * t);
        let variance = sum(&|t, f| (f - share * t).powi(2)) / (all * all);
        let independent = if variance > 0.0 { (share * (1.0 - share) / variance).min(together) } else { together };
        let undrawn = 1.0 - drawn.len() as f64 / sets.max(1) as f64;
        (recall.low, recall.high) = match undrawn > 0.0 {
            true => wilson(share, independent / undrawn),
            false => (share, share),
        };
        recall
    }
}

/// Wilson's interval of a share of `among` items.
fn wilson(share: f64, among: f64) -> (f64, f64) {
    let z = QUANTILE * QUANTILE / among;
    let middle = (share + z / 2.0) / (1.0 + z);
    let reach = (share * (1.0 - share) * z + z * z / 4.0).sqrt() / (1.0 + z);
    // Rounding must not put the share itself outside.
    ((middle - reach).clamp(0.0, share), (middle + reach).clamp(share, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals() {
        let near = |one: (f64, f64), two: (f64, f64)| (one.0 - two.0).abs() < 1e-4 && (one.1 - two.1).abs() < 1e-4;
        assert!(near(wilson(0.9, 100.0), (0.8256, 0.9448)));
        assert!(near(wilson(1.0, 100.0), (0.9630, 1.0)));
        let none = Recall::of(&[(PairsOfSet::default(), PairsOfSet::default()); 2], 10);
        assert_eq!((none.measured, none.low, none.high), (None, 0.0, 1.0));
    }

    /// Four sets, each in a pair with every other: six pairs, one of them missed. Either all four sets are drawn, or three.
    #[test]
    fn a_pair_that_is_seen_from_both_ends_counts_once() {
        let pairs = |with_others, with_drawn| PairsOfSet { with_others, with_drawn };
        let missed = (pairs(0, 3), pairs(0, 2));
        let all = Recall::of(&[missed, missed, (pairs(0, 3), pairs(0, 3)), (pairs(0, 3), pairs(0, 3))], 4);
        assert_eq!((all.sampled_pairs, all.found_pairs), (6, 5));
        assert_eq!((all.measured, all.low, all.high), (Some(5.0 / 6.0), 5.0 / 6.0, 5.0 / 6.0));
        let missed = (pairs(1, 2), pairs(1, 1));
        let three = Recall::of(&[missed, missed, (pairs(1, 2), pairs(1, 2))], 4);
        assert_eq!((three.sampled_pairs, three.found_pairs, three.measured), (6, 5, Some(5.0 / 6.0)));
    }

    /// The interval contains the true recall about as often as it claims, for clusters of different sizes.
    #[test]
    fn an_interval_holds_the_truth() {
        let mut state = 7u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let sets: Vec<(PairsOfSet, PairsOfSet)> = (0..20_000)
            .map(|_| {
                let partners = [0, 0, 1, 1, 2, 9][random(6) as usize];
                let found = (0..partners).filter(|_| random(100) > 1).count() as u64;
                [partners, found].map(|with_others| PairsOfSet { with_others, with_drawn: 0 }).into()
            })
            .collect();
        let truth = Recall::of(&sets, sets.len() as u64).measured.unwrap();
        let holds = (0..500)
            .filter(|_| {
                let drawn: Vec<(PairsOfSet, PairsOfSet)> = (0..600).map(|_| sets[random(20_000) as usize]).collect();
                let recall = Recall::of(&drawn, 20_000);
                recall.low <= truth && truth <= recall.high
            })
            .count();
        assert!(holds >= 465, "{holds} of 500");
    }
}
