//! Which pairs should a person label next?

use std::collections::BTreeMap;

use super::ladder::LADDER;
use crate::random::Random;

/// Chooses pairs to label: half of them at the thresholds next to the chosen one, where a label decides most, and the others evenly over
/// all levels, so that surprises are seen too. `pairs` has the level of each pair, a place in [`LADDER`]. Returns places in `pairs`, in
/// random order: who labels should not know what to expect.
pub fn propose(pairs: &[u8], around: usize, most: usize, seed: u64) -> Vec<usize> {
    let mut random = Random::new(seed);
    let mut levels: BTreeMap<u8, Vec<usize>> = BTreeMap::new();
    for (place, &level) in pairs.iter().enumerate() {
        levels.entry(level).or_default().push(place);
    }
    levels.values_mut().for_each(|places| random.shuffle(places));
    let is_near = |level: u8| usize::from(level).abs_diff(around.min(LADDER.len() - 1)) <= 1;
    let mut chosen = Vec::new();
    take(&mut levels, is_near, most.div_ceil(2), &mut chosen);
    take(&mut levels, |_| true, most - chosen.len().min(most), &mut chosen);
    random.shuffle(&mut chosen);
    chosen
}

/// Takes one pair of each level in turn.
fn take(levels: &mut BTreeMap<u8, Vec<usize>>, wants: impl Fn(u8) -> bool, most: usize, chosen: &mut Vec<usize>) {
    let end = chosen.len() + most;
    loop {
        let before = chosen.len();
        for (_, places) in levels.iter_mut().filter(|(level, _)| wants(**level)) {
            if chosen.len() < end {
                chosen.extend(places.pop());
            }
        }
        if chosen.len() == before || chosen.len() >= end {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_the_threshold_and_everywhere() {
        let pairs: Vec<u8> = (0..15).flat_map(|level| [level; 30]).collect();
        let chosen = propose(&pairs, 10, 40, 7);
        let near = chosen.iter().filter(|&&place| (9..=11).contains(&pairs[place])).count();
        assert_eq!(chosen.len(), 40);
        assert!((20..30).contains(&near), "{near}");
        let mut distinct = chosen.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), 40);
        assert_eq!(propose(&[3, 3], 10, 40, 7).len(), 2);
        assert_eq!(propose(&[], 10, 40, 7).len(), 0);
        assert_eq!(propose(&pairs, 10, 40, 7), chosen);
    }
}
