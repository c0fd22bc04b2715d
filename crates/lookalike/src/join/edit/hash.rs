//! Hashes of consecutive characters. They only select candidates: a collision costs a comparison.

use super::characters::Character;

const BASE: u64 = 0xd134_2543_de82_ef95;

/// Returns the hash of all characters.
#[inline]
pub(super) fn hash_all<C: Character>(characters: &[C], seed: u64) -> u64 {
    finish(sum(characters), seed)
}

/// Calls `see` with the hash of every gram of `q` characters, in order.
#[inline]
pub(super) fn hash_grams<C: Character>(characters: &[C], q: usize, seed: u64, mut see: impl FnMut(u64)) {
    if characters.len() < q {
        return;
    }
    let (first, rest) = characters.split_at(q);
    let mut rolling = sum(first);
    see(finish(rolling, seed));
    // The weight of a character when it leaves the gram.
    let gone = BASE.wrapping_pow(q as u32);
    for (new, old) in rest.iter().zip(characters) {
        rolling = step(rolling, *new).wrapping_sub(u64::from(old.value()).wrapping_mul(gone));
        see(finish(rolling, seed));
    }
}

#[inline]
fn sum<C: Character>(characters: &[C]) -> u64 {
    characters.iter().fold(0, |sum, &character| step(sum, character))
}

#[inline]
fn step<C: Character>(sum: u64, character: C) -> u64 {
    sum.wrapping_mul(BASE).wrapping_add(u64::from(character.value()))
}

/// Mixes a number over all 64 bits.
#[inline]
pub(super) fn finish(sum: u64, seed: u64) -> u64 {
    let mixed = (sum ^ seed).wrapping_mul(0xff51_afd7_ed55_8ccd);
    let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    mixed ^ (mixed >> 29)
}
