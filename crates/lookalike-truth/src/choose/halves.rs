//! The groups, split into halves many times, and what a trial finds in all halves at once.
//!
//! A pair is in a half if both of its groups are. Instead of asking that once for each split, each group has a row of bits, one for each
//! split, and the bits of two groups are combined by words of 64. The sums are bits too: a number is kept as one row of bits for each of
//! its binary digits, and a pair is added to all of them by carries. This takes about the time of three splits asked one by one.

use lookalike::engine::{Cancelled, Stage};

use super::ladder::LADDER;
use super::trial::{Counts, Trial};
use crate::random::Random;

/// The groups, split into halves many times.
pub(super) struct Halves {
    /// By split, whether each group is in the first half.
    pub(super) first: Vec<Vec<bool>>,
    /// By group, a bit for each split.
    bits: Vec<u64>,
    /// Words of bits that a group has.
    words: usize,
}

/// What a trial finds, by split: in the first half and in the second.
pub(super) struct InHalves {
    pub(super) first: Vec<Counts>,
    pub(super) second: Vec<Counts>,
    /// All different pairs of two groups.
    between: [u32; LADDER.len()],
}

impl InHalves {
    /// What is found in the first half, with the pairs of a document of that half and one of the other, which are different.
    pub(super) fn first_and_across(&self, split: usize) -> Counts {
        let second = &self.second[split].between;
        let between = std::array::from_fn(|rung| self.between[rung] - second[rung]);
        Counts { between, ..self.first[split].clone() }
    }
}

impl Halves {
    /// Splits groups. `same` is the number of pairs that are the same, by group.
    pub(super) fn new(same: &[f64], splits: usize, seed: u64) -> Halves {
        let first: Vec<Vec<bool>> = (0..splits).map(|number| half_of(same, seed + number as u64)).collect();
        let words = splits.div_ceil(64);
        let mut bits = vec![0; same.len() * words];
        for (split, half) in first.iter().enumerate() {
            for unit in (0..half.len()).filter(|&unit| half[unit]) {
                bits[unit * words + split / 64] |= 1 << (split % 64);
            }
        }
        Halves { first, bits, words }
    }

    /// What a trial finds in each half.
    pub(super) fn count(&self, trial: &Trial, stage: &Stage) -> Result<InHalves, Cancelled> {
        let sums = || -> Vec<Sums> { (0..LADDER.len()).map(|_| Sums::new(self.words)).collect() };
        let [mut right, mut inside, mut first, mut second] = [sums(), sums(), sums(), sums()];
        let mut all = Counts::default();
        for pair in &trial.pairs {
            stage.check()?;
            let rung = usize::from(pair.rung);
            let [a, b] = pair.units.map(|unit| &self.bits[unit as usize * self.words..][..self.words]);
            if pair.units[0] != pair.units[1] {
                first[rung].add(a.iter().zip(b).map(|(a, b)| a & b));
                second[rung].add(a.iter().zip(b).map(|(a, b)| !(a | b)));
                all.between[rung] += 1;
            } else if pair.is_same {
                all.right[rung] += 1;
                right[rung].add(a.iter().copied());
            } else {
                all.inside[rung] += 1;
                inside[rung].add(a.iter().copied());
            }
        }
        let by_rung = |sums: &[Sums], split: usize| std::array::from_fn(|rung| sums[rung].of(split));
        let counts = |split: usize| Counts {
            right: by_rung(&right, split),
            inside: by_rung(&inside, split),
            between: by_rung(&first, split),
        };
        let first: Vec<Counts> = (0..self.first.len()).map(counts).collect();
        let rest = |(split, first): (usize, &Counts)| Counts {
            right: std::array::from_fn(|rung| all.right[rung] - first.right[rung]),
            inside: std::array::from_fn(|rung| all.inside[rung] - first.inside[rung]),
            between: by_rung(&second, split),
        };
        let second = first.iter().enumerate().map(rest).collect();
        Ok(InHalves { first, second, between: all.between })
    }
}

