//! Logs that are reopened, cut short, damaged, and written to a failing disk.

use std::fs::File;
use std::path::Path;

use proptest::prelude::*;

use super::layout::{FORMAT, path_of};
use super::*;

/// Opens a log, and collects its records.
fn opened(folder: &Path) -> (Log, Recovered, Vec<(Place, Vec<u8>)>) {
    let mut records = Vec::new();
    let (log, recovered) = Log::open_with(folder, Lock::take(folder).unwrap(), 300, |place, payload| {
        records.push((place, payload.to_vec()))
    })
    .unwrap();
    (log, recovered, records)
}

fn payloads(records: &[(Place, Vec<u8>)]) -> Vec<Vec<u8>> {
    records.iter().map(|(_, payload)| payload.clone()).collect()
}

proptest! {
    /// All records are read back, in several files and after several restarts. Only uncommitted ones may be missing.
    #[test]
    fn committed_records_are_read_back(
        runs in prop::collection::vec(prop::collection::vec(prop::collection::vec(any::<u8>(), 0..80), 0..8), 0..5),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let mut expected: Vec<Vec<u8>> = Vec::new();
        for run in runs {
            let (mut log, recovered, records) = opened(folder.path());
            prop_assert_eq!(payloads(&records), expected.clone());
            prop_assert_eq!((recovered.cut, recovered.damaged.len()), (0, 0));
            for payload in run {
                let place = log.append(&payload).unwrap();
                log.commit().unwrap();
                log.begin_next_if_large().unwrap();
                prop_assert_eq!(log.read(place).unwrap(), payload.clone());
                expected.push(payload);
            }
            for (place, payload) in records {
                prop_assert_eq!(log.read(place).unwrap(), payload);
            }
            // The end of a process loses nothing that was written.
            log.append(b"never committed").unwrap();
            expected.push(b"never committed".to_vec());
        }
    }

    /// However much of the last file is missing, the records before the cut are there, and the log can be appended to.
    #[test]
    fn a_torn_tail_is_cut_off(count in 1usize..12, cut in 1u64..400) {
        let folder = tempfile::tempdir().unwrap();
        let written: Vec<Vec<u8>> = (0..count).map(|n| vec![n as u8 + 1; 11 * n % 60 + 1]).collect();
        let (mut log, ..) = opened(folder.path());
        for payload in &written {
            log.append(payload).unwrap();
            log.commit().unwrap();
            log.begin_next_if_large().unwrap();
        }
        let last = path_of(folder.path(), log.end().file);
        drop(log);
        let length = std::fs::metadata(&last).unwrap().len();
        let left = length.saturating_sub(cut);
        File::options().write(true).open(&last).unwrap().set_len(left).unwrap();
        let (mut log, recovered, records) = opened(folder.path());
        let there = payloads(&records);
        prop_assert!(written.starts_with(&there));
        prop_assert!(recovered.damaged.is_empty());
        // Whole records are not cut off.
        let place = log.append(b"and on").unwrap();
        log.commit().unwrap();
        prop_assert_eq!(log.read(place).unwrap(), b"and on");
        drop(log);
        let (_, recovered, records) = opened(folder.path());
        prop_assert_eq!((recovered.cut, records.len()), (0, there.len() + 1));
    }

    /// A flipped bit is found, and costs only the record it is in.
    #[test]
    fn a_flipped_bit_is_found(flip in 0usize..2000) {
        let folder = tempfile::tempdir().unwrap();
        let written: Vec<Vec<u8>> = (0..20).map(|n| format!("record number {n}").into_bytes()).collect();
        let (mut log, ..) = opened(folder.path());
        for payload in &written {
            log.append(payload).unwrap();
            log.commit().unwrap();
            log.begin_next_if_large().unwrap();
        }
        drop(log);
        let first = path_of(folder.path(), 1);
        let mut bytes = std::fs::read(&first).unwrap();
        let flip = flip % (8 * bytes.len());
        bytes[flip / 8] ^= 1 << (flip % 8);
        std::fs::write(&first, &bytes).unwrap();
        if flip / 8 < FORMAT.len() {
            prop_assert!(matches!(Log::open_with(folder.path(), Lock::take(folder.path()).unwrap(), 300, |_, _| ()), Err(LogError::Format(_))));
            return Ok(());
        }
        let (_, recovered, records) = opened(folder.path());
        let there = payloads(&records);
        prop_assert_eq!(there.len(), written.len() - 1);
        prop_assert!(there.iter().all(|payload| written.contains(payload)));
        prop_assert_eq!(recovered.damaged.len(), 1);
    }
}

