//! The one hash function of this project.
//!
//! * A token of up to 16 bytes (UTF-8), padded with zeros to 16 and read as two little-endian numbers a and b, hashes
//!   to `fold((l ^ n ^ C₀)·(h ^ C₁))`. Here (l, h) are the low and the high half of the product (a ^ C₁)·(b ^ C₂), n is
//!   the number of bytes, `fold` is the exclusive or of a product's halves, and C₀ = 0xf58ae3d7c9b1a4fd, C₁ =
//!   0xff9e1b3d5c7a86e5, C₂ = 0xfbc3a59d71e2486b. (UTF-8 has no byte 0xf5 or above, so neither factor of the first
//!   product is ever 0. Nearly all words are this short, so there is no branch on the length to mispredict.)
//! * A longer token hashes to `XXH3(its bytes)`, 64 bits, seed 0 (<https://github.com/Cyan4973/xxHash>, format 0.8).
//! * A shingle of one token has that token's hash. One of w tokens with hashes x₁ … x_w has
//!   `mix(x₁·Mʷ⁻¹ + x₂·Mʷ⁻² + … + x_w + w·N)` modulo 2⁶⁴, with M = 0xd1342543de82ef95 and N = 0x9e3779b97f4a7c15. Here
//!   `mix(h)` is `h ^= h >> 33; h *= 0xff51afd7ed558ccd; h ^= h >> 33; h *= 0xc4ceb9fe1a85ec53; h ^= h >> 33`. The sum
//!   rolls from one shingle to the next. M is odd and 5 modulo 8, so swapping tokens changes the sum.
//! * A shingle of characters (`chars:Q`, `letters:Q`) hashes as a token of its bytes.
//! * With `--bag`, the k-th occurrence of an element e, k ≥ 2, hashes to `XXH3(e, k)`, 8 bytes each, little-endian.
//!
//! These values may be stored on disk and compared between machines and versions. Changing one changes the format
//! version.

use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

/// Bytes of a short token.
const SHORT: usize = 16;
const C: [u64; 3] = [0xf58a_e3d7_c9b1_a4fd, 0xff9e_1b3d_5c7a_86e5, 0xfbc3_a59d_71e2_486b];

/// Returns the hash of a word, or of a shingle of characters.
#[inline]
pub fn hash_token(token: &[u8]) -> u64 {
    hash_token_in(token, 0, token.len())
}

/// Returns the hash of the token `text[start..end]`. If enough bytes follow it, they are read without a copy.
#[inline(always)]
pub(super) fn hash_token_in(text: &[u8], start: usize, end: usize) -> u64 {
    let len = end - start;
    match text[start..].first_chunk::<SHORT>() {
        Some(bytes) if len <= SHORT => hash_short(u128::from_le_bytes(*bytes) & MASKS[len], len),
        _ => hash_apart(&text[start..end]),
    }
}

/// Returns the hash of a long token, or of one at the end of a text.
#[inline(never)]
fn hash_apart(token: &[u8]) -> u64 {
    if token.len() > SHORT {
        return xxh3_64(token);
    }
    let mut bytes = [0; SHORT];
    bytes[..token.len()].copy_from_slice(token);
    hash_short(u128::from_le_bytes(bytes), token.len())
}

#[inline(always)]
fn hash_short(bytes: u128, len: usize) -> u64 {
    let (low, high) = halves((bytes as u64 ^ C[1], (bytes >> 64) as u64 ^ C[2]));
    let (low, high) = halves((low ^ len as u64 ^ C[0], high ^ C[1]));
    low ^ high
}

/// A mask for this many bytes.
const MASKS: [u128; SHORT + 1] = {
    let mut masks = [u128::MAX; SHORT + 1];
    let mut len = 0;
    while len < SHORT {
        masks[len] = (1 << (8 * len)) - 1;
        len += 1;
    }
    masks
};

