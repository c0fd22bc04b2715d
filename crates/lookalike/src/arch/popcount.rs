//! In how many bits do many signatures differ from one? One definition, compiled for the machine's instruction sets;
//! for AVX-512 the tiles are also written by hand.

/// Signatures side by side, word by word.
pub(crate) const LANES: usize = 8;
/// Eight signatures of `W` words: first the eight first words, then the eight second words, and so on.
pub(crate) type Tile<const W: usize> = [[u64; LANES]; W];

/// Moves those of `candidates`, places in `signatures`, to the front that differ from `signature` in at most `limit`
/// bits, and returns their number.
pub(crate) fn keep_near<const W: usize>(
    signatures: &[[u64; W]],
    signature: &[u64; W],
    candidates: &mut [u32],
    limit: impl Fn(u32) -> u32,
) -> usize {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("popcnt") {
        // SAFETY: the machine has the instruction.
        return unsafe { keep_near_popcnt(signatures, signature, candidates, limit) };
    }
    keep_near_portable(signatures, signature, candidates, limit)
}

#[inline(always)]
fn keep_near_portable<const W: usize>(
    signatures: &[[u64; W]],
    signature: &[u64; W],
    candidates: &mut [u32],
    limit: impl Fn(u32) -> u32,
) -> usize {
    let mut kept = 0;
    for at in 0..candidates.len() {
        let candidate = candidates[at];
        let other = &signatures[candidate as usize];
        let differ: u32 = signature.iter().zip(other).map(|(x, y)| (x ^ y).count_ones()).sum();
        candidates[kept] = candidate;
        kept += usize::from(differ <= limit(candidate));
    }
    kept
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt")]
fn keep_near_popcnt<const W: usize>(
    signatures: &[[u64; W]],
    signature: &[u64; W],
    candidates: &mut [u32],
    limit: impl Fn(u32) -> u32,
) -> usize {
    keep_near_portable(signatures, signature, candidates, limit)
}

/// Appends to `near` the places of all signatures in these tiles that differ from `signature` in at most `limit` bits.
pub(crate) fn scan<const W: usize>(tiles: &[Tile<W>], signature: &[u64; W], limit: u32, near: &mut Vec<u32>) {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vpopcntdq") {
            // SAFETY: the machine has the instructions.
            return unsafe { scan_avx512(tiles, signature, limit, near) };
        }
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
            // SAFETY: the machine has the instructions.
            return unsafe { scan_avx2(tiles, signature, limit, near) };
        }
    }
    scan_portable(tiles, signature, limit, near);
}

#[inline(always)]
fn scan_portable<const W: usize>(tiles: &[Tile<W>], signature: &[u64; W], limit: u32, near: &mut Vec<u32>) {
    for (at, tile) in tiles.iter().enumerate() {
        let mut differ = [0; LANES];
        for (words, word) in tile.iter().zip(signature) {
            for (differ, other) in differ.iter_mut().zip(words) {
                *differ += (word ^ other).count_ones();
            }
        }
        let mut mask = 0_u32;
        for (lane, &differ) in differ.iter().enumerate() {
            mask |= u32::from(differ <= limit) << lane;
        }
        push_lanes(mask, at * LANES, near);
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
fn scan_avx2<const W: usize>(tiles: &[Tile<W>], signature: &[u64; W], limit: u32, near: &mut Vec<u32>) {
    scan_portable(tiles, signature, limit, near);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
fn scan_avx512<const W: usize>(tiles: &[Tile<W>], signature: &[u64; W], limit: u32, near: &mut Vec<u32>) {
    use std::arch::x86_64::{
        __m512i, _mm512_add_epi64, _mm512_cmple_epu64_mask, _mm512_loadu_si512, _mm512_popcnt_epi64, _mm512_set1_epi64,
        _mm512_setzero_si512, _mm512_xor_si512,
    };
    let mut words = [_mm512_setzero_si512(); W];
    for (spread, &word) in words.iter_mut().zip(signature) {
        *spread = _mm512_set1_epi64(word as i64);
    }
    let limits = _mm512_set1_epi64(i64::from(limit));
    let near_in = |tile: &Tile<W>| -> u32 {
        let mut differ: __m512i = _mm512_setzero_si512();
        for (lanes, &word) in tile.iter().zip(&words) {
            // SAFETY: a row of a tile is eight words of 64 bits.
            let lanes = unsafe { _mm512_loadu_si512(lanes.as_ptr().cast()) };
            differ = _mm512_add_epi64(differ, _mm512_popcnt_epi64(_mm512_xor_si512(lanes, word)));
        }
        u32::from(_mm512_cmple_epu64_mask(differ, limits))
    };
    let (fours, rest) = tiles.as_chunks::<4>();
    for (at, [a, b, c, d]) in fours.iter().enumerate() {
        let mask = near_in(a) | near_in(b) << 8 | near_in(c) << 16 | near_in(d) << 24;
        push_lanes(mask, at * 4 * LANES, near);
    }
    for (at, tile) in rest.iter().enumerate() {
        push_lanes(near_in(tile), (fours.len() * 4 + at) * LANES, near);
    }
}

#[inline(always)]
fn push_lanes(mut mask: u32, first: usize, near: &mut Vec<u32>) {
    while mask != 0 {
        near.push(first as u32 + mask.trailing_zeros());
        mask &= mask - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check<const W: usize>(words: &[u64], limit: u32) {
        let signatures: Vec<[u64; W]> = words.as_chunks::<W>().0.to_vec();
        let Some(signature) = signatures.first() else { return };
        let differ = |other: &[u64; W]| other.iter().zip(signature).map(|(x, y)| (x ^ y).count_ones()).sum::<u32>();
        let expected: Vec<u32> =
            (0..signatures.len() as u32).filter(|&at| differ(&signatures[at as usize]) <= limit).collect();

        let tiles: Vec<Tile<W>> = signatures
            .as_chunks::<LANES>()
            .0
            .iter()
            .map(|eight| std::array::from_fn(|word| std::array::from_fn(|lane| eight[lane][word])))
            .collect();
        let in_tiles: Vec<u32> = expected.iter().copied().filter(|&at| (at as usize) < tiles.len() * LANES).collect();
        let (mut near, mut plainly) = (Vec::new(), Vec::new());
        scan(&tiles, signature, limit, &mut near);
        scan_portable(&tiles, signature, limit, &mut plainly);
        assert_eq!(near, in_tiles);
        assert_eq!(plainly, in_tiles);
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
            let mut near = Vec::new();
            // SAFETY: the machine has the instructions.
            unsafe { scan_avx2(&tiles, signature, limit, &mut near) };
            assert_eq!(near, in_tiles);
        }

        let mut kept: Vec<u32> = (0..signatures.len() as u32).collect();
        let mut plainly = kept.clone();
        let some = keep_near(&signatures, signature, &mut kept, |_| limit);
        assert_eq!(kept[..some], expected);
        let some = keep_near_portable(&signatures, signature, &mut plainly, |_| limit);
        assert_eq!(plainly[..some], expected);
    }

    proptest! {
        #[test]
        fn every_kernel_counts_the_same(words in proptest::collection::vec(prop_oneof![any::<u64>(), 0..4u64], 0..400), limit in 0..300u32) {
            check::<1>(&words, limit);
            check::<2>(&words, limit);
            check::<4>(&words, limit);
            check::<8>(&words, limit);
        }
    }
}
