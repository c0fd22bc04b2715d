//! Which few of many signatures are near another? One definition, compiled for the machine's instruction sets; for
//! AVX-512 it is also written by hand.
//!
//! Unrelated signatures differ in half of their bits, so the first word or two of a tile exclude all eight of its
//! signatures, and the other words are not read. (`popcount::scan` reads all words; it is for limits that most
//! signatures are close to.)

use super::{LANES, Tile};

/// Some bits of one word of a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) word: usize,
    pub(crate) mask: u64,
}

/// Calls `near` with the place of each signature in these tiles that differs from `signature` in at most `limit` bits,
/// and with that number of bits. It skips signatures that agree in one of the parts `but`.
#[inline]
pub(crate) fn scan_far<const W: usize>(
    tiles: &[Tile<W>],
    signature: &[u64; W],
    limit: u32,
    but: &[Part],
    near: &mut impl FnMut(usize, u32),
) {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vpopcntdq") {
            // SAFETY: the machine has the instructions.
            return unsafe { scan_far_avx512(tiles, signature, limit, but, near) };
        }
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
            // SAFETY: the machine has the instructions.
            return unsafe { scan_far_avx2(tiles, signature, limit, but, near) };
        }
    }
    scan_far_portable(tiles, signature, limit, but, near);
}

