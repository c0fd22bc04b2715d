//! The join of fingerprints against brute force, with short runs and pieces even for a few fingerprints: it finds the
//! same pairs, each once, with the number of bits in which they agree.

#[path = "../../../tests/suite/clusters.rs"]
mod clusters;

use std::sync::Mutex;

use proptest::prelude::*;

use super::*;
use crate::candidates::Side;
use crate::progress::Stage;

/// Random fingerprints: with bits set in all shares, padding, many equal ones, and clusters that differ in a few bits,
/// anywhere or within one word.
fn fingerprints(most: usize) -> impl Strategy<Value = Fingerprints> {
    let word = prop_oneof![6 => any::<u64>(), 1 => Just(0), 1 => any::<[u64; 3]>().prop_map(|[x, y, z]| x & y & z)];
    (1..=8usize, prop_oneof![Just(64usize), Just(512), Just(3)], any::<bool>()).prop_flat_map(
        move |(width, spread, filled)| {
            let fresh = proptest::collection::vec(word.clone(), width);
            let flips = proptest::collection::vec(0..(width * 64).min(spread), 0..24);
            let of = proptest::option::weighted(0.8, (any::<prop::sample::Index>(), flips));
            proptest::collection::vec((fresh, of), 0..most).prop_map(move |documents| {
                let mut all: Vec<Vec<u64>> = Vec::new();
                for (fresh, of) in documents {
                    let mut fingerprint = fresh;
                    if let Some((of, flips)) = of.filter(|_| !all.is_empty()) {
                        fingerprint = of.get(&all).clone();
                        flips.into_iter().for_each(|bit| fingerprint[bit / 64] ^= 1 << (bit % 64));
                    }
                    if filled {
                        fingerprint[width - 1] = 0;
                    }
                    all.push(fingerprint);
                }
                Fingerprints::new(width as u32 * 64, all.concat()).expect("whole fingerprints")
            })
        },
    )
}

fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

/// From none to more than there are bits, mostly few.
fn distances() -> impl Strategy<Value = u32> {
    prop_oneof![8 => 0..=16u32, 3 => 17..64u32, 1 => 64..600u32]
}

fn joined(
    join: AgreeJoin,
    fingerprints: &Fingerprints,
    members: &[u32],
    side: impl Fn(u32) -> Side + Sync,
) -> Vec<AgreePair> {
    let (pairs, stage) = (Mutex::new(Vec::new()), Stage::silent());
    join.pairs_among(fingerprints, members, side, &stage, |some| pairs.lock().unwrap().extend_from_slice(some));
    assert_eq!(stage.done(), members.len() as u64);
    let mut pairs = pairs.into_inner().unwrap();
    pairs.sort_unstable();
    pairs
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn pairs_are_those_of_brute_force(fingerprints in fingerprints(70), differ in distances()) {
        let expected = brute_agree(&fingerprints, differ);
        let members: Vec<u32> = (0..fingerprints.len() as u32).collect();
        for threads in [1, 3] {
            for scan in [false, true] {
                let join = AgreeJoin { scan, ..AgreeJoin::new(differ) };
                let found = with_threads(threads, || joined(join, &fingerprints, &members, |_| Side::Both));
                prop_assert_eq!(&found, &expected, "{} {}", threads, scan);
            }
        }
    }

    /// Some of the documents, in any order, on all sides.
    #[test]
    fn a_pair_has_a_document_on_each_side(
        fingerprints in fingerprints(50),
        differ in distances(),
        sides in proptest::collection::vec(prop_oneof![Just(Side::First), Just(Side::Second), Just(Side::Both)], 50),
        left_out in proptest::collection::vec(prop::bool::weighted(0.2), 50),
        turn in 0..50usize,
    ) {
        let mut members: Vec<u32> = (0..fingerprints.len() as u32).filter(|&member| !left_out[member as usize]).collect();
        let turn = turn.min(members.len());
        members.rotate_left(turn);
        let side = |member: u32| sides[member as usize];
        let mut expected = brute_agree(&fingerprints, differ);
        expected.retain(|pair| members.contains(&pair.a) && members.contains(&pair.b));
        expected.retain(|pair| side(pair.a) == Side::Both || side(pair.a) != side(pair.b));
        for scan in [false, true] {
            let join = AgreeJoin { scan, ..AgreeJoin::new(differ) };
            prop_assert_eq!(&joined(join, &fingerprints, &members, side), &expected);
        }
    }

    /// The representatives of equal documents have the pairs of all.
    #[test]
    fn equal_fingerprints_are_grouped(fingerprints in fingerprints(50), differ in distances()) {
        let groups = fingerprints.groups(0..fingerprints.len() as u32);
        let firsts: Vec<u32> = (0..fingerprints.len() as u32).filter(|&member| groups.is_first(member)).collect();
        let found = joined(AgreeJoin::new(differ), &fingerprints, &firsts, |_| Side::Both);
        let mut expected = brute_agree(&fingerprints, differ);
        expected.retain(|pair| groups.is_first(pair.a) && groups.is_first(pair.b));
        prop_assert!(expected.iter().all(|pair| pair.agree < fingerprints.bits()));
        prop_assert_eq!(found, expected);
    }
}

/// Thousands, half of them in clusters, at all distances: enough for pieces to pay, and for threads to share a run.
#[test]
fn a_larger_collection() {
    for width in 1..=8 {
        let fingerprints = Fingerprints::new(width as u32 * 64, clusters::clusters(3000, width)).unwrap();
        let members: Vec<u32> = (0..3000).collect();
        let everything = brute_agree(&fingerprints, 64);
        assert!(everything.len() > 10_000);
        for differ in (0..=16).chain([20, 31, 48, 64]) {
            let mut expected = everything.clone();
            expected.retain(|pair| fingerprints.bits() - pair.agree <= differ);
            let threads = 1 + differ as usize % 3;
            let found =
                with_threads(threads, || joined(AgreeJoin::new(differ), &fingerprints, &members, |_| Side::Both));
            assert!(found == expected, "{width} {differ}: {} instead of {}", found.len(), expected.len());
        }
    }
}

/// What pieces of equal length, one per differing bit, would miss: a difference in each of them.
#[test]
fn one_bit_in_every_piece() {
    let mut other = [0_u64; 6];
    for piece in 0..12 {
        other[piece / 2] |= 1 << (32 * (piece % 2) + piece);
    }
    let fingerprints = Fingerprints::new(384, [[0; 6], other].concat()).unwrap();
    let found = joined(AgreeJoin::new(12), &fingerprints, &[0, 1], |_| Side::Both);
    assert_eq!(found, [AgreePair { a: 0, b: 1, agree: 372 }]);
}

#[test]
fn nothing_to_join() {
    for words in [vec![], vec![0; 6]] {
        let fingerprints = Fingerprints::new(384, words).unwrap();
        let members: Vec<u32> = (0..fingerprints.len() as u32).collect();
        for differ in [0, 12, 383, 384, u32::MAX] {
            assert_eq!(joined(AgreeJoin::new(differ), &fingerprints, &members, |_| Side::Both), []);
            assert_eq!(joined(AgreeJoin::new(differ), &fingerprints, &[], |_| Side::Both), []);
        }
    }
}
