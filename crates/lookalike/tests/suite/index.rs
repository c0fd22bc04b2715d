//! Does an index that grows in batches answer as one run over everything, and as brute force?

use std::collections::HashMap;
use std::sync::Arc;

use lookalike::engine::{Fate, FindScratch, Join, MemoryIndex, Parts, SetStore, Settled, Stage, common, survivors};
use lookalike::{Measure, Threshold};
use proptest::prelude::*;

const MEASURES: [Measure; 6] =
    [Measure::Jaccard, Measure::Cosine, Measure::Dice, Measure::Max, Measure::Overlap, Measure::Containment];

fn threshold(measure: Measure, value: u32) -> Threshold {
    let value = if measure == Measure::Overlap { value.to_string() } else { format!("{value}/9") };
    Threshold::new(measure, &value).unwrap()
}

fn store(sets: &[Vec<u64>]) -> SetStore {
    SetStore::of_sets(sets).unwrap()
}

fn ids(sets: std::ops::Range<usize>) -> Vec<String> {
    sets.map(|number| number.to_string()).collect()
}

/// One run over everything.
fn one_run(sets: &[Vec<u64>], threshold: Threshold) -> Vec<Settled> {
    let order = (0..sets.len() as u32).collect();
    let join = Join::new(threshold).keep_order(order, 0);
    let mut source = join.prepare(Arc::new(store(sets)), &Stage::silent()).unwrap();
    let settled = |fate| match fate {
        Fate::Kept => Settled::Kept,
        Fate::Removed { twin, similarity, identical } => {
            Settled::Removed { twin: twin.to_string(), similarity, identical }
        }
    };
    survivors(&mut source, &Stage::silent()).unwrap().into_iter().map(settled).collect()
}

fn in_batches(sets: &[Vec<u64>], threshold: Threshold, cuts: &[usize]) -> Vec<Settled> {
    let mut index = MemoryIndex::new(threshold);
    let (mut settled, mut from) = (Vec::new(), 0);
    for to in cuts.iter().copied().chain([sets.len()]) {
        let to = to.clamp(from, sets.len());
        settled.extend(index.add(&ids(from..to), &store(&sets[from..to])).unwrap());
        from = to;
    }
    settled
}

/// Sets of which many are equal, many similar, some empty.
fn sets(most: usize) -> impl Strategy<Value = Vec<Vec<u64>>> {
    let set = prop_oneof![
        8 => prop::collection::btree_set(0..8u64, 0..7),
        2 => prop::collection::btree_set(0..40u64, 1..20),
    ];
    prop::collection::vec(set.prop_map(|set| set.into_iter().collect()), 0..most)
}

/// A copy of a removed document shares the fate of the first of its equals, although a more similar document was kept since.
#[test]
fn a_copy_of_a_removed_document_shares_its_fate() {
    let sets = [vec![0, 1, 5, 6], vec![0, 1, 3, 4, 5, 6], vec![0, 1, 2, 3, 4, 5], vec![0, 1, 3, 4, 5, 6]];
    let threshold = Threshold::new(Measure::Jaccard, "1/2").unwrap();
    let expected = one_run(&sets, threshold);
    let twin = Settled::Removed { twin: "0".to_string(), similarity: 2.0 / 3.0, identical: true };
    assert_eq!(expected[3], twin);
    for cuts in [&[1, 2, 3][..], &[3], &[2]] {
        assert_eq!(in_batches(&sets, threshold, cuts), expected);
    }
}

/// A document that the index removes cannot remove others of its batch. The twin is the best of both.
#[test]
fn the_index_comes_before_the_batch() {
    let sets = [vec![0, 1, 2, 3], vec![0, 1, 2, 4], vec![0, 1, 4, 5], vec![0, 1, 4, 5, 6], vec![0, 1, 2, 3, 4]];
    let threshold = Threshold::new(Measure::Jaccard, "1/2").unwrap();
    let expected = one_run(&sets, threshold);
    assert_eq!(expected[2], Settled::Kept);
    assert_eq!(in_batches(&sets, threshold, &[1]), expected);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// For any measure, threshold, split and number of threads.
    #[test]
    fn batches_as_one_run(
        sets in sets(40),
        measure in prop::sample::select(&MEASURES[..]),
        value in 1..10u32,
        mut cuts in prop::collection::vec(0..40usize, 0..12),
        threads in 1..4usize,
    ) {
        cuts.sort_unstable();
        let threshold = threshold(measure, value);
        let expected = one_run(&sets, threshold);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let settled = pool.install(|| in_batches(&sets, threshold, &cuts));
        prop_assert_eq!(settled, expected);
    }

    /// A query finds what brute force finds, also above the threshold of the index.
    #[test]
    fn queries_as_brute_force(
        all in sets(40),
        asked in sets(10),
        measure in prop::sample::select(&MEASURES[..]),
        low in 1..10u32,
        more in 0..9u32,
    ) {
        let (low, high) = (threshold(measure, low), threshold(measure, (low + more).min(9)));
        let mut index = MemoryIndex::new(low);
        let mut kept: Vec<(String, &Vec<u64>)> = Vec::new();
        for (number, set) in all.iter().enumerate() {
            if index.add(&[number.to_string()], &store(std::slice::from_ref(set))).unwrap() == [Settled::Kept] {
                kept.push((number.to_string(), set));
            }
        }
        for set in asked.iter().filter(|set| !set.is_empty()) {
            let size = set.len() as u32;
            let mut found = Vec::new();
            index.find(set, &high, &mut FindScratch::default(), |id, one| found.push((id.to_string(), one.common))).unwrap();
            let expected: Vec<(String, u32)> = kept
                .iter()
                .map(|(id, other)| (id.clone(), common(set, other), other.len() as u32))
                .filter(|&(_, common, other)| other > 0 && high.reaches(common, size, other))
                .map(|(id, common, _)| (id, common))
                .collect();
            prop_assert_eq!(found, expected);
        }
    }
}

