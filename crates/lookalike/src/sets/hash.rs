//! The one hash of this project, on top of XXH3 with 64 bits and seed 0 (<https://github.com/Cyan4973/xxHash>, format 0.8).
//!
//! * A token hashes to `XXH3(its UTF-8 bytes)`.
//! * A shingle of one token has that token's hash. One of w tokens with hashes x₁ … x_w has
//!   `mix(x₁·Mʷ⁻¹ + x₂·Mʷ⁻² + … + x_w + w·N)` modulo 2⁶⁴, with M = 0xd1342543de82ef95 and N = 0x9e3779b97f4a7c15, and
//!   `mix(h)`: `h ^= h >> 33; h *= 0xff51afd7ed558ccd; h ^= h >> 33; h *= 0xc4ceb9fe1a85ec53; h ^= h >> 33`. The sum rolls from one
//!   shingle to the next; M is odd and leaves 5 modulo 8, so that tokens that change places change the sum.
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

const M: u64 = 0xd134_2543_de82_ef95;
const N: u64 = 0x9e37_79b9_7f4a_7c15;

/// The hash of a shingle, from its tokens' hashes.
pub fn hash_shingle(tokens: &[u64]) -> u64 {
    match tokens {
        [single] => *single,
        _ => finish(tokens.iter().fold(0, |sum: u64, &token| sum.wrapping_mul(M).wrapping_add(token)), tokens.len()),
    }
}

/// Appends the hashes of all shingles of `width` consecutive tokens, or of all tokens if they are fewer (but not none).
pub fn hash_shingles(tokens: &[u64], width: usize, out: &mut Vec<u64>) {
    if width == 1 {
        return out.extend_from_slice(tokens);
    }
    if tokens.len() <= width {
        return out.extend((!tokens.is_empty()).then(|| hash_shingle(tokens)));
    }
    let (first, rest) = tokens.split_at(width);
    let mut sum = first.iter().fold(0, |sum: u64, &token| sum.wrapping_mul(M).wrapping_add(token));
    out.push(finish(sum, width));
    // What a token weighs when it has gone through the whole shingle.
    let gone = M.wrapping_pow(width as u32);
    out.extend(rest.iter().zip(tokens).map(|(&new, &old)| {
        sum = sum.wrapping_mul(M).wrapping_add(new).wrapping_sub(old.wrapping_mul(gone));
        finish(sum, width)
    }));
}

#[inline]
fn finish(sum: u64, width: usize) -> u64 {
    let mut hash = sum.wrapping_add(N.wrapping_mul(width as u64));
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ (hash >> 33)
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
