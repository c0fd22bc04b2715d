//! Fingerprints to join, for this suite and for the tests beside the join.

/// Fingerprints of so many words, always the same: half of them random, half in clusters of up to forty, some of them equal.
pub(super) fn clusters(count: usize, width: usize) -> Vec<u64> {
    let mut state = 11_u64;
    let mut random = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state ^ state >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ state >> 32
    };
    let mut words: Vec<u64> = Vec::new();
    while words.len() < count / 2 * width {
        let centre: Vec<u64> = (0..width).map(|_| random()).collect();
        for _ in 0..(2 + random() % 39) as usize {
            let mut member = centre.clone();
            for _ in 0..random() % 14 {
                let bit = (random() >> 7) as usize % (64 * width);
                member[bit / 64] ^= 1 << (bit % 64);
            }
            words.extend(member);
        }
    }
    words.truncate(count / 2 * width);
    words.extend((words.len()..count * width).map(|_| random()));
    words
}
