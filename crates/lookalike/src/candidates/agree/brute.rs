//! The pairs of fingerprints by definition: the oracle of the tests.

use super::fingerprints::Fingerprints;
use super::pair::AgreePair;

/// Compares every fingerprint with every other.
pub fn brute_agree(fingerprints: &Fingerprints, differ: u32) -> Vec<AgreePair> {
    let mut pairs = Vec::new();
    for a in 0..fingerprints.len() as u32 {
        for b in a + 1..fingerprints.len() as u32 {
            let agree = fingerprints.agree(a, b);
            if fingerprints.bits() - agree <= differ {
                pairs.push(AgreePair { a, b, agree });
            }
        }
    }
    pairs
}