/// The halves of a product, low half first.
#[inline]
fn halves((a, b): (u64, u64)) -> (u64, u64) {
    let product = u128::from(a) * u128::from(b);
    (product as u64, (product >> 64) as u64)
}

const M: u64 = 0xd134_2543_de82_ef95;
const N: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns the hash of a shingle, from its tokens' hashes.
///
/// It is `mix` of a polynomial of these hashes, where `mix(h)` is
/// `h ^= h >> 33; h *= 0xff51afd7ed558ccd; h ^= h >> 33; h *= 0xc4ceb9fe1a85ec53; h ^= h >> 33`. A single token keeps its
/// hash.
pub fn hash_shingle(tokens: &[u64]) -> u64 {
    match tokens {
        [single] => *single,
        _ => hash_numbers(tokens.iter().copied()),
    }
}

/// Returns the hash of a shingle with these token hashes. A single number is mixed too.
pub(crate) fn hash_numbers(numbers: impl Iterator<Item = u64>) -> u64 {
    let mut width = 0;
    let sum = numbers.inspect(|_| width += 1).fold(0, |sum: u64, number| sum.wrapping_mul(M).wrapping_add(number));
    finish(sum, width)
}

/// Appends the hashes of all shingles of `width` consecutive tokens, or of all tokens together if there are fewer.
pub(crate) fn hash_shingles(tokens: &[u64], width: usize, out: &mut Vec<u64>) {
    if width == 1 {
        return out.extend_from_slice(tokens);
    }
    if tokens.len() <= width {
        return out.extend((!tokens.is_empty()).then(|| hash_shingle(tokens)));
    }
    let (first, rest) = tokens.split_at(width);
    let mut sum = first.iter().fold(0, |sum: u64, &token| sum.wrapping_mul(M).wrapping_add(token));
    out.push(finish(sum, width));
    // The weight of a token when it leaves the shingle.
    let gone = M.wrapping_pow(width as u32);
    out.extend(rest.iter().zip(tokens).map(|(&new, &old)| {
        sum = sum.wrapping_mul(M).wrapping_add(new).wrapping_sub(old.wrapping_mul(gone));
        finish(sum, width)
    }));
}

#[inline]
fn finish(sum: u64, width: usize) -> u64 {
    mix(sum.wrapping_add(N.wrapping_mul(width as u64)))
}

/// A permutation of the 64-bit numbers that removes patterns.
#[inline]
pub(crate) fn mix(mut hash: u64) -> u64 {
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ (hash >> 33)
}

/// Returns the hash of the `occurrence`-th `element` of a bag, counting from 1.
pub(crate) fn hash_occurrence(element: u64, occurrence: u64) -> u64 {
    if occurrence == 1 {
        return element;
    }
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&element.to_le_bytes());
    bytes[8..].copy_from_slice(&occurrence.to_le_bytes());
    xxh3_64(&bytes)
}

/// Returns a hash of a whole set, to find equal sets: XXH3 of its elements, eight little-endian bytes each. An
/// index stores it on disk.
///
/// If the sets are available, they decide ([`Groups::of_equal_sets`](super::Groups::of_equal_sets)). Methods by
/// signatures keep no sets, and trust the hashes ([`Groups::of_equal_keys`](super::Groups::of_equal_keys)).
pub fn hash_set(set: &[u64]) -> u128 {
    #[cfg(target_endian = "big")]
    let set = &set.iter().map(|element| element.swap_bytes()).collect::<Vec<u64>>()[..];
    // SAFETY: eight bytes without padding for every element, and any byte is a valid u8.
    let bytes = unsafe { std::slice::from_raw_parts(set.as_ptr().cast::<u8>(), size_of_val(set)) };
    xxh3_128(bytes)
}

/// In a sorted list, replaces repeated elements by different ones.
pub(crate) fn number_occurrences(elements: &mut [u64]) {
    for run in elements.chunk_by_mut(|a, b| a == b) {
        for (before, element) in run.iter_mut().enumerate() {
            *element = hash_occurrence(*element, before as u64 + 1);
        }
    }
}
