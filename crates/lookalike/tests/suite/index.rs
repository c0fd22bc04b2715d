//! Does an index that grows in batches answer as one run over everything, and as brute force?

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use lookalike::engine::{
    Elements, Fate, FindScratch, IndexLimits, Join, MemoryIndex, NewDocument, NewPart, Part, PartBytes, Parts,
    Remembered, SetStore, Settled, Stage, common, find_references, merge, seal, survivors,
};
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

fn in_batches(sets: &[Vec<u64>], threshold: Threshold, cuts: &[usize], limits: IndexLimits) -> Vec<Settled> {
    let mut index = MemoryIndex::new(threshold).limited(limits);
    let (mut settled, mut from) = (Vec::new(), 0);
    for to in cuts.iter().copied().chain([sets.len()]) {
        let to = to.clamp(from, sets.len());
        settled.extend(index.add(&ids(from..to), &store(&sets[from..to])).unwrap());
        from = to;
    }
    settled
}

/// Limits so low that little is done at a time, or the usual ones.
fn limits() -> impl Strategy<Value = IndexLimits> {
    let search = (1..60usize, 1..5usize, 0..30usize, 1..13u32, 1..40u64, 1..9usize);
    let low = (search, (1..60usize, 0..9u32, 1..60usize));
    let low = low.prop_map(|((elements, parts, hits, bits, groups, documents), (counted, slots, postings))| {
        let (slots, pages) = (1 << slots, 0);
        IndexLimits { elements, parts, hits, bits, groups, documents, counted, slots, postings, pages }
    });
    prop_oneof![4 => low, 1 => Just(IndexLimits::default()), 1 => (0..9000u64).prop_map(IndexLimits::within)]
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
        assert_eq!(in_batches(&sets, threshold, cuts, IndexLimits::default()), expected);
    }
}