/// The index, in the plainest words.
struct Model {
    threshold: Threshold,
    kept: Vec<(String, Vec<u64>)>,
    /// What became of the first of equal removed sets: its twin, and their similarity.
    removed: HashMap<Vec<u64>, (String, f64)>,
}

impl Model {
    fn add(&mut self, id: &str, set: &[u64]) -> Settled {
        let groups = self.threshold.measure() != Measure::Overlap && !set.is_empty();
        let size = set.len() as u32;
        let similarity = |common: u32, other: u32| self.threshold.similarity(common, size, other);
        if groups && let Some((twin, other)) = self.kept.iter().find(|(_, other)| other == set) {
            let similarity = similarity(size, other.len() as u32);
            return Settled::Removed { twin: twin.clone(), similarity, identical: true };
        }
        if groups && let Some((twin, similarity)) = self.removed.get(set) {
            return Settled::Removed { twin: twin.clone(), similarity: *similarity, identical: true };
        }
        let mut best: Option<(&String, u32, u32)> = None;
        for (twin, other) in &self.kept {
            let (common, other) = (common(set, other), other.len() as u32);
            let is_pair = size > 0 && other > 0 && self.threshold.reaches(common, size, other);
            if is_pair && best.is_none_or(|(_, a, b)| self.threshold.compare(size, (common, other), (a, b)).is_gt()) {
                best = Some((twin, common, other));
            }
        }
        let Some((twin, common, other)) = best else {
            self.kept.push((id.to_string(), set.to_vec()));
            return Settled::Kept;
        };
        let similarity = similarity(common, other);
        let twin = twin.clone();
        if groups {
            self.removed.insert(set.to_vec(), (twin.clone(), similarity));
        }
        Settled::Removed { twin, similarity, identical: false }
    }

    fn remove(&mut self, id: &str) {
        self.kept.retain(|(kept, _)| kept != id);
        self.removed.retain(|_, (twin, _)| twin != id);
    }
}

#[derive(Clone, Debug)]
enum Step {
    Add(Vec<Vec<u64>>),
    Remove(usize),
    Merge,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        6 => sets(8).prop_map(Step::Add),
        3 => (0..60usize).prop_map(Step::Remove),
        1 => Just(Step::Merge),
    ];
    prop::collection::vec(step, 0..25)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Any sequence of adding, removing and merging.
    #[test]
    fn as_the_model(steps in steps(), measure in prop::sample::select(&MEASURES[..]), value in 1..10u32) {
        let threshold = threshold(measure, value);
        let mut index = MemoryIndex::new(threshold);
        let mut model = Model { threshold, kept: Vec::new(), removed: HashMap::new() };
        let mut next = 0;
        for step in steps {
            match step {
                Step::Add(sets) => {
                    let ids = ids(next..next + sets.len());
                    next += sets.len();
                    let expected: Vec<Settled> = ids.iter().zip(&sets).map(|(id, set)| model.add(id, set)).collect();
                    prop_assert_eq!(index.add(&ids, &store(&sets)).unwrap(), expected);
                }
                Step::Remove(number) => {
                    let was_there = model.kept.iter().any(|(id, _)| *id == number.to_string());
                    prop_assert_eq!(index.remove(&number.to_string()).unwrap(), usize::from(was_there));
                    model.remove(&number.to_string());
                }
                Step::Merge => index.merge_all().unwrap(),
            }
            prop_assert_eq!(index.parts().len(), model.kept.len() as u64);
            for part in index.parts().parts() {
                part.check().unwrap();
            }
        }
    }

    /// Whatever the bytes say, reading them is an answer or an error.
    #[test]
    fn any_bytes_are_read_without_a_panic(
        sets in sets(12),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        asked in prop::collection::btree_set(0..40u64, 0..20),
    ) {
        let threshold = threshold(Measure::Jaccard, 5);
        let documents: Vec<String> = ids(0..sets.len());
        let documents: Vec<lookalike::engine::NewDocument> = (0..).zip(&documents).zip(&sets).map(|((serial, id), set)| {
            lookalike::engine::NewDocument { id, serial, set: lookalike::engine::Elements::Numbers(set) }
        }).collect();
        let remembered = lookalike::engine::Remembered { hash: 7, twin: 1, common: 2, size: 3 };
        let bytes = lookalike::engine::NewPart::new(&documents, vec![remembered; 3], &threshold).unwrap().to_bytes();
        // The body, without its checksums.
        let length = u64::from_le_bytes(bytes[bytes.len() - 16..bytes.len() - 8].try_into().unwrap()) as usize;
        let mut body = bytes[..length].to_vec();
        for (at, byte) in changes {
            let at = at.index(body.len());
            body[at] = byte;
        }
        if let Ok(part) = lookalike::engine::Part::open(lookalike::engine::seal(&body)) {
            let _ = part.check();
            let parts = Parts::new(threshold, vec![part], vec![1]);
            let asked: Vec<u64> = asked.into_iter().collect();
            let _ = parts.find(&asked, &threshold, u64::MAX, &mut FindScratch::default(), |_, _| ());
            let _ = (parts.find_id("3", &mut Vec::new()), parts.remembered(7), parts.place_of(2));
        }
    }
}
