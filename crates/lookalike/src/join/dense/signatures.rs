//! How do a few bits per record bound how different two records are?
//!
//! Every element flips one bit, chosen by its hash. Common elements flip the same bits in both records, so every bit in
//! which the signatures differ comes from an element that only one record has. If more bits differ than elements may,
//! the two are not a pair, and no element was read.

use rayon::prelude::*;

use crate::join::Records;
use crate::measure::Threshold;

/// The signature widths, in 64-bit words.
const WIDTHS: [usize; 4] = [1, 2, 4, 8];

/// Returns the narrowest signature that separates most pairs of unrelated records.
///
/// Unrelated records of L elements differ in nearly 2L, say 1.7L. Flipping b bits d times leaves b/2·(1 − e^(−2d/b)) of
/// them set. Twice the allowed difference of a pair leaves a margin for chance.
pub(super) fn width(records: &Records, threshold: &Threshold) -> usize {
    let mean = (records.elements() / records.len().max(1)).max(1) as u32;
    let spare = f64::from(2 * mean - 2 * threshold.needed(mean, mean).min(mean));
    let differ = 1.7 * f64::from(mean);
    let parts = |bits: f64| bits / 2.0 * (1.0 - (-2.0 * differ / bits).exp()) > 2.0 * spare;
    WIDTHS.into_iter().find(|&words| parts(64.0 * words as f64)).unwrap_or(WIDTHS[WIDTHS.len() - 1])
}

/// Records that a thread signs at a time. The last records are by far the longest.
const SOME: usize = 128;

/// The signatures of all records, `W` words each.
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

    /// Returns all signatures, for prefetching.
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
