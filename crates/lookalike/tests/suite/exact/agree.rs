//! The join of fingerprints finds exactly the pairs that brute force finds: of so many that pieces are worth it.

use std::sync::Mutex;

use lookalike::engine::{AgreeJoin, Fingerprints, Stage, brute_agree};

use crate::clusters::clusters;
use crate::oracle::with_threads;

#[test]
fn a_larger_collection() {
    let fingerprints = Fingerprints::new(384, clusters(16_000, 6)).unwrap();
    let everything = brute_agree(&fingerprints, 40);
    for (differ, threads) in [(0, 1), (3, 2), (11, 3), (12, 1), (12, 3), (13, 2), (40, 3)] {
        let mut expected = everything.clone();
        expected.retain(|pair| fingerprints.bits() - pair.agree <= differ);
        assert!(expected.len() > 100);
        let pairs = Mutex::new(Vec::new());
        with_threads(threads, || {
            AgreeJoin::new(differ)
                .pairs(&fingerprints, &Stage::silent(), |some| pairs.lock().unwrap().extend_from_slice(some));
        });
        let mut found = pairs.into_inner().unwrap();
        found.sort_unstable();
        assert!(found == expected, "{differ}: {} instead of {}", found.len(), expected.len());
    }
}
