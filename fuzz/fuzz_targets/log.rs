//! A service that starts with files of arbitrary bytes recovers the whole records and accepts new ones. A second start recovers the same.
#![no_main]

use std::fs;
use std::path::Path;

use libfuzzer_sys::fuzz_target;
use lookalike::engine::{Recipe, SetWindow, Span};
use lookalike::{Measure, Threshold};
use lookalike_serve::log::{Log, Recovered};
use lookalike_serve::store::Store;

const FORMAT: &[u8] = b"lookalike log, version 1\n";

fuzz_target!(|bytes: &[u8]| {
    let (choice, rest) = bytes.split_first().unwrap_or((&0, &[]));
    let folder = tempfile::tempdir().expect("temporary space");
    let folder = folder.path();
    if choice & 1 == 0 {
        // One or two files of arbitrary bytes.
        let cut = usize::from(choice >> 2).min(rest.len());
        write(folder, 1, if choice & 2 == 0 { FORMAT } else { b"" }, &rest[cut..]);
        if cut > 0 {
            write(folder, 2, FORMAT, &rest[..cut]);
        }
        recover(folder);
    } else {
        // Whole records with arbitrary content.
        let (mut log, _) = Log::open(folder, |_, _| {}).expect("an empty folder");
        for line in rest.split(|&byte| byte == b'\n') {
            log.append(line).expect("a short line");
        }
        log.commit().expect("temporary space");
    }
    replay(folder);
});

fn write(folder: &Path, number: u32, head: &[u8], bytes: &[u8]) {
    fs::write(folder.join(format!("{number:08}.log")), [head, bytes].concat()).expect("temporary space");
}

/// Recovers the log.
fn recover(folder: &Path) {
    let open = || {
        let mut records = Vec::new();
        Log::open(folder, |_, payload| records.push(payload.to_vec())).map(|(log, found)| (log, found, records))
    };
    let Ok((mut log, Recovered { damaged, .. }, mut records)) = open() else { return };
    let place = log.append(b"one more").and_then(|place| log.commit().map(|()| place)).expect("temporary space");
    assert_eq!(log.read(place).expect("what was written"), b"one more");
    drop(log);
    records.push(b"one more".to_vec());
    let (_, again, found) = open().expect("what was opened before");
    assert_eq!((found, again.cut, again.damaged), (records, 0, damaged));
}

/// Replays the log in a store.
fn replay(folder: &Path) {
    let open = || {
        let threshold = Threshold::new(Measure::Max, "0.7").expect("a threshold");
        let window = SetWindow::new(threshold, Span::new(100, 20).expect("a span")).expect("a window");
        Store::open(folder, window, Recipe::default())
    };
    let Ok((store, _)) = open() else { return };
    let numbers = (store.len(), store.window().len(), store.window().oldest());
    store.close().expect("temporary space");
    // With a snapshot, and without.
    for _ in 0..2 {
        let (store, _) = open().expect("what was opened before");
        assert_eq!((store.len(), store.window().len(), store.window().oldest()), numbers);
        drop(store);
        let _ = fs::remove_file(folder.join("window.snapshot"));
    }
}
