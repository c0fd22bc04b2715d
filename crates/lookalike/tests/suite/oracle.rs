//! Collections at random, and the definitions written down as they read.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use lookalike::engine::{Algorithm, Fate, Join, Joinable, SetArena, SetBatch, SetStore, Stage, brute_pairs};
use lookalike::{Measure, Threshold};
use proptest::prelude::*;

pub type Sets = Vec<Vec<u64>>;

/// Sets over a universe of a few to many elements, with copies and near-copies, from empty to a few hundred elements.
pub fn collections() -> impl Strategy<Value = Sets> {
    let universe = prop_oneof![Just(3u64), Just(12), Just(40), Just(300), Just(100_000)];
    let most = prop_oneof![9 => 1..60usize, 1 => 60..400usize];
    (universe, most, any::<bool>()).prop_flat_map(|(universe, most, spread)| {
        let set = proptest::collection::btree_set(0..universe, 0..most.min(universe as usize + 1));
        let edits = proptest::collection::vec((0..universe, any::<prop::sample::Index>()), 0..6);
        let document = (set, proptest::option::weighted(0.6, (any::<prop::sample::Index>(), edits)));
        proptest::collection::vec(document, 0..40).prop_map(move |documents| {
            let mut sets: Sets = Vec::new();
            for (fresh, copy) in documents {
                let mut set = fresh;
                if let Some((of, edits)) = copy.filter(|_| !sets.is_empty()) {
                    set = of.get(&sets).iter().copied().collect();
                    for (added, at) in edits {
                        let removed = set.iter().copied().nth(at.index(set.len().max(1)));
                        removed.map(|element| set.remove(&element));
                        set.insert(added);
                    }
                }
                sets.push(set.into_iter().collect());
            }
            // Hashes are spread evenly; small numbers are the opposite, and all fall into one slot of the counters.
            for set in sets.iter_mut().filter(|_| spread) {
                set.iter_mut().for_each(|element| *element = (*element + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
                set.sort_unstable();
            }
            sets
        })
    })
}

/// So many sets of up to some sixty elements, most of them copies with a few elements more: always the same.
pub fn larger_collection(count: usize) -> Sets {
    let mut seed = 7u64;
    let mut random = |below: u64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) % below
    };
    let mut sets: Sets = Vec::new();
    for number in 0..count {
        let mut set: BTreeSet<u64> = if number % 3 == 0 || sets.is_empty() {
            (0..random(60)).map(|_| random(5000).wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect()
        } else {
            sets[random(sets.len() as u64) as usize].iter().copied().collect()
        };
        for _ in 0..random(5) {
            set.insert(random(5000).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        }
        sets.push(set.into_iter().collect());
    }
    sets
}

/// A measure and a threshold: from a grid, or exactly the similarity of sets of these sizes.
pub fn thresholds() -> impl Strategy<Value = Threshold> {
    let measure = prop::sample::select(&Measure::ALL[..]);
    let grid = prop::sample::select(vec!["0.05", "0.3", "0.5", "0.6", "2/3", "0.75", "0.8", "0.9", "0.95", "1"])
        .prop_map(String::from);
    let exact = (1..40u32, 0..8u32).prop_map(|(common, more)| format!("{common}/{}", common + more));
    let count = (1..30u32).prop_map(|count| count.to_string());
    let distance = (0..40u32).prop_map(|count| count.to_string());
    (measure, prop_oneof![grid, exact], count, distance).prop_map(|(measure, value, count, distance)| {
        let value = match measure {
            Measure::Overlap => count,
            Measure::Hamming => distance,
            _ => value,
        };
        Threshold::new(measure, &value).expect("a threshold that the measure allows")
    })
}

/// A threshold that two of the sets are exactly on, if they share anything and the measure has a fraction for it.
pub fn threshold_between(x: &[u64], y: &[u64], measure: Measure) -> Option<Threshold> {
    let (a, b, common) = (x.len(), y.len(), x.iter().filter(|element| y.contains(element)).count());
    let value = match measure {
        Measure::Jaccard => format!("{common}/{}", a + b - common),
        Measure::Cosine => format!("{common}/{}", Some((a * b).isqrt()).filter(|root| root * root == a * b)?),
        Measure::Dice => format!("{}/{}", 2 * common, a + b),
        Measure::Max => format!("{common}/{}", a.max(b)),
        Measure::Overlap => common.to_string(),
        Measure::Containment => format!("{common}/{}", a.min(b)),
        Measure::Hamming => (a + b - 2 * common).to_string(),
        _ => return None,
    };
    Threshold::new(measure, &value).ok()
}

/// Memory for the counters: next to none, little, ample.
pub fn counter_bytes() -> impl Strategy<Value = usize> {
    prop::sample::select(vec![0usize, 4, 64, 1 << 16])
}

/// How a collection is made ready: by which algorithm, with how much memory for counters, in blocks of how many documents
/// (`None`: as the join chooses).
#[derive(Clone, Copy, Debug)]
pub struct Way {
    pub algorithm: Algorithm,
    pub counter_bytes: usize,
    pub block: Option<u32>,
}

impl Way {
    /// With ample memory, in the blocks that users have.
    pub fn usual(algorithm: Algorithm) -> Way {
        Way { algorithm, counter_bytes: 1 << 20, block: None }
    }
}

/// Blocks that a small collection has several of, and those that users have.
pub fn blocks() -> impl Strategy<Value = Option<u32>> {
    prop::sample::select(vec![Some(1), Some(2), Some(7), None])
}

/// A store as readers make it: in batches of a few sets, which lie in several slabs of several arenas.
pub fn store(sets: &Sets) -> Arc<SetStore> {
    let mut arenas: Vec<SetArena> = (0..3).map(|number| SetArena::new(number).first_slab(64)).collect();
    let (mut batch, mut blocks) = (SetBatch::default(), Vec::new());
    for (number, some) in sets.chunks(5).enumerate() {
        batch.clear();
        some.iter().for_each(|set| batch.push(set).expect("a set"));
        blocks.push(arenas[number % 3].put(&batch).expect("memory"));
    }
    Arc::new(SetStore::new(arenas, blocks).expect("a few documents"))
}

/// Made ready in one way or another.
pub fn joinable(sets: &Sets, order: &[u32], pinned: usize, threshold: Threshold, way: Way) -> Joinable {
    let join = Join::new(threshold).algorithm(way.algorithm).counter_bytes(way.counter_bytes);
    let join = way.block.map_or(join.clone(), |block| join.block(block));
    join.keep_order(order.to_vec(), pinned).prepare(store(sets), &Stage::silent()).expect("sets and an order")
}

/// Runs with so many threads.
pub fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a thread pool").install(work)
}

/// The survivors, by definition.
pub fn survivors_by_definition(sets: &Sets, order: &[u32], pinned: usize, threshold: Threshold) -> Vec<Fate> {
    let store: SetStore = sets.iter().collect();
    let pairs = brute_pairs(&store, &threshold);
    let shared: HashMap<(u32, u32), u32> = pairs.iter().map(|pair| ((pair.a, pair.b), pair.common)).collect();
    let common = |x: u32, y: u32| shared.get(&(x.min(y), x.max(y))).copied();
    let mut fates: Vec<Option<Fate>> = vec![None; sets.len()];
    let mut kept: Vec<u32> = Vec::new();
    for (place, &x) in order.iter().enumerate() {
        let same =
            |y: &&u32| threshold.measure() != Measure::Overlap && store.size(x) > 0 && store.set(**y) == store.set(x);
        let first = order[..place].iter().find(same).copied();
        let mut twin: Option<(u32, u32)> = None;
        for &y in &kept {
            if let Some(common) = common(x, y) {
                let better = twin.is_none_or(|(best, shared)| {
                    threshold.compare(store.size(x), (common, store.size(y)), (shared, store.size(best))).is_gt()
                });
                twin = if better { Some((y, common)) } else { twin };
            }
        }
        let fate = match (first, twin) {
            _ if place < pinned => Fate::Kept,
            (Some(first), _) => match fates[first as usize].expect("settled before") {
                Fate::Kept => {
                    let similarity = threshold.similarity(store.size(x), store.size(x), store.size(x));
                    Fate::Removed { twin: first, similarity, identical: true }
                }
                Fate::Removed { twin, similarity, .. } => Fate::Removed { twin, similarity, identical: true },
            },
            (None, Some((twin, common))) => {
                let similarity = threshold.similarity(common, store.size(x), store.size(twin));
                Fate::Removed { twin, similarity, identical: false }
            }
            (None, None) => Fate::Kept,
        };
        if fate == Fate::Kept {
            kept.push(x);
        }
        fates[x as usize] = Some(fate);
    }
    fates.into_iter().map(|fate| fate.expect("every document is in the order")).collect()
}
