//! A service starts with any snapshot that has a valid checksum, and uses or ignores it.
#![no_main]

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use lookalike::engine::{Recipe, SetMaker, SetWindow, Span};
use lookalike::{Measure, Threshold};
use lookalike_serve::store::{Incoming, Store};
use xxhash_rust::xxh3::xxh3_64;

/// The bytes of a log, the bytes of its snapshot, and the length of the snapshot's header.
static WRITTEN: LazyLock<(Vec<u8>, Vec<u8>, usize)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("temporary space");
    let mut store = open(folder.path());
    for (id, text, time) in [
        ("a", "the ferry leaves at nine in the morning from the old harbour", 5),
        ("b", "the ferry leaves at nine in the morning from the new harbour", 7),
        ("c", "rain in the north", 30),
        ("d", "the ferry leaves at nine in the morning from the old harbour", 55),
        ("e", "", 60),
    ] {
        let set = SetMaker::new(Recipe::default()).set(text).to_vec();
        let (id, text, source) = (id.to_string(), text.to_string(), None);
        store.add(Incoming { id, time, source, text, set }).expect("a document");
    }
    store.remove("c").expect("temporary space");
    store.close().expect("temporary space");
    let read = |name| fs::read(folder.path().join(name)).expect("what was written");
    let snapshot = read("window.snapshot");
    let head = snapshot.split_inclusive(|&byte| byte == b'\n').take(3).map(<[u8]>::len).sum();
    (read("00000001.log"), snapshot, head)
});

fn open(folder: &Path) -> Store {
    let threshold = Threshold::new(Measure::Max, "0.7").expect("a threshold");
    let window = SetWindow::new(threshold, Span::new(100, 20).expect("a span")).expect("a window");
    Store::open(folder, window, Recipe::default()).expect("a log that is whole").0
}

fuzz_target!(|bytes: &[u8]| {
    let (log, snapshot, head) = &*WRITTEN;
    let (choice, rest) = bytes.split_first().unwrap_or((&0, &[]));
    // Change a few bytes, or replace all.
    let mut body = if choice & 1 == 0 {
        let mut body = snapshot[*head..snapshot.len() - 8].to_vec();
        for change in rest.chunks_exact(3) {
            let at = usize::from(u16::from_le_bytes([change[0], change[1]])) % body.len();
            body[at] = change[2];
        }
        body
    } else {
        rest.to_vec()
    };
    body.splice(0..0, snapshot[..*head].iter().copied());
    body.extend(xxh3_64(&body).to_le_bytes());
    let folder = tempfile::tempdir().expect("temporary space");
    fs::write(folder.path().join("00000001.log"), log).expect("temporary space");
    fs::write(folder.path().join("window.snapshot"), body).expect("temporary space");
    let store = open(folder.path());
    assert_eq!(store.len(), 4);
});
