//! Is an index in memory as before if a call that adds documents is cancelled, whenever that is?

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use lookalike::engine::{MemoryIndex, Progress, SetStore, Settled, Silent, Unit};
use lookalike::{Measure, Threshold};

/// Is cancelled after it was asked so often whether it is, and knows the stage in which that was.
struct After {
    left: AtomicU64,
    stage: Mutex<&'static str>,
}

impl After {
    fn checks(checks: u64) -> After {
        After { left: checks.into(), stage: Mutex::new("") }
    }
}

impl Progress for After {
    fn begin(&self, stage: &'static str, _: u64, _: Unit) {
        *self.stage.lock().unwrap() = stage;
    }

    fn is_cancelled(&self) -> bool {
        self.left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_err()
    }
}

const BATCH: u64 = 20;

/// Sets of which some resemble others, and their ids.
fn batch(number: u64) -> (Vec<String>, SetStore) {
    let first = number * BATCH;
    let sets = (first..first + BATCH).map(|set| (set / 3 * 10..set / 3 * 10 + 12 + set % 3).collect::<Vec<u64>>());
    ((first..first + BATCH).map(|id| id.to_string()).collect(), SetStore::of_sets(sets).unwrap())
}

/// An index of so many parts: one less than are merged. Documents were taken out, some of them from a part that is merged.
fn grown() -> MemoryIndex {
    let mut index = MemoryIndex::new(Threshold::new(Measure::Jaccard, "3/4").unwrap());
    for number in 0..7 {
        let (ids, sets) = batch(number);
        index.add(&ids, &sets).unwrap();
    }
    assert!(index.remove("0").unwrap() + index.remove("45").unwrap() == 2);
    index
}

/// All that an index is: its documents, part by part, what is remembered, and what was taken out.
fn described(index: &MemoryIndex) -> String {
    let parts = index.parts().parts().iter().map(|part| {
        let document = |at| (part.serial(at).unwrap(), part.id(at).unwrap(), part.size(at).unwrap());
        let remembered = |at| format!("{:?}", part.remembered_at(at).unwrap());
        let documents = (0..part.len()).map(document).collect::<Vec<_>>();
        (documents, (0..part.remembered()).map(remembered).collect::<Vec<_>>())
    });
    format!("{:?} without {:?}", parts.collect::<Vec<_>>(), index.parts().gone())
}

/// Adds new documents, and replaces two.
fn add(index: &mut MemoryIndex, progress: &dyn Progress) -> Option<Vec<Settled>> {
    let (mut ids, sets) = batch(7);
    ids[0] = "60".to_string();
    ids[5] = "3".to_string();
    match index.replace(&ids, &sets, progress) {
        Ok(settled) => Some(settled),
        Err(error) => {
            assert_eq!(lookalike::Error::from(error), lookalike::Error::Cancelled);
            None
        }
    }
}

#[test]
fn a_cancelled_addition_leaves_the_index_as_it_was() {
    let (mut whole, mut index) = (grown(), grown());
    let (before, expected) = (described(&index), add(&mut whole, &Silent).unwrap());
    assert_eq!((index.parts().parts().len(), whole.parts().parts().len()), (7, 1));
    let mut stages: Vec<&str> = Vec::new();
    let settled = (0..).find_map(|checks| {
        let after = After::checks(checks);
        let settled = add(&mut index, &after);
        if settled.is_none() {
            assert_eq!(described(&index), before, "after {checks} checks");
            stages.push(after.stage.into_inner().unwrap());
        }
        settled
    });
    let cancelled = |stage| stages.iter().filter(|&&one| one == stage).count();
    for stage in ["asking index", "comparing", "writing index", "merging"] {
        assert!(cancelled(stage) > 1, "{stage}: {stages:?}");
    }
    // More often than there are documents.
    assert!(cancelled("merging") as u64 > 7 * BATCH / 3, "{stages:?}");
    assert_eq!((settled.unwrap(), described(&index)), (expected, described(&whole)));
}
