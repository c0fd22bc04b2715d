//! The join of fingerprints finds exactly the pairs that brute force finds: of so many that pieces are worth it.

use std::sync::Mutex;

use lookalike::{AgreeJoin, Fingerprints, brute_agree};

use crate::oracle::with_threads;

#[test]
fn a_larger_collection() {
    let fingerprints = clusters(16_000, 6);
    let everything = brute_agree(&fingerprints, 40);
    for (differ, threads) in [(0, 1), (3, 2), (11, 3), (12, 1), (12, 3), (13, 2), (40, 3)] {
        let mut expected = everything.clone();
        expected.retain(|pair| fingerprints.bits() - pair.agree <= differ);
        assert!(expected.len() > 100);
        let pairs = Mutex::new(Vec::new());
        with_threads(threads, || {
            AgreeJoin::new(differ).pairs(&fingerprints, |_| (), |some| pairs.lock().unwrap().extend_from_slice(some));
        });
        let mut found = pairs.into_inner().unwrap();
        found.sort_unstable();
        assert!(found == expected, "{differ}: {} instead of {}", found.len(), expected.len());
    }
}

/// Always the same: half of them random, half in clusters of up to forty, some of them equal.
fn clusters(count: usize, width: usize) -> Fingerprints {
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
    Fingerprints::new(width as u32 * 64, words).unwrap()
}