#[inline(always)]
fn scan_far_portable<const W: usize>(
    tiles: &[Tile<W>],
    signature: &[u64; W],
    limit: u32,
    but: &[Part],
    near: &mut impl FnMut(usize, u32),
) {
    'tiles: for (at, tile) in tiles.iter().enumerate() {
        let mut differ = [0; LANES];
        for (words, word) in tile.iter().zip(signature) {
            for (differ, other) in differ.iter_mut().zip(words) {
                *differ += (word ^ other).count_ones();
            }
            if differ.iter().all(|&differ| differ > limit) {
                continue 'tiles;
            }
        }
        for (lane, &differ) in differ.iter().enumerate().filter(|&(_, &differ)| differ <= limit) {
            let agrees = |part: &Part| (signature[part.word] ^ tile[part.word][lane]) & part.mask == 0;
            if !but.iter().any(agrees) {
                near(at * LANES + lane, differ);
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
fn scan_far_avx2<const W: usize>(
    tiles: &[Tile<W>],
    signature: &[u64; W],
    limit: u32,
    but: &[Part],
    near: &mut impl FnMut(usize, u32),
) {
    scan_far_portable(tiles, signature, limit, but, near);
}

/// Four tiles at a time, so that one branch decides about 32 signatures.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
fn scan_far_avx512<const W: usize>(
    tiles: &[Tile<W>],
    signature: &[u64; W],
    limit: u32,
    but: &[Part],
    near: &mut impl FnMut(usize, u32),
) {
    let (fours, rest) = tiles.as_chunks::<4>();
    for (at, four) in fours.iter().enumerate() {
        group_avx512(four, at * 4 * LANES, signature, limit, but, near);
    }
    for (at, one) in rest.as_chunks::<1>().0.iter().enumerate() {
        group_avx512(one, (fours.len() * 4 + at) * LANES, signature, limit, but, near);
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
#[inline]
fn group_avx512<const W: usize, const G: usize>(
    tiles: &[Tile<W>; G],
    first: usize,
    signature: &[u64; W],
    limit: u32,
    but: &[Part],
    near: &mut impl FnMut(usize, u32),
) {
    use std::arch::x86_64::{
        _mm512_add_epi64, _mm512_cmple_epu64_mask, _mm512_loadu_si512, _mm512_popcnt_epi64, _mm512_set1_epi64,
        _mm512_setzero_si512, _mm512_storeu_si512, _mm512_test_epi64_mask, _mm512_xor_si512,
    };
    let limits = _mm512_set1_epi64(i64::from(limit));
    let mut differ = [_mm512_setzero_si512(); G];
    let mut masks = [0_u8; G];
    for (word, &own) in signature.iter().enumerate() {
        let own = _mm512_set1_epi64(own as i64);
        for ((tile, differ), mask) in tiles.iter().zip(&mut differ).zip(&mut masks) {
            // SAFETY: a row of a tile is eight words of 64 bits.
            let words = unsafe { _mm512_loadu_si512(tile[word].as_ptr().cast()) };
            *differ = _mm512_add_epi64(*differ, _mm512_popcnt_epi64(_mm512_xor_si512(words, own)));
            *mask = _mm512_cmple_epu64_mask(*differ, limits);
        }
        if masks.iter().fold(0, |any, mask| any | mask) == 0 {
            return;
        }
    }
    for part in but {
        let (own, bits) = (_mm512_set1_epi64(signature[part.word] as i64), _mm512_set1_epi64(part.mask as i64));
        for (tile, mask) in tiles.iter().zip(&mut masks) {
            // SAFETY: as above.
            let words = unsafe { _mm512_loadu_si512(tile[part.word].as_ptr().cast()) };
            *mask &= _mm512_test_epi64_mask(_mm512_xor_si512(words, own), bits);
        }
    }
    for (tile, (differ, &mask)) in differ.iter().zip(&masks).enumerate() {
        let mut counts = [0_u64; LANES];
        // SAFETY: there is room for eight words of 64 bits.
        unsafe { _mm512_storeu_si512(counts.as_mut_ptr().cast(), *differ) };
        let mut mask = mask;
        while mask != 0 {
            let lane = mask.trailing_zeros() as usize;
            near(first + tile * LANES + lane, counts[lane] as u32);
            mask &= mask - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check<const W: usize>(words: &[u64], limit: u32, but: &[(usize, u64)]) {
        let signatures: Vec<[u64; W]> = words.as_chunks::<W>().0.to_vec();
        let Some(signature) = signatures.first() else { return };
        let tiles: Vec<Tile<W>> = signatures
            .as_chunks::<LANES>()
            .0
            .iter()
            .map(|eight| std::array::from_fn(|word| std::array::from_fn(|lane| eight[lane][word])))
            .collect();
        let but: Vec<Part> = but.iter().map(|&(word, mask)| Part { word: word % W, mask }).collect();
        let but = but.as_slice();
        let agrees =
            |other: &[u64; W]| but.iter().any(|part| (other[part.word] ^ signature[part.word]) & part.mask == 0);
        let differ = |other: &[u64; W]| other.iter().zip(signature).map(|(x, y)| (x ^ y).count_ones()).sum::<u32>();
        let expected: Vec<(usize, u32)> = signatures[..tiles.len() * LANES]
            .iter()
            .enumerate()
            .filter(|&(_, other)| differ(other) <= limit && !agrees(other))
            .map(|(place, other)| (place, differ(other)))
            .collect();

        let mut near = Vec::new();
        scan_far(&tiles, signature, limit, but, &mut |place, differ| near.push((place, differ)));
        assert_eq!(near, expected);
        near.clear();
        scan_far_portable(&tiles, signature, limit, but, &mut |place, differ| near.push((place, differ)));
        assert_eq!(near, expected);
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
            near.clear();
            // SAFETY: the machine has the instructions.
            unsafe { scan_far_avx2(&tiles, signature, limit, but, &mut |place, differ| near.push((place, differ))) };
            assert_eq!(near, expected);
        }
    }

    proptest! {
        #[test]
        fn every_kernel_counts_the_same(words in proptest::collection::vec(prop_oneof![any::<u64>(), 0..4u64], 0..500), limit in 0..300u32, but in proptest::collection::vec((0..8usize, any::<u64>()), 0..4)) {
            check::<1>(&words, limit, &but);
            check::<2>(&words, limit, &but);
            check::<3>(&words, limit, &but);
            check::<6>(&words, limit, &but);
            check::<8>(&words, limit, &but);
        }
    }
}
