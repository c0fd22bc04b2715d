//! Is an element surely not posted? A small filter answers for nearly all elements that are not.
//!
//! It is a Bloom filter in which an element has five bits of one 64-bit word, so that a question costs one memory access. With twelve bits for
//! each posted element, it lets one in a hundred others through. Every part is asked for every element, so fewer bits would cost more
//! time than they save.

/// Bytes of a word.
pub(super) const WORD: usize = 8;

/// How many words a filter for this many elements has.
pub(super) fn words_for(elements: usize) -> usize {
    (elements * 3).div_ceil(16)
}

/// The word of a key.
#[inline]
pub(super) fn word_of(key: u64, words: u64) -> usize {
    ((u128::from(key) * u128::from(words)) >> 64) as usize
}

/// The bits of a key in its word: those that its lowest 30 bits name, six each.
#[inline]
pub(super) fn bits_of(key: u64) -> u64 {
    1 << (key & 63) | 1 << (key >> 6 & 63) | 1 << (key >> 12 & 63) | 1 << (key >> 18 & 63) | 1 << (key >> 24 & 63)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sets::mix;

    #[test]
    fn lets_all_its_elements_and_few_others_through() {
        let mut filter = vec![0_u64; words_for(10_000)];
        let words = filter.len() as u64;
        (0..10_000).map(mix).for_each(|key| filter[word_of(key, words)] |= bits_of(key));
        let has = |key: u64| filter[word_of(key, words)] & bits_of(key) == bits_of(key);
        assert!((0..10_000).all(|element| has(mix(element))));
        let others = (10_000..110_000).filter(|&element| has(mix(element))).count();
        assert!(others < 2_000, "{others} of 100000");
    }
}
