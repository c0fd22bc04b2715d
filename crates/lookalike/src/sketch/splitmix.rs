//! Which pseudo-random numbers define the functions of a sketch?

/// Returns number `n`, counted from 0, of the SplitMix64 sequence that starts at `seed`: <https://prng.di.unimi.it/splitmix64.c>.
pub(super) fn split_mix(seed: u64, n: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(n.wrapping_add(1)));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
