//! In which order are the elements of a set?

use hashbrown::HashMap;

use crate::sets::mix;

/// An order of all elements: those not known to be frequent by hash, then the frequent ones, rarest first.
///
/// Any order gives the right answer. With this one, few sets share a posted element.
pub struct ElementOrder {
    /// A bit for each value of the first bits of a place: whether a frequent one begins with them.
    filter: Vec<u64>,
    /// How many first bits these are.
    bits: u32,
    ranks: HashMap<u32, u32>,
}

/// Bits of the filter for each frequent place. With fewer, more of the other places would get through.
const FOR_EACH: usize = 8;
/// The filter has at least two to the power of this many bits.
const LEAST_BITS: u32 = 10;
/// And at most two to the power of this many: 8 MB.
const MOST_BITS: u32 = 26;

/// Returns the place of an element: the first bits of its hash, by which it is counted.
#[inline]
pub fn place_of(element: u64) -> u32 {
    (mix(element) >> 32) as u32
}

impl ElementOrder {
    /// Makes an order from the places of frequent elements, in ascending order of frequency.
    pub fn new(frequent: &[u32]) -> ElementOrder {
        let bits = (FOR_EACH * frequent.len()).max(1).ilog2().clamp(LEAST_BITS, MOST_BITS);
        let mut filter = vec![0; 1 << (bits - 6)];
        for &place in frequent {
            let bit = place >> (32 - bits);
            filter[(bit >> 6) as usize] |= 1 << (bit & 63);
        }
        ElementOrder { filter, bits, ranks: frequent.iter().copied().zip(0..).collect() }
    }

    /// The sort key of an element with this mixed hash.
    #[inline]
    pub(super) fn key(&self, mixed: u64) -> u64 {
        let place = (mixed >> 32) as u32;
        let bit = place >> (32 - self.bits);
        if self.filter[(bit >> 6) as usize] >> (bit & 63) & 1 == 0 {
            return mixed >> 1;
        }
        match self.ranks.get(&place) {
            // Elements of one place have an order too.
            Some(&rank) => 1 << 63 | u64::from(rank) << 32 | mixed & 0xffff_ffff,
            None => mixed >> 1,
        }
    }
}
