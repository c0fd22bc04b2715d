//! The one hash of this project: XXH3, 64 bits, seed 0 (<https://github.com/Cyan4973/xxHash>, format 0.8).
//!
//! * A token hashes to `XXH3(its UTF-8 bytes)`.
//! * A shingle of one token has that token's hash; of several, `XXH3(their hashes, 8 bytes each, little-endian, one after another)`.
//! * A shingle of characters (`chars:Q`, `letters:Q`) hashes to `XXH3(its UTF-8 bytes)`.
//! * With `--bag`, the k-th occurrence of an element e, k ≥ 2, hashes to `XXH3(e, k)`, 8 bytes each, little-endian.
//!
//! These values may be written to disk and compared between machines and versions; changing one changes the format version.

use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

/// The hash of a word, or of a shingle of characters.
#[inline]
pub fn hash_token(token: &[u8]) -> u64 {
    xxh3_64(token)
}

/// The hash of a shingle, from the little-endian bytes of its tokens' hashes.
#[inline]
pub fn hash_shingle(token_hashes: &[u8]) -> u64 {
    match token_hashes.try_into() {
        Ok(single) => u64::from_le_bytes(single),
        Err(_) => xxh3_64(token_hashes),
    }
}

/// The hash of the `occurrence`-th `element` of a bag, counting from 1.
pub fn hash_occurrence(element: u64, occurrence: u64) -> u64 {
    if occurrence == 1 {
        return element;
    }
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&element.to_le_bytes());
    bytes[8..].copy_from_slice(&occurrence.to_le_bytes());
    xxh3_64(&bytes)
}

/// A fingerprint of a whole set, by which equal ones find each other; it stays in memory, and equality is always verified.
pub fn hash_set(set: &[u64]) -> u128 {
    // SAFETY: eight bytes without padding for every element, and any byte is a valid u8.
    let bytes = unsafe { std::slice::from_raw_parts(set.as_ptr().cast::<u8>(), size_of_val(set)) };
    xxh3_128(bytes)
}