/// A document that the index removes cannot remove others of its batch. The twin is the best of both.
#[test]
fn the_index_comes_before_the_batch() {
    let sets = [vec![0, 1, 2, 3], vec![0, 1, 2, 4], vec![0, 1, 4, 5], vec![0, 1, 4, 5, 6], vec![0, 1, 2, 3, 4]];
    let threshold = Threshold::new(Measure::Jaccard, "1/2").unwrap();
    let expected = one_run(&sets, threshold);
    assert_eq!(expected[2], Settled::Kept);
    assert_eq!(in_batches(&sets, threshold, &[1], IndexLimits::default()), expected);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// For any measure, threshold, split, limits and number of threads.
    #[test]
    fn batches_as_one_run(
        sets in sets(40),
        measure in prop::sample::select(&MEASURES[..]),
        value in 1..10u32,
        mut cuts in prop::collection::vec(0..40usize, 0..12),
        threads in 1..4usize,
        limits in limits(),
    ) {
        cuts.sort_unstable();
        let threshold = threshold(measure, value);
        let expected = one_run(&sets, threshold);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let settled = pool.install(|| in_batches(&sets, threshold, &cuts, limits));
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
        limits in limits(),
    ) {
        let (low, high) = (threshold(measure, low), threshold(measure, (low + more).min(9)));
        let mut index = MemoryIndex::new(low).limited(limits);
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
    fn as_the_model(
        steps in steps(),
        measure in prop::sample::select(&MEASURES[..]),
        value in 1..10u32,
        limits in limits(),
    ) {
        let threshold = threshold(measure, value);
        let mut index = MemoryIndex::new(threshold).limited(limits);
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
        limits in limits(),
    ) {
        let threshold = threshold(Measure::Jaccard, 5);
        let documents: Vec<String> = ids(0..sets.len());
        let documents: Vec<NewDocument> = (0..)
            .zip(documents.iter().zip(&sets))
            .map(|(serial, (id, set))| NewDocument { id, serial, set: Elements::Numbers(set) })
            .collect();
        let remembered = Remembered { hash: 7, twin: 1, common: 2, size: 3 };
        let bytes = NewPart::new(&documents, vec![remembered; 3], &threshold).unwrap().to_bytes(&Stage::silent()).unwrap();
        // The body, without its checksums.
        let length = u64::from_le_bytes(bytes[bytes.len() - 16..bytes.len() - 8].try_into().unwrap()) as usize;
        let mut body = bytes[..length].to_vec();
        for (at, byte) in changes {
            let at = at.index(body.len());
            body[at] = byte;
        }
        if let Ok(part) = Part::open(seal(&body)) {
            let _ = part.check();
            let parts = Parts::new(threshold, vec![part], vec![1]).limited(limits);
            let asked: Vec<u64> = asked.into_iter().collect();
            let _ = parts.find(&asked, &threshold, u64::MAX, &mut FindScratch::default(), |_, _| ());
            let _ = find_references(&parts, &store(&[asked]), u64::MAX, &Stage::silent());
            let _ = (parts.find_id("3", &mut Vec::new()), parts.remembered(7), parts.place_of(2));
            let _ = merge(&parts, 0..1, &Stage::silent(), |part| part.to_bytes(&Stage::silent()));
        }
    }

    /// A part is the same bytes however many postings are sorted at a time.
    #[test]
    fn a_part_of_any_limits(sets in sets(60), postings in 1..200usize, threads in 1..4usize) {
        let threshold = threshold(Measure::Jaccard, 5);
        let ids = ids(0..sets.len());
        let documents = new_documents(&ids, &sets);
        let part = || NewPart::new(&documents, Vec::new(), &threshold).unwrap();
        let expected = part().to_bytes(&Stage::silent()).unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let limits = IndexLimits { postings, ..IndexLimits::default() };
        prop_assert_eq!(pool.install(|| part().limited(limits).to_bytes(&Stage::silent()).unwrap()), expected);
    }
}

/// Documents in the order of their serial numbers.
fn new_documents<'a>(ids: &'a [String], sets: &'a [Vec<u64>]) -> Vec<NewDocument<'a>> {
    let document = |(serial, (id, set)): (u64, (&'a String, &'a Vec<u64>))| NewDocument {
        id,
        serial,
        set: Elements::Numbers(set),
    };
    (0..).zip(ids.iter().zip(sets)).map(document).collect()
}

/// Bytes that count how often they are released.
struct Counting(Arc<Vec<u8>>, Arc<AtomicUsize>);

impl AsRef<[u8]> for Counting {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl PartBytes for Counting {
    fn release(&self) {
        self.1.fetch_add(1, Relaxed);
    }
}

/// Pages are released if more of them are in memory than the limits allow, and only then.
#[test]
fn pages_are_released() {
    let sets: Vec<Vec<u64>> = (0..4000).map(|set| (set * 20..set * 20 + 40).collect()).collect();
    let threshold = threshold(Measure::Jaccard, 5);
    let ids = ids(0..sets.len());
    let documents = new_documents(&ids, &sets);
    let bytes = NewPart::new(&documents, Vec::new(), &threshold).unwrap().to_bytes(&Stage::silent()).unwrap();
    let (bytes, batch) = (Arc::new(bytes), store(&sets));
    for (pages, least) in [(u64::MAX, 0), (bytes.len() as u64 / 4, 3)] {
        let count = Arc::new(AtomicUsize::new(0));
        let part = || Part::open(Counting(bytes.clone(), count.clone())).unwrap();
        let limits = IndexLimits { pages, ..IndexLimits::default() };
        type Work = fn(&Parts<Counting>, &SetStore);
        let works: [Work; 4] = [
            |parts, batch| {
                let found = find_references(parts, batch, u64::MAX, &Stage::silent()).unwrap();
                // Both parts have the same serial numbers.
                assert_eq!(found.len(), 4000);
            },
            |parts, batch| {
                let (threshold, mut scratch) = (*parts.threshold(), FindScratch::default());
                for set in 0..batch.len() as u32 {
                    let mut found = 0;
                    parts.find(batch.set(set), &threshold, u64::MAX, &mut scratch, |_, _| found += 1).unwrap();
                    assert_eq!(found, 2);
                }
            },
            |parts, _| {
                drop(merge(parts, 0..2, &Stage::silent(), |part| part.to_bytes(&Stage::silent()).unwrap()).unwrap())
            },
            |parts, _| (0..2).for_each(|part| parts.check(part, &Stage::silent()).unwrap()),
        ];
        for (number, work) in works.into_iter().enumerate() {
            let parts = Parts::new(threshold, vec![part(), part()], Vec::new()).limited(limits);
            count.store(0, Relaxed);
            work(&parts, &batch);
            let released = count.load(Relaxed);
            assert!(released >= least && (least > 0 || released == 0), "{number}: {released} times");
        }
    }
}