#[test]
fn one_process_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let (log, ..) = opened(folder.path());
    assert!(matches!(Log::open(folder.path(), |_, _| ()), Err(LogError::InUse(_))));
    drop(log);
    assert!(Log::open(folder.path(), |_, _| ()).is_ok());
}

#[test]
fn old_files_are_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let (mut log, ..) = opened(folder.path());
    let places: Vec<Place> = (0..40)
        .map(|_| {
            let place = log.append(&[7; 50]).unwrap();
            log.begin_next_if_large().unwrap();
            place
        })
        .collect();
    let (first, last) = (places[0], places[39]);
    assert!(last.file > 3);
    log.forget_before(last.file).unwrap();
    assert!(log.read(first).is_err());
    assert_eq!(log.read(last).unwrap(), [7; 50]);
    drop(log);
    assert!(opened(folder.path()).2.len() < 40);
}

#[test]
fn other_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("00000001.log"), "something else entirely, and longer\n").unwrap();
    assert!(matches!(Log::open(folder.path(), |_, _| ()), Err(LogError::Format(_))));
    // A crash while the first line was being written.
    std::fs::write(folder.path().join("00000001.log"), "looka").unwrap();
    assert_eq!(opened(folder.path()).1.cut, 5);
}

/// An operation on a log or on the disk under it.
#[derive(Clone, Debug)]
enum Step {
    Append(usize),
    Commit,
    Disk(Faults),
    Probe(usize),
    /// The process ends, and another opens the log.
    Crash,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let faults = (prop::option::of(30u64..400), any::<bool>(), any::<bool>())
        .prop_map(|(room, no_cuts, no_syncs)| Step::Disk(Faults { room, no_cuts, no_syncs }));
    let step = prop_oneof![
        8 => (0usize..60).prop_map(Step::Append),
        4 => Just(Step::Commit),
        2 => faults,
        2 => Just(Step::Disk(Faults::default())),
        1 => (0usize..100).prop_map(Step::Probe),
        1 => Just(Step::Crash),
    ];
    prop::collection::vec(step, 0..60)
}

proptest! {
    /// Whatever the disk does, committed records are there, refused ones are not, nothing is damaged, and all appended records can be read.
    #[test]
    fn committed_records_survive_disk_failures(steps in steps()) {
        let folder = tempfile::tempdir().unwrap();
        let (mut log, ..) = opened(folder.path());
        let (mut added, mut committed): (Vec<(Place, Vec<u8>)>, usize) = (Vec::new(), 0);
        for (number, step) in steps.into_iter().chain([Step::Disk(Faults::default()), Step::Commit, Step::Crash]).enumerate() {
            match step {
                Step::Append(length) => {
                    let payload = vec![number as u8 + 1; length];
                    if let Ok(place) = log.append(&payload) {
                        added.push((place, payload));
                    }
                }
                Step::Commit => {
                    if log.commit().is_ok() {
                        committed = added.len();
                        // A file that cannot be started leaves nothing behind.
                        let _ = log.begin_next_if_large();
                    }
                }
                Step::Disk(faults) => faults::set(faults),
                Step::Probe(bytes) => _ = log.probe(bytes),
                Step::Crash => {
                    faults::set(Faults::default());
                    drop(log);
                    let (again, recovered, records) = opened(folder.path());
                    log = again;
                    prop_assert!(recovered.damaged.is_empty(), "{:?}", recovered);
                    prop_assert!(records.len() >= committed && added.starts_with(&records), "{} of {}", records.len(), committed);
                    added.truncate(records.len());
                    committed = added.len();
                }
            }
            for (place, payload) in &added {
                prop_assert_eq!(&log.read(*place).unwrap(), payload);
            }
        }
        prop_assert_eq!(committed, added.len());
    }
}

#[test]
fn full_and_failed_disks_are_distinguished() {
    let folder = tempfile::tempdir().unwrap();
    let (mut log, ..) = opened(folder.path());
    log.append(b"there").unwrap();
    faults::set(Faults { room: Some(80), ..Faults::default() });
    let error = log.append(&[7; 50]).unwrap_err();
    assert!(error.is_full() && error.to_string().starts_with("cannot write "), "{error}");
    assert!(log.probe(50).unwrap_err().is_full() && log.probe(5).is_ok());
    faults::set(Faults { no_syncs: true, ..Faults::default() });
    let error = log.commit().unwrap_err();
    assert!(!error.is_full() && error.to_string().starts_with("cannot sync "), "{error}");
    faults::set(Faults::default());
    log.commit().unwrap();
    drop(log);
    assert_eq!(payloads(&opened(folder.path()).2), [b"there"]);
}
