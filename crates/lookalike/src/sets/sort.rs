//! Sorting hashes: they are uniform, so their top bits already say where they belong.

/// Sorts hashes in linear time: one pass into as many buckets as there are elements, by their top bits, then insertion over what is
/// almost in order.
#[derive(Default)]
pub(crate) struct Sorter {
    ends: Vec<u32>,
    spread: Vec<u64>,
}

/// Below this a comparison sort is as fast; above the other, a set would outgrow the 32-bit bucket ends.
const FEW: usize = 48;
const MANY: usize = u32::MAX as usize;
/// A bucket this full (equal elements, or a hostile text) is sorted by comparison, so that insertion stays linear.
const CROWDED: u32 = 24;

impl Sorter {
    pub(crate) fn sort(&mut self, elements: &mut [u64]) {
        if elements.len() < FEW || elements.len() > MANY {
            return elements.sort_unstable();
        }
        let bits = elements.len().ilog2() + 1;
        let bucket = |element: u64| (element >> (64 - bits)) as usize;
        self.ends.clear();
        self.ends.resize(1 << bits, 0);
        for &element in elements.iter() {
            self.ends[bucket(element)] += 1;
        }
        let (mut end, mut crowded) = (0, false);
        for count in &mut self.ends {
            crowded |= *count > CROWDED;
            end += *count;
            *count = end;
        }
        // Every place of it is written below: what an earlier set left there need not be cleared.
        if self.spread.len() < elements.len() {
            self.spread.resize(elements.len(), 0);
        }
        let spread = &mut self.spread[..elements.len()];
        for &element in elements.iter() {
            let end = &mut self.ends[bucket(element)];
            *end -= 1;
            spread[*end as usize] = element;
        }
        // The ends have moved down to the starts.
        if crowded {
            for at in 0..self.ends.len() {
                let end = self.ends.get(at + 1).map_or(elements.len(), |&end| end as usize);
                spread[self.ends[at] as usize..end].sort_unstable();
            }
        }
        insert(spread, elements);
    }
}

/// Copies what is almost in order, and puts it in order.
fn insert(from: &[u64], sorted: &mut [u64]) {
    for (at, &element) in from.iter().enumerate() {
        let mut to = at;
        while to > 0 && sorted[to - 1] > element {
            sorted[to] = sorted[to - 1];
            to -= 1;
        }
        sorted[to] = element;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sorts(mut elements in proptest::collection::vec(prop_oneof![any::<u64>(), 0..9u64, u64::MAX - 3..=u64::MAX], 0..400)) {
            let mut expected = elements.clone();
            expected.sort_unstable();
            Sorter::default().sort(&mut elements);
            prop_assert_eq!(elements, expected);
        }
    }
}
