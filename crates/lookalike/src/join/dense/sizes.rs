//! What does the threshold require of each size? Computed once per size, in integers.
//!
//! Let x of a elements look for partners y of b ≤ a elements, and let their first common element be at place i in x and
//! at place j in y (from 0). No earlier element is common, so at most a − i and b − j are. With n(a, b) the number that
//! is needed:
//!
//! * n(a, b) ≤ a − i. n grows with b, so there is a largest b for every i: [`Probe::bounds`].
//! * n(a, b) ≤ b − j. n grows with a, so there is a largest a for every j, the *reach* of an entry: [`Reaches`].
//!   Records search in the order of their sizes, so an entry that is out of reach once stays out of reach.

use crate::join::records::sizes::Sizes;
use crate::measure::Threshold;

/// The requirements for the partners of a record, which are at most as large. Computed again only when the size
/// changes.
pub(super) struct Probe {
    threshold: Threshold,
    size: u32,
    /// How many of its elements are looked up.
    pub(super) prefix: usize,
    /// The first record that is large enough.
    pub(super) least: u32,
    /// A lower bound of `least` that never falls as records grow.
    pub(super) floor: u32,
    /// By place of the looked-up element, one past the last record that is small enough.
    pub(super) bounds: Vec<u32>,
    /// By the partner's size, from `smallest` on, the number of elements that exactly one of the two may have.
    spare: Vec<u32>,
    smallest: u32,
    /// The maximum of `spare`.
    pub(super) most_spare: u32,
}

impl Probe {
    pub(super) fn new(threshold: Threshold) -> Probe {
        let (bounds, spare) = (Vec::new(), Vec::new());
        Probe { threshold, size: 0, prefix: 0, least: 0, floor: 0, bounds, spare, smallest: 0, most_spare: 0 }
    }

    pub(super) fn set_size(&mut self, size: u32, sizes: &Sizes) {
        if size == self.size {
            return;
        }
        let threshold = self.threshold;
        let large_enough = threshold.partners(size).0.max(1);
        // Partners that need no common element are found elsewhere. (The larger the record, the smaller they are.)
        let smallest = large_enough.max(threshold.needless(size).saturating_add(1));
        self.size = size;
        self.smallest = smallest;
        self.least = sizes.after(smallest - 1);
        self.floor = sizes.after(large_enough - 1);
        self.spare.clear();
        self.spare.extend((smallest..=size).map(|other| size + other - 2 * threshold.needed(size, other).min(other)));
        self.most_spare = self.spare.iter().copied().max().unwrap_or(0);
        self.prefix = if smallest > size { 0 } else { threshold.long_prefix(size) as usize };
        self.bounds.clear();
        let mut largest = size;
        for place in 0..self.prefix as u32 {
            let fits = |other: u32| self.needed(other) <= size - place;
            if largest >= smallest && !fits(largest) {
                largest = last_where(smallest, largest, fits);
            }
            self.bounds.push(if largest < smallest { 0 } else { sizes.after(largest) });
        }
    }

    /// How many elements exactly one of the two may have, if the other has this size.
    #[inline]
    pub(super) fn spare(&self, other: u32) -> u32 {
        self.spare[(other - self.smallest) as usize]
    }

    /// How many elements they must share, if the other has this size.
    #[inline]
    pub(super) fn needed(&self, other: u32) -> u32 {
        (self.size + other - self.spare(other)) / 2
    }
}

/// For entries of records of one size, by place: the size of the largest possible partner.
pub(super) struct Reaches {
    threshold: Threshold,
    size: u32,
    reaches: Vec<u32>,
    largest: u32,
}

impl Reaches {
    /// For collections whose largest record has this size.
    pub(super) fn new(threshold: Threshold, largest: u32) -> Reaches {
        Reaches { threshold, size: 0, reaches: Vec::new(), largest }
    }

    /// By place, for the entered elements: descending, and at least the size.
    pub(super) fn of_size(&mut self, size: u32) -> &[u32] {
        if size != self.size {
            let threshold = self.threshold;
            self.size = size;
            self.reaches.clear();
            let mut reach = threshold.partners(size).1.min(self.largest);
            for place in 0..threshold.short_prefix(size) {
                let fits = |other: u32| threshold.needed(other, size) <= size - place;
                if reach > size && !fits(reach) {
                    reach = last_where(size, reach, fits);
                }
                self.reaches.push(reach);
            }
        }
        &self.reaches
    }
}

/// Returns the last number from `first` to `last` for which `is` holds, or `first` − 1. `is` must hold up to some
/// number, and for none after it.
fn last_where(first: u32, last: u32, is: impl Fn(u32) -> bool) -> u32 {
    // It is near the last number, so search backwards with doubling steps.
    let (mut low, mut high, mut step) = (first, last + 1, 1);
    while high - low > step {
        if is(high - step) {
            low = high - step + 1;
            break;
        }
        high -= step;
        step *= 2;
    }
    while low < high {
        let middle = low + (high - low) / 2;
        if is(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::join::Records;
    use crate::measure::Measure;
    use crate::sets::SetStore;

    /// Checks every bound against its definition.
    #[test]
    fn bounds_mean_what_they_say() {
        let store: SetStore = (1..=40_u64).map(|size| (0..size).collect::<Vec<_>>()).collect();
        let records = Records::code(&store, &(0..40).collect::<Vec<_>>());
        let sizes = Sizes::new(&records);
        for measure in Measure::ALL {
            for value in ["0.3", "0.5", "0.75", "0.9", "1", "2", "5"] {
                let Ok(threshold) = Threshold::new(measure, value) else { continue };
                let (mut probe, mut reaches) = (Probe::new(threshold), Reaches::new(threshold, 40));
                for a in 1..=40 {
                    probe.set_size(a, &sizes);
                    for b in 1..=a {
                        let needed = threshold.needed(a, b);
                        let may = needed > 0 && needed <= b && (0..=b).any(|common| threshold.reaches(common, a, b));
                        let found = b > probe.least && !probe.bounds.is_empty() && b <= probe.bounds[0];
                        assert!(!may || found, "{measure} {value} {a} {b}");
                        if !may || !found {
                            continue;
                        }
                        assert_eq!(probe.needed(b), needed);
                        for (place, &bound) in probe.bounds.iter().enumerate() {
                            assert_eq!(
                                b <= bound,
                                needed as usize <= a as usize - place,
                                "{measure} {value} {a} {b} {place}"
                            );
                        }
                        for (place, &reach) in reaches.of_size(b).iter().enumerate() {
                            assert_eq!(
                                a <= reach,
                                needed as usize <= b as usize - place,
                                "{measure} {value} {a} {b} {place}"
                            );
                        }
                    }
                }
            }
        }
    }
}
