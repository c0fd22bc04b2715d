//! Is an index in a folder the same as one in memory, whenever it is closed and opened again?

use std::path::Path;

use lookalike::engine::{
    Elements, FindScratch, Growth, Join, MemoryIndex, NewDocument, NewPart, Place, SetStore, Settled, Silent, Stage,
    find_references, share_fates, survivors,
};
use lookalike::{Measure, Threshold};
use proptest::prelude::*;

use crate::extract::Extraction;

use super::{Answer, IndexFolder, IndexWriter, Settings};

fn settings(threshold: &Threshold) -> Settings {
    Settings::new(threshold, &Extraction::default(), &[])
}

/// Adds a batch to an index in a folder, and closes it.
fn add(folder: &Path, threshold: Threshold, ids: &[String], sets: &[Vec<u64>], memory: Option<u64>) {
    let mut writer = IndexWriter::open_or_create(folder, settings(&threshold)).unwrap();
    writer.limit(memory);
    let batch = SetStore::of_sets(sets).unwrap();
    let inputs = batch.len() as u32;
    let references = find_references(writer.parts(), &batch, u64::MAX, &Stage::silent()).unwrap();
    let all = SetStore::joined(&batch, &writer.parts().sets_of(&references).unwrap()).unwrap();
    let all = std::sync::Arc::new(all);
    let order = (inputs..all.len() as u32).chain(0..inputs).collect();
    let join = Join::new(threshold).keep_order(order, references.len());
    let mut fates = survivors(&mut join.prepare(all.clone(), &Stage::silent()).unwrap(), &Stage::silent()).unwrap();
    share_fates(writer.parts(), &all, inputs, &references, &mut fates).unwrap();
    let first = writer.next_serial();
    let growth = Growth::new(&threshold, &all, inputs, &references, &fates, first);
    let new = |(serial, &document): (u64, &u32)| NewDocument {
        id: &ids[document as usize],
        serial,
        set: Elements::Numbers(all.set(document)),
    };
    let documents: Vec<NewDocument> = (first..).zip(&growth.kept).map(new).collect();
    let part = NewPart::new(&documents, growth.removed, &threshold).unwrap();
    let staged = writer.stage(u128::from(first), &part, &Answer::default(), &Silent).unwrap();
    writer.commit(Some(staged)).unwrap();
    writer.merge_if_due(&Silent).unwrap();
}

fn matches(folder: &Path, set: &[u64]) -> Vec<(String, u32)> {
    let index = IndexFolder::open(folder).unwrap();
    let (parts, mut found) = (index.parts(), Vec::new());
    parts
        .find(set, parts.threshold(), u64::MAX, &mut FindScratch::default(), |part, one| {
            let id = parts.id(Place { part, document: one.document }).unwrap();
            found.push((id.to_string(), one.common));
        })
        .unwrap();
    found
}

#[derive(Clone, Debug)]
enum Step {
    Add(Vec<Vec<u64>>),
    Remove(usize),
    Merge,
}

fn set() -> impl Strategy<Value = Vec<u64>> {
    prop::collection::btree_set(0..9u64, 0..7).prop_map(|set| set.into_iter().collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_folder_as_memory(
        steps in prop::collection::vec(
            prop_oneof![
                6 => prop::collection::vec(set(), 0..6).prop_map(Step::Add),
                3 => (0..40usize).prop_map(Step::Remove),
                1 => Just(Step::Merge),
            ],
            0..14,
        ),
        measure in prop::sample::select(vec![Measure::Jaccard, Measure::Cosine, Measure::Containment]),
        asked in prop::collection::vec(set(), 1..6),
        held in prop::option::of(0..3_000_000u64),
    ) {
        let threshold = Threshold::new(measure, "2/3").unwrap();
        let temporary = tempfile::tempdir().unwrap();
        let folder = temporary.path().join("index");
        let mut memory = MemoryIndex::new(threshold);
        let mut next = 0;
        for step in std::iter::once(Step::Add(Vec::new())).chain(steps) {
            match step {
                Step::Add(sets) => {
                    let ids: Vec<String> = (next..next + sets.len()).map(|id| id.to_string()).collect();
                    next += sets.len();
                    let _: Vec<Settled> = memory.add(&ids, &SetStore::of_sets(&sets).unwrap()).unwrap();
                    add(&folder, threshold, &ids, &sets, held);
                }
                Step::Remove(id) => {
                    memory.remove(&id.to_string()).unwrap();
                    let mut writer = IndexWriter::open(&folder).unwrap();
                    let mut serials = Vec::new();
                    writer.parts().find_id(&id.to_string(), &mut serials).unwrap();
                    writer.take_out(&serials).unwrap();
                    writer.commit(None).unwrap();
                }
                Step::Merge => {
                    memory.merge_all().unwrap();
                    let mut writer = IndexWriter::open(&folder).unwrap();
                    writer.limit(held);
                    writer.merge_all(&Silent).unwrap();
                }
            }
            prop_assert_eq!(IndexFolder::open(&folder).unwrap().parts().len(), memory.parts().len());
            for set in &asked {
                let mut expected = Vec::new();
                let each = |id: &str, one: lookalike::engine::Found| expected.push((id.to_string(), one.common));
                memory.find(set, &threshold, &mut FindScratch::default(), each).unwrap();
                prop_assert_eq!(matches(&folder, set), expected);
            }
        }
    }
}

/// A reader sees a batch whole or not at all, and its files stay readable while a writer merges them.
#[test]
fn readers_while_a_writer_works() {
    let threshold = Threshold::new(Measure::Jaccard, "1").unwrap();
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    let batch = |number: u64| -> Vec<Vec<u64>> { (0..10).map(|set| vec![number * 100 + set]).collect() };
    let ids: Vec<String> = (0..10).map(|id| id.to_string()).collect();
    add(folder, threshold, &ids, &batch(0), None);
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            (1..40).for_each(|number| add(folder, threshold, &ids, &batch(number), Some(number << 16)));
            done.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        let mut before = 0;
        while !done.load(std::sync::atomic::Ordering::Relaxed) {
            let index = IndexFolder::open(folder).unwrap();
            let count = index.parts().len();
            assert!(count.is_multiple_of(10) && count >= before, "{count} after {before}");
            before = count;
            for number in 0..count / 10 {
                let mut found = 0;
                let set = [number * 100 + 3];
                index.parts().find(&set, &threshold, u64::MAX, &mut FindScratch::default(), |_, _| found += 1).unwrap();
                assert_eq!(found, 1);
            }
        }
    });
}
