//! What is stored of an element? All 64 bits, or the first 32 of them: its *digest*.
//!
//! A set has one digest per element, and two sets share at least as many digests as elements. So every
//! pair of sets that reaches a threshold also reaches it by digests, in half the memory. What digests find must be
//! checked, because they may share more.

use crate::storage::Plain;

/// What is stored of an element.
#[expect(private_bounds, reason = "only numbers can be stored")]
pub trait Element: Plain + Ord + Send + Sync + 'static {
    /// Appends what is stored of a set, which is ascending and distinct. That is ascending and distinct too.
    #[doc(hidden)]
    fn append(set: &[u64], to: &mut Vec<Self>);

    /// Returns a number of 64 bits that begins with what is stored.
    #[doc(hidden)]
    fn top(self) -> u64;
}

impl Element for u64 {
    #[inline]
    fn append(set: &[u64], to: &mut Vec<u64>) {
        to.extend_from_slice(set);
    }

    #[inline]
    fn top(self) -> u64 {
        self
    }
}

impl Element for u32 {
    /// Elements whose first 32 bits are equal take the next free numbers, as in a hash table with linear probing, round
    /// the end. Which numbers are taken in such a table does not depend on the order of the entries, and more entries
    /// take more numbers. So what two sets share takes the same numbers in both.
    fn append(set: &[u64], to: &mut Vec<u32>) {
        let start = to.len();
        to.extend(set.iter().map(|element| (element >> 32) as u32));
        // Nearly always, all are different.
        if !is_set(&to[start..]) {
            to.truncate(start);
            append_free(set, to);
        }
    }

    #[inline]
    fn top(self) -> u64 {
        u64::from(self) << 32
    }
}

/// Returns whether elements are ascending and distinct. It reads all of them without a branch for each, because they
/// nearly always are.
pub(crate) fn is_set<T: Element>(elements: &[T]) -> bool {
    elements.windows(2).fold(true, |is_set, two| is_set & (two[0] < two[1]))
}

/// Appends a free number for each element.
#[cold]
fn append_free(set: &[u64], to: &mut Vec<u32>) {
    let mut taken = Vec::with_capacity(set.len());
    let mut next = 0;
    for &element in set {
        let number = (element >> 32).max(next);
        if number > u64::from(u32::MAX) {
            break;
        }
        taken.push(number as u32);
        next = number + 1;
    }
    // The others are past the end, and take the lowest free numbers.
    let past = set.len() - taken.len();
    let lowest: Vec<u32> = (0..=u32::MAX).filter(|number| taken.binary_search(number).is_err()).take(past).collect();
    to.extend(lowest.into_iter().chain(taken));
    let start = to.len() - set.len();
    to[start..].sort_unstable();
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// Elements with few different beginnings, at both ends.
    fn sets() -> impl Strategy<Value = BTreeSet<u64>> {
        let first = prop_oneof![0..6u64, (u64::from(u32::MAX) - 4)..=u64::from(u32::MAX)];
        proptest::collection::btree_set((first, 0..4u64).prop_map(|(first, last)| first << 32 | last), 0..30)
    }

    proptest! {
        #[test]
        fn digests_share_no_less(one in sets(), two in sets()) {
            let digests = |set: &BTreeSet<u64>| {
                let (set, mut digests): (Vec<u64>, Vec<u32>) = (set.iter().copied().collect(), vec![7]);
                Element::append(&set, &mut digests);
                digests.remove(0);
                prop_assert_eq!(digests.len(), set.len());
                prop_assert!(digests.is_sorted_by(|a, b| a < b));
                Ok(digests.into_iter().collect::<BTreeSet<u32>>())
            };
            let (short_one, short_two) = (digests(&one)?, digests(&two)?);
            prop_assert!(short_one.intersection(&short_two).count() >= one.intersection(&two).count());
        }
    }
}
