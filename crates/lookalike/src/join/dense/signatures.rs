//! A fixed number of bits for each record, that bound how different two records are.
//!
//! Every element flips one bit, chosen by its hash. What two records share flips the same bits in both, so the bits in which their
//! signatures differ come from elements that only one of them has: at least as many elements as bits. If more bits differ than elements
//! may, the two are no pair, and no element was looked at.

use rayon::prelude::*;

use crate::join::Records;
use crate::measure::Threshold;

/// Words of 64 bits in the signatures that there are.
const WIDTHS: [usize; 4] = [1, 2, 4, 8];

/// The narrowest signature that parts most pairs of unrelated records.
///
/// Of records of L elements, unrelated ones differ in nearly 2L, say 1.7L; of b bits flipped d times b/2·(1 − e^(−2d/b)) come out
/// set. Twice what a pair may differ in leaves room for chance.
pub(super) fn width(records: &Records, threshold: &Threshold) -> usize {
    let mean = (records.elements() / records.len().max(1)).max(1) as u32;
    let spare = f64::from(2 * mean - 2 * threshold.needed(mean, mean).min(mean));
    let differ = 1.7 * f64::from(mean);
    let parts = |bits: f64| bits / 2.0 * (1.0 - (-2.0 * differ / bits).exp()) > 2.0 * spare;
    WIDTHS.into_iter().find(|&words| parts(64.0 * words as f64)).unwrap_or(WIDTHS[WIDTHS.len() - 1])
}

/// Records that are signed by one thread at a time. The last ones are the longest by far.
const SOME: usize = 128;

/// The signatures of all records, of `W` words each.
pub(super) struct Signatures<const W: usize> {
    signatures: Vec<[u64; W]>,
}

impl<const W: usize> Signatures<W> {
    pub(super) fn new(records: &Records) -> Signatures<W> {
        let sign = |record: u32| {
            let mut signature = [0; W];
            let elements = if W > 0 { records.set(record) } else { &[] };
            for &element in elements {
                let bit = bit::<W>(element);
                signature[bit / 64] ^= 1 << (bit % 64);
            }
            signature
        };
        Signatures { signatures: (0..records.len() as u32).into_par_iter().with_min_len(SOME).map(sign).collect() }
    }

    #[inline]
    pub(super) fn of(&self, record: u32) -> &[u64; W] {
        &self.signatures[record as usize]
    }

    /// All of them, for prefetching.
    #[inline]
    pub(super) fn all(&self) -> &[[u64; W]] {
        &self.signatures
    }
}

/// The bit of an element.
#[inline]
fn bit<const W: usize>(element: u32) -> usize {
    (u64::from(element).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize % (64 * W)
}
