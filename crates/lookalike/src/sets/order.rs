//! What is the order of all elements? By frequency band, rarest first, then by hash.
//!
//! The prefix filter works with any total order, and best with the rarest elements first. Bands of doubling counts do
//! as well as exact counts, and a set is then a few runs, each sorted by hash. Two sets are merged band by band, rare
//! elements first, without a table. The band depends only on the final count of the element's slot, so equal elements
//! are in the same band.

use super::counters::Counters;

/// Counts 1; 2; 3; 4 to 7; 8 to 15; … ; 2¹⁵ and more.
pub(crate) const BANDS: usize = 16;

fn band(count: u32) -> usize {
    match count {
        0 | 1 => 0,
        2 => 1,
        3 => 2,
        _ => (count.ilog2() as usize + 1).min(BANDS - 1),
    }
}

/// Where the bands of an arranged set end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Arranged {
    /// The document of the set.
    pub(crate) document: u32,
    /// `ends[b]` is one past the last element of band b.
    pub(crate) ends: [u32; BANDS],
}

impl Arranged {
    /// Returns the number of unique elements. They come first in the order and match nothing.
    pub(crate) fn singles(&self) -> u32 {
        self.ends[0]
    }

    /// Returns the number of other elements.
    pub(crate) fn shared(&self) -> u32 {
        self.ends[BANDS - 1] - self.ends[0]
    }

    /// Returns the end of `bands` bands, starting with that of the element at `position`.
    pub(crate) fn end_of_bands(&self, position: u32, bands: usize) -> u32 {
        let first = self.ends.iter().position(|&end| end > position).unwrap_or(BANDS);
        self.ends[(first + bands - 1).min(BANDS - 1)]
    }
}

/// Arranges sets, and reuses its memory.
pub(crate) struct Arranger<'a> {
    counters: &'a Counters,
    bands: Vec<u8>,
}

impl<'a> Arranger<'a> {
    pub(crate) fn new(counters: &'a Counters) -> Arranger<'a> {
        Arranger { counters, bands: Vec::new() }
    }

    /// Arranges a set that is sorted by hash: writes its elements, except unique ones, to the start of `arranged`.
    pub(crate) fn arrange(&mut self, document: u32, set: &[u64], arranged: &mut [u64]) -> Arranged {
        self.bands.clear();
        self.bands.extend(set.iter().map(|&element| band(self.counters.get(element)) as u8));
        let mut ends = [0; BANDS];
        for &band in &self.bands {
            ends[band as usize] += 1;
        }
        let mut next = [0; BANDS];
        let mut end = 0;
        for (count, next) in ends.iter_mut().zip(&mut next) {
            *next = end as usize;
            end += *count;
            *count = end;
        }
        let singles = ends[0] as usize;
        let shared = &mut arranged[..set.len() - singles];
        for (&element, &band) in set.iter().zip(&self.bands) {
            if band > 0 {
                let at = &mut next[band as usize];
                shared[*at - singles] = element;
                *at += 1;
            }
        }
        Arranged { document, ends }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sets::{CounterBudget, SetStore};

    #[test]
    fn rarest_first_then_by_hash() {
        let spread = |n: u64| n << 60;
        let sets = [vec![1, 2, 3, 4], vec![2, 3, 4], vec![3, 4], vec![3]];
        let store: SetStore = sets.iter().map(|set| set.iter().copied().map(spread).collect::<Vec<_>>()).collect();
        let counters =
            Counters::count(&store, &mut vec![0, 1, 2, 3], |_| u32::MAX, CounterBudget::of(1 << 10)).unwrap();
        let mut shared = [0; 3];
        let arranged = Arranger::new(&counters).arrange(0, store.set(0), &mut shared);
        assert_eq!(shared, [2, 4, 3].map(spread));
        assert_eq!(arranged.ends[..4], [1, 2, 3, 4]);
        assert_eq!(arranged.singles(), 1);
        assert_eq!(arranged.end_of_bands(1, 1), 2);
        assert_eq!(arranged.end_of_bands(1, 2), 3);
        assert_eq!(arranged.end_of_bands(3, 4), 4);
    }

    #[test]
    fn bands_double() {
        assert_eq!([1, 2, 3, 4, 7, 8, 1 << 14, 1 << 15, u32::MAX].map(band), [0, 1, 2, 3, 3, 4, 15, 15, 15]);
    }
}