/// A sum for each split, as rows of bits: the lowest digits of all sums, then the next.
struct Sums {
    digits: Vec<u64>,
    words: usize,
}

impl Sums {
    fn new(words: usize) -> Sums {
        Sums { digits: Vec::new(), words }
    }

    /// Adds one to the splits whose bits are set.
    fn add(&mut self, bits: impl Iterator<Item = u64>) {
        for (word, mut carry) in bits.enumerate() {
            let mut at = word;
            while carry != 0 {
                if at >= self.digits.len() {
                    self.digits.resize(self.digits.len() + self.words, 0);
                }
                let digit = self.digits[at];
                self.digits[at] = digit ^ carry;
                carry &= digit;
                at += self.words;
            }
        }
    }

    fn of(&self, split: usize) -> u32 {
        let digits = self.digits.iter().skip(split / 64).step_by(self.words.max(1));
        digits.enumerate().map(|(place, word)| ((word >> (split % 64) & 1) as u32) << place).sum()
    }
}

/// Half of the groups. Groups that have pairs are divided evenly.
fn half_of(same: &[f64], seed: u64) -> Vec<bool> {
    let mut random = Random::new(seed);
    let mut is_in = vec![false; same.len()];
    for has_pairs in [true, false] {
        let mut units: Vec<usize> = (0..same.len()).filter(|&unit| (same[unit] > 0.0) == has_pairs).collect();
        random.shuffle(&mut units);
        let half = units.len().div_ceil(2);
        units[..half].iter().for_each(|&unit| is_in[unit] = true);
    }
    is_in
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::choose::trial::{Part, Scored, Settings};

    #[test]
    fn halves_share_no_group() {
        let same = [1.0, 0.0, 2.0, 0.0, 1.0, 1.0];
        for seed in 0..20 {
            let half = half_of(&same, seed);
            assert_eq!(half.iter().filter(|is_in| **is_in).count(), 3);
            assert_eq!((0..6).filter(|&unit| half[unit] && same[unit] > 0.0).count(), 2);
        }
    }

    proptest! {
        /// All halves at once give what each half gives alone.
        #[test]
        fn as_one_after_another(
            pairs in proptest::collection::vec((0_u8..15, any::<bool>(), 0_u32..9, 0_u32..9), 0..200),
            splits in prop_oneof![Just(0_usize), Just(1), Just(64), Just(65), Just(130)],
            lowest in 0_u8..4,
        ) {
            let pairs = pairs.into_iter().map(|(rung, is_same, a, b)| {
                Scored { rung, is_same: is_same && a == b, units: [a, b] }
            });
            let settings = Settings { text: vec![], within: vec![], tokens: "words".into(), measure: "jaccard".into() };
            let trial = Trial { settings, pairs: pairs.collect(), lowest };
            let same = [40.0; 9];
            let halves = Halves::new(&same, splits, 7);
            let found = halves.count(&trial, &Stage::silent()).unwrap();
            prop_assert_eq!((found.first.len(), found.second.len()), (splits, splits));
            for (split, half) in halves.first.iter().enumerate() {
                let other: Vec<bool> = half.iter().map(|is_in| !is_in).collect();
                let touches = |pair: &&Scored| pair.units.iter().any(|&unit| half[unit as usize]);
                let is_between = |pair: &&Scored| pair.units[0] != pair.units[1];
                let touching = trial.pairs.iter().filter(is_between).filter(touches).count();
                prop_assert_eq!(found.first_and_across(split).between.iter().sum::<u32>() as usize, touching);
                for (is_in, counts) in [(half, &found.first[split]), (&other, &found.second[split])] {
                    for between in [1.0, 2.0] {
                        let part = Part { is_in, between };
                        let all = part.sum(&same);
                        prop_assert_eq!(counts.curve(between, lowest, all), trial.curve(&part, &same));
                    }
                }
            }
        }
    }
}
