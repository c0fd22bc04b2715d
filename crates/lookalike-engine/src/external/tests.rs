//! Any memory gives the pairs and the fates of one join in memory.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use lookalike::engine::{
    Algorithm, Fate, Join, SetStore, Side, Silent, Stage, components, hash_set, hash_token, survivors,
};
use lookalike::{Measure, Threshold};
use lookalike_io::spill::Space;
use proptest::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::budget::Shares;
use super::parts::Divide;
use super::source::PartsSource;
use super::whole::Whole;
use crate::on_disk::SetFileWriter;
use crate::testing::{among, pairs};

fn sets() -> impl Strategy<Value = Vec<Vec<u64>>> {
    let set = prop_oneof![
        3 => proptest::collection::btree_set(0..20u64, 0..9),
        2 => proptest::collection::btree_set(0..100_000u64, 1..30),
        1 => Just(BTreeSet::from([1, 2, 3, 4])),
    ];
    // Elements are hashes.
    let hashed = |set: BTreeSet<u64>| {
        let set: BTreeSet<u64> = set.into_iter().map(|element| hash_token(&element.to_le_bytes())).collect();
        set.into_iter().collect()
    };
    proptest::collection::vec(set.prop_map(hashed), 0..60)
}

fn threshold() -> impl Strategy<Value = Threshold> {
    (prop::sample::select(&Measure::ALL[..]), 1..10u32).prop_map(|(measure, value)| {
        let is_count = matches!(measure, Measure::Overlap | Measure::Hamming);
        Threshold::new(measure, &if is_count { value.to_string() } else { format!("{value}/9") }).unwrap()
    })
}

fn shares() -> impl Strategy<Value = Shares> {
    let bytes = || prop_oneof![1..2000u64, Just(1 << 20)];
    (bytes(), bytes(), bytes()).prop_map(|(counters, postings, part)| Shares { sieve: 0, counters, postings, part })
}

/// The source of these sets, divided.
fn divided(sets: &[Vec<u64>], whole: Whole, shares: Shares) -> PartsSource<'static> {
    let mut file = SetFileWriter::new(&Space::default()).block(100);
    for (document, set) in (0..).zip(sets) {
        let is_there = whole.singles_that_suffice(set.len() as u32) > 0;
        if whole.is_compared(document) && is_there {
            file.put(document, set).unwrap();
        }
    }
    let divide = Divide { whole: &whole, space: &Space::default(), shares: &shares, run: None, progress: &Silent };
    let parts = divide.run(file.finish().unwrap()).unwrap();
    PartsSource::new(whole, parts, shares, (0, 0), None)
}

fn whole(sets: &[Vec<u64>], threshold: Threshold, order: (Vec<u32>, usize)) -> Whole {
    let set_hashes: Vec<u128> = sets.iter().map(|set| hash_set(set)).collect();
    let sizes = sets.iter().map(|set| set.len() as u32).collect();
    Whole::new(threshold, Algorithm::Auto, order, &set_hashes, sizes)
}

/// Does something on so many threads.
fn on<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    static POOLS: LazyLock<Vec<ThreadPool>> = LazyLock::new(|| {
        (1..=3).map(|threads| ThreadPoolBuilder::new().num_threads(threads).build().unwrap()).collect()
    });
    POOLS[threads - 1].install(work)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_same_fates(
        sets in sets(),
        threshold in threshold(),
        shares in shares(),
        pinned in 0..10usize,
        turn in 0..60usize,
        is_by_component in any::<bool>(),
        threads in 1..4usize,
    ) {
        let mut order: Vec<u32> = (0..sets.len() as u32).collect();
        order.rotate_left(turn.min(sets.len()));
        let pinned = pinned.min(sets.len());
        let store: Arc<SetStore> = Arc::new(sets.iter().collect());
        let mut joinable = Join::new(threshold).keep_order(order.clone(), pinned).prepare(store, &Stage::silent()).unwrap();
        let decide = if is_by_component { components } else { survivors };
        let expected: Vec<Fate> = decide(&mut joinable, &Stage::silent()).unwrap();
        let found = on(threads, || {
            let source = divided(&sets, whole(&sets, threshold, (order, pinned)), shares);
            source.fates(is_by_component, &Stage::silent()).unwrap()
        });
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn the_same_pairs(
        sets in sets(),
        threshold in threshold(),
        shares in shares(),
        split in proptest::option::of(0..60u32),
        threads in 1..4usize,
    ) {
        let store: Arc<SetStore> = Arc::new(sets.iter().collect());
        let join = Join::new(threshold);
        let join = split.map_or(join.clone(), |split| join.across(split));
        let mut joinable = join.prepare(store, &Stage::silent()).unwrap();
        let documents = sets.len() as u32;
        let split = split.map(|split| split.min(documents));
        let order = match split {
            Some(split) => ((split..documents).chain(0..split).collect(), (documents - split) as usize),
            None => ((0..documents).collect(), 0),
        };
        let found = on(threads, || pairs(&mut divided(&sets, whole(&sets, threshold, order).across(split), shares)));
        prop_assert_eq!(found, pairs(&mut joinable));
    }

    #[test]
    fn the_same_pairs_of_two_sides(
        sets in sets(),
        threshold in threshold(),
        shares in shares(),
        sides in proptest::collection::vec(prop::sample::select(&[None, Some(Side::First), Some(Side::Second), Some(Side::Both)][..]), 60),
        threads in 1..4usize,
    ) {
        let order: Vec<u32> = (0..sets.len() as u32).collect();
        let store: Arc<SetStore> = Arc::new(sets.iter().collect());
        let mut joinable = Join::new(threshold).prepare(store, &Stage::silent()).unwrap();
        let found = on(threads, || among(&mut divided(&sets, whole(&sets, threshold, (order, 0)), shares), &sides));
        prop_assert_eq!(found, among(&mut joinable, &sides));
    }
}
