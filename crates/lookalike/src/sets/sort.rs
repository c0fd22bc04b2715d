//! How are hashes sorted fast? They are uniform, so their top bits give their position. And small numbers, digit by
//! digit.

/// Sorts hashes in linear time: one pass into as many buckets as elements, by their top bits, then insertion sort of
/// the almost sorted result.
#[derive(Default)]
pub(crate) struct Sorter {
    ends: Vec<u32>,
    spread: Vec<u64>,
}

/// Below the first, a comparison sort is as fast. Above the second, a set would overflow the 32-bit bucket ends.
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
        // Every slot is written below, so old values need not be cleared.
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

/// Copies almost sorted numbers, and sorts them.
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

/// Sorts stably by numbers up to `most`, digit by digit. There are `DIGITS` digits, a power of two: more digits pay off
/// for more items.
pub(crate) fn sort_by_digits<const DIGITS: usize, T: Copy + Default>(
    items: &mut Vec<T>,
    spare: &mut Vec<T>,
    most: u32,
    number: impl Fn(T) -> u32,
) {
    spare.resize(items.len(), T::default());
    for shift in (0..u32::BITS - most.leading_zeros()).step_by(DIGITS.ilog2() as usize) {
        let digit = |item: T| (number(item) >> shift) as usize & (DIGITS - 1);
        let mut places = [0_u32; DIGITS];
        items.iter().for_each(|&item| places[digit(item)] += 1);
        let mut next = 0;
        for place in &mut places {
            next += std::mem::replace(place, next);
        }
        for &item in items.iter() {
            let place = &mut places[digit(item)];
            spare[*place as usize] = item;
            *place += 1;
        }
        std::mem::swap(items, spare);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sorts_by_digits(numbers in prop::collection::vec(prop_oneof![0..300u32, 0..70_000u32, any::<u32>()], 0..300)) {
            let items: Vec<(u32, usize)> = numbers.into_iter().zip(0..).collect();
            let most = items.iter().map(|item| item.0).max().unwrap_or(0);
            let mut expected = items.clone();
            expected.sort_by_key(|item| item.0);
            let (mut by_bytes, mut by_more) = (items.clone(), items);
            sort_by_digits::<256, _>(&mut by_bytes, &mut vec![(7, 7); 3], most, |item| item.0);
            sort_by_digits::<2048, _>(&mut by_more, &mut Vec::new(), most, |item| item.0);
            prop_assert_eq!(&by_bytes, &expected);
            prop_assert_eq!(&by_more, &expected);
        }

        #[test]
        fn sorts(mut elements in proptest::collection::vec(prop_oneof![any::<u64>(), 0..9u64, u64::MAX - 3..=u64::MAX], 0..400)) {
            let mut expected = elements.clone();
            expected.sort_unstable();
            Sorter::default().sort(&mut elements);
            prop_assert_eq!(elements, expected);
        }
    }
}
