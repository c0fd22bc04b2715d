//! Is an element surely not posted? A small filter answers for nearly all elements that are not.
//!
//! It is a split block Bloom filter: an element has one block of 256 bits, and one bit in each of the block's eight words. With a byte for
//! each posted element, it lets about three in a hundred others through.

use super::layout::FILTER_BLOCK;

/// Odd numbers that pick a bit of each word.
const SALTS: [u32; 8] =
    [0x47b6_137b, 0x4497_4d91, 0x8824_ad5b, 0xa2b7_289d, 0x7054_95c7, 0x2df1_424b, 0x9efc_4947, 0x5c6b_fb31];

/// How many blocks a filter for so many elements has.
pub(super) fn blocks_for(elements: usize) -> usize {
    elements.div_ceil(FILTER_BLOCK)
}

/// The block of a key.
#[inline]
pub(super) fn block_of(key: u64, blocks: u64) -> usize {
    ((u128::from(key) * u128::from(blocks)) >> 64) as usize
}

/// The bit of a key in a word.
#[inline]
fn bit(key: u64, salt: u32) -> u32 {
    1 << ((key as u32).wrapping_mul(salt) >> 27)
}

/// Adds a key to a filter.
pub(super) fn add(filter: &mut [u8], key: u64) {
    let at = block_of(key, (filter.len() / FILTER_BLOCK) as u64) * FILTER_BLOCK;
    let words = filter[at..at + FILTER_BLOCK].as_chunks_mut::<4>().0;
    for (word, salt) in words.iter_mut().zip(SALTS) {
        *word = (u32::from_le_bytes(*word) | bit(key, salt)).to_le_bytes();
    }
}

/// Whether the block of a key may have it.
#[inline]
pub(super) fn has(block: &[u8], key: u64) -> bool {
    let words = block.as_chunks::<4>().0;
    words.iter().zip(SALTS).all(|(&word, salt)| u32::from_le_bytes(word) & bit(key, salt) != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sets::mix;

    #[test]
    fn lets_all_its_elements_and_few_others_through() {
        let mut filter = vec![0; blocks_for(10_000) * FILTER_BLOCK];
        let has = |filter: &[u8], key: u64| {
            let at = block_of(key, (filter.len() / FILTER_BLOCK) as u64) * FILTER_BLOCK;
            has(&filter[at..at + FILTER_BLOCK], key)
        };
        (0..10_000).for_each(|element| add(&mut filter, mix(element)));
        assert!((0..10_000).all(|element| has(&filter, mix(element))));
        let others = (10_000..110_000).filter(|&element| has(&filter, mix(element))).count();
        assert!(others < 6_000, "{others} of 100000");
    }
}
