//! Pairs by features against brute force.

use std::sync::Mutex;

use proptest::prelude::*;

use super::*;
use crate::candidates::Side;
use crate::progress::Stage;
use crate::sketch::Filter;

/// Few distinct values, so that features are often shared, and a few that all documents have.
fn tables() -> impl Strategy<Value = FeatureTable> {
    (1usize..16).prop_flat_map(|k| (Just(k), 1..=k, 0usize..60)).prop_flat_map(|(k, r, documents)| {
        let feature = prop_oneof![3 => 0u64..6, 1 => Just(u64::MAX)];
        prop::collection::vec(feature, k * documents)
            .prop_map(move |features| FeatureTable::new(Filter::new(k, 2, r).unwrap(), features))
    })
}

fn pairs(table: &FeatureTable, members: &[u32], side: impl Fn(u32) -> Side + Sync) -> Vec<FeaturePair> {
    let pairs = Mutex::new(Vec::new());
    table.pairs_among(members, side, &Stage::silent(), |some| pairs.lock().unwrap().extend_from_slice(some));
    let mut pairs = pairs.into_inner().unwrap();
    pairs.sort_unstable();
    pairs
}

proptest! {
    #[test]
    fn all_pairs_once(table in tables()) {
        let members: Vec<u32> = (0..table.len() as u32).rev().collect();
        let expected = brute_features(&table);
        prop_assert_eq!(pairs(&table, &members, |_| Side::Both), expected.clone());
        let met = table.meeting(&members, |_| Side::Both);
        prop_assert!(expected.iter().all(|pair| met[pair.a as usize] && met[pair.b as usize]));
    }

    #[test]
    fn some_documents_and_sides(table in tables(), seed in any::<u64>()) {
        let bits = |document: u32| seed.rotate_left(3 * document) & 7;
        let side = |document: u32| [Side::First, Side::Second, Side::Both][bits(document) as usize % 3];
        let is_member = |document: u32| bits(document) != 7;
        let members: Vec<u32> = (0..table.len() as u32).filter(|&document| is_member(document)).collect();
        let wanted = |pair: &FeaturePair| is_member(pair.a) && is_member(pair.b) && !matches!((side(pair.a), side(pair.b)), (Side::First, Side::First) | (Side::Second, Side::Second));
        let expected: Vec<FeaturePair> = brute_features(&table).into_iter().filter(wanted).collect();
        let met = table.meeting(&members, side);
        prop_assert!(expected.iter().all(|pair| met[pair.a as usize] && met[pair.b as usize]));
        prop_assert_eq!(pairs(&table, &members, side), expected);
    }
}

/// Broder's clustering in four phases, as published: values with their documents, sorted; all pairs of the documents of
/// each value; these sorted and counted; the pairs with enough common values. (The fourth phase joins them to
/// components.)
fn by_four_phases(table: &FeatureTable) -> Vec<FeaturePair> {
    let documents = 0..table.len() as u32;
    let mut values: Vec<(usize, u64, u32)> = documents
        .flat_map(|document| table.of(document).iter().enumerate().map(move |(place, &value)| (place, value, document)))
        .collect();
    values.sort_unstable();
    let mut met: Vec<(u32, u32)> = Vec::new();
    for run in values.chunk_by(|one, two| (one.0, one.1) == (two.0, two.1)) {
        for (at, &(_, _, a)) in run.iter().enumerate() {
            met.extend(run[at + 1..].iter().map(|&(_, _, b)| (a, b)));
        }
    }
    met.sort_unstable();
    let counted = met.chunk_by(|one, two| one == two).map(|run| (run[0], run.len()));
    let enough = counted.filter(|(_, count)| *count >= table.filter().r());
    enough.map(|((a, b), count)| FeaturePair { a, b, shared: count as u32 }).collect()
}

proptest! {
    #[test]
    fn as_by_four_phases(values in prop::collection::vec(0u64..4, 0..600), needed in 1usize..20) {
        let table = FeatureTable::new(Filter::new(20, 1, needed).unwrap(), values);
        let members: Vec<u32> = (0..table.len() as u32).collect();
        prop_assert_eq!(pairs(&table, &members, |_| Side::Both), by_four_phases(&table));
    }
}

/// A run that several threads share.
#[test]
fn a_long_run() {
    let documents = 3000;
    let features = (0..documents).flat_map(|document| [7, u64::from(document % 3)]).collect();
    let table = FeatureTable::new(Filter::new(2, 1, 2).unwrap(), features);
    let members: Vec<u32> = (0..documents).collect();
    assert_eq!(pairs(&table, &members, |_| Side::Both), brute_features(&table));
}
