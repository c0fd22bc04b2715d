//! Is an index unharmed if work on it is cancelled, whenever that is?

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use lookalike::engine::{Elements, NewDocument, NewPart, Progress, Silent, Unit};
use lookalike::{Measure, Threshold};

use super::{Answer, IndexError, IndexFolder, IndexWriter, Settings};
use crate::extract::Extraction;

/// Is cancelled after it was asked so often whether it is.
#[derive(Default)]
struct After {
    left: AtomicU64,
    total: AtomicU64,
    reached: AtomicU64,
}

impl After {
    fn checks(checks: u64) -> After {
        After { left: checks.into(), ..After::default() }
    }
}

impl Progress for After {
    fn begin(&self, _: &'static str, total: u64, _: Unit) {
        self.total.store(total, Relaxed);
    }

    fn reach(&self, done: u64) {
        assert!(done <= self.total.load(Relaxed), "{done} of {}", self.total.load(Relaxed));
        self.reached.fetch_max(done, Relaxed);
    }

    fn is_cancelled(&self) -> bool {
        self.left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_err()
    }
}

const PART: u64 = 40;

fn threshold() -> Threshold {
    Threshold::new(Measure::Jaccard, "1/2").unwrap()
}

fn open(folder: &Path, memory: Option<u64>) -> IndexWriter {
    let settings = Settings::new(&threshold(), &Extraction::default(), &[]);
    let mut writer = IndexWriter::open_or_create(folder, settings).unwrap();
    writer.limit(memory);
    writer
}

/// Adds a part of different documents, and takes one of them out.
fn add(writer: &mut IndexWriter, progress: &dyn Progress) -> Result<(), IndexError> {
    let (first, threshold) = (writer.next_serial(), threshold());
    let sets: Vec<Vec<u64>> = (first..first + PART).map(|serial| (serial * 10..serial * 10 + 13).collect()).collect();
    let ids: Vec<String> = (first..first + PART).map(|serial| serial.to_string()).collect();
    let documents: Vec<NewDocument> = (first..)
        .zip(ids.iter().zip(&sets))
        .map(|(serial, (id, set))| NewDocument { id, serial, set: Elements::Numbers(set) })
        .collect();
    let part = NewPart::new(&documents, Vec::new(), &threshold).unwrap().limited(*writer.parts().limits());
    let answer = Answer { documents: PART as u32, removed: Vec::new() };
    let staged = writer.stage(first.into(), &part, &answer, progress)?;
    writer.commit(Some(staged)).unwrap();
    writer.take_out(&[first + 3]).unwrap();
    writer.commit(None)
}

/// The files of the index.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let file = |entry: fs::DirEntry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap());
    entries.map(file).filter(|(name, _)| name != "lock").collect()
}

/// Numbers of checks: all of the first ones, then some.
fn moments() -> impl Iterator<Item = u64> {
    (0..50).chain((5..100).map(|n: u64| n * n * 2))
}

/// An index of several parts, of which documents were taken out, and its files.
fn several(folder: &Path, parts: usize) -> BTreeMap<String, Vec<u8>> {
    let mut writer = open(folder, None);
    (0..parts).for_each(|_| add(&mut writer, &Silent).unwrap());
    drop(writer);
    files(folder)
}

/// Each with much memory, and with so little that the postings are made in several ranges.
#[test]
fn a_cancelled_merge_leaves_the_index_as_it_was() {
    for memory in [None, Some(0)] {
        let [temporary, whole] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let before = several(temporary.path(), 4);
        several(whole.path(), 4);
        open(whole.path(), memory).merge_all(&Silent).unwrap();
        let mut cancelled = 0;
        for checks in moments() {
            let after = After::checks(checks);
            let mut writer = open(temporary.path(), memory);
            match writer.merge_all(&after) {
                Err(error) => {
                    assert!(error.is_cancelled(), "{error}");
                    assert_eq!(files(temporary.path()), before, "after {checks} checks");
                    cancelled += 1;
                }
                Ok(()) => {
                    assert_eq!(after.total.into_inner(), 4 * PART);
                    assert!(after.reached.into_inner() >= 4 * (PART - 1), "all but those that were taken out");
                    break;
                }
            }
            assert_eq!(writer.parts().len(), 4 * (PART - 1));
        }
        assert!(cancelled > 50, "{cancelled}");
        assert_eq!(files(temporary.path()), files(whole.path()));
        IndexFolder::open(temporary.path()).unwrap().check(&Silent).unwrap();
    }
}

#[test]
fn a_cancelled_batch_is_not_in() {
    let temporary = tempfile::tempdir().unwrap();
    let before = several(temporary.path(), 1);
    let mut cancelled = 0;
    for checks in moments() {
        let mut writer = open(temporary.path(), None);
        if add(&mut writer, &After::checks(checks)).is_ok() {
            break;
        }
        drop(writer);
        assert_eq!(files(temporary.path()), before, "after {checks} checks");
        cancelled += 1;
    }
    assert!(cancelled > 50, "{cancelled}");
    assert_eq!(IndexFolder::open(temporary.path()).unwrap().parts().len(), 2 * (PART - 1));
}

/// A batch is in before parts are merged. So a request to stop leaves the parts, and is no error.
#[test]
fn parts_that_are_due_stay_if_merging_them_is_cancelled() {
    let temporary = tempfile::tempdir().unwrap();
    let before = several(temporary.path(), 8);
    let mut left = 0;
    for checks in moments() {
        let mut writer = open(temporary.path(), None);
        writer.merge_if_due(&After::checks(checks)).unwrap();
        if writer.parts().parts().len() < 8 {
            break;
        }
        assert_eq!(files(temporary.path()), before, "after {checks} checks");
        left += 1;
    }
    assert!(left > 50, "{left}");
    let index = IndexFolder::open(temporary.path()).unwrap();
    assert_eq!((index.parts().parts().len(), index.parts().len()), (1, 8 * (PART - 1)));
}

#[test]
fn a_check_can_be_cancelled() {
    let temporary = tempfile::tempdir().unwrap();
    several(temporary.path(), 3);
    let index = IndexFolder::open(temporary.path()).unwrap();
    let mut cancelled = 0;
    for checks in moments() {
        let after = After::checks(checks);
        match index.check(&after) {
            Err(error) => assert!(error.is_cancelled(), "{error}"),
            Ok(()) => {
                let total = after.total.into_inner();
                assert_eq!((total, after.reached.into_inner()), (3 * PART, 3 * PART));
                break;
            }
        }
        cancelled += 1;
    }
    assert!(cancelled > 50, "{cancelled}");
}
