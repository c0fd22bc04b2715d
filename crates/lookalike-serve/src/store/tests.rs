//! Stores that are closed, reopened, and on a failing disk.

use std::path::Path;

use lookalike::engine::{Recipe, SetMaker, SetWindow, Span};
use lookalike::{Measure, Threshold, Verdict, VerdictKind};
use proptest::prelude::*;

use super::*;
use crate::log::{Faults, LogError, faults};

fn open(folder: &Path) -> Store {
    let span = Span::new(100, 20).unwrap();
    let window = SetWindow::new(Threshold::new(Measure::Max, "0.7").unwrap(), span).unwrap();
    let (store, opened) = Store::open(folder, window, recipe()).unwrap();
    assert_eq!((opened.log.cut, opened.log.damaged.len(), opened.missing, opened.lost), (0, 0, 0, None));
    store
}

fn recipe() -> Recipe {
    Recipe { tokens: "letters:2".parse().unwrap(), ..Recipe::default() }
}

fn incoming(id: &str, text: &str, time: i64) -> Incoming {
    let set = SetMaker::new(recipe()).set(text).to_vec();
    Incoming { id: id.to_string(), time, source: id.get(1..).map(String::from), text: text.to_string(), set }
}

/// All numbers but those of bytes, which depend on how memory was allocated.
fn numbers(store: &Store) -> String {
    let mut stats = store.stats();
    stats.segments.iter_mut().for_each(|row| row.bytes = 0);
    format!("{} {stats:?} {:?}", store.len(), store.news(5))
}

#[derive(Clone, Debug)]
enum Event {
    Add(u32, String, i64),
    Query(String, i64),
    Remove(u32),
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let text = prop::sample::select(vec!["abcdefgh", "abcdefgx", "abcdefxx", "stuvwxyz", "stuvwxyzz", ""]);
    let step = prop_oneof![5 => 0i64..10, 1 => -80i64..0, 1 => 0i64..90];
    prop::collection::vec((0u8..10, 0u32..30, text, step), 0..50).prop_map(|made| {
        let mut time = 0;
        let mut event = |(what, id, text, step): (u8, u32, &str, i64)| {
            let at = time + step;
            time = time.max(at);
            match what {
                0 => Event::Remove(id),
                1 => Event::Query(text.to_string(), at),
                _ => Event::Add(id, text.to_string(), at),
            }
        };
        made.into_iter().map(&mut event).collect()
    })
}

/// How a store is restarted, if at all.
#[derive(Clone, Debug)]
enum Restart {
    None,
    Crash,
    Close,
    WithoutSnapshot,
    FlipByte(usize),
    CutSnapshot(usize),
    OfOtherSettings,
}

fn restart() -> impl Strategy<Value = Restart> {
    prop_oneof![
        4 => Just(Restart::None),
        2 => Just(Restart::Crash),
        3 => Just(Restart::Close),
        1 => Just(Restart::WithoutSnapshot),
        1 => any::<usize>().prop_map(Restart::FlipByte),
        1 => any::<usize>().prop_map(Restart::CutSnapshot),
        1 => Just(Restart::OfOtherSettings),
    ]
}

fn restart_by(how: &Restart, store: Store, folder: &Path) -> Store {
    let path = folder.join("window.snapshot");
    match how {
        Restart::None => return store,
        Restart::Crash => drop(store),
        _ => store.close().unwrap(),
    }
    match how {
        Restart::WithoutSnapshot => std::fs::remove_file(&path).unwrap(),
        Restart::FlipByte(at) => {
            let mut bytes = std::fs::read(&path).unwrap();
            let at = at % bytes.len();
            bytes[at] ^= 1;
            std::fs::write(&path, bytes).unwrap();
        }
        Restart::CutSnapshot(length) => {
            let bytes = std::fs::read(&path).unwrap();
            std::fs::write(&path, &bytes[..length % bytes.len()]).unwrap();
        }
        Restart::OfOtherSettings => {
            let window = SetWindow::new(Threshold::new(Measure::Max, "0.9").unwrap(), Span::new(100, 20).unwrap());
            let (other, _) = Store::open(folder, window.unwrap(), recipe()).unwrap();
            other.close().unwrap();
        }
        _ => (),
    }
    open(folder)
}

proptest! {
    /// A store that is closed and reopened at any moment gives the same answers as one that is not: with its snapshot, with an older
    /// one, without one, and with a damaged one.
    #[test]
    fn restarts_change_nothing(events in events(), restarts in prop::collection::vec(restart(), 50)) {
        let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let mut plain = open(folders[0].path());
        let mut restarted = open(folders[1].path());
        for (at, event) in events.into_iter().enumerate() {
            let [one, two] = [&mut plain, &mut restarted].map(|store| {
                let verdict = match &event {
                    Event::Add(id, text, time) => format!("{:?}", store.add(incoming(&id.to_string(), text, *time))),
                    Event::Query(text, time) => {
                        let document = incoming("?", text, *time);
                        format!("{:?}", store.query("?", &document.set, *time))
                    }
                    Event::Remove(id) => format!("{:?}", store.remove(&id.to_string())),
                };
                store.commit().unwrap();
                store.tidy().unwrap();
                let got: Vec<_> = (0..30).map(|id| store.get(&id.to_string()).unwrap()).collect();
                format!("{verdict} {:?} {got:?} {}", store.duplicates(3, 4).unwrap(), numbers(store))
            });
            prop_assert_eq!(one, two);
            restarted = restart_by(&restarts[at], restarted, folders[1].path());
        }
    }
}

/// With another recipe, a document may have no elements. Then documents have other slots.
#[test]
fn another_recipe() {
    let folder = tempfile::tempdir().unwrap();
    let open = |tokens: &str| {
        let span = Span::new(100, 20).unwrap();
        let window = SetWindow::new(Threshold::new(Measure::Max, "0.7").unwrap(), span).unwrap();
        let recipe = Recipe { tokens: tokens.parse().unwrap(), ..Recipe::default() };
        (Store::open(folder.path(), window, recipe).unwrap().0, recipe)
    };
    let (mut store, recipe) = open("raw");
    for (id, text) in [("x", "…"), ("a", "abcdefgh"), ("b", "stuvwxyz")] {
        let set = SetMaker::new(recipe).set(text).to_vec();
        store.add(Incoming { set, ..incoming(id, text, 5) }).unwrap();
    }
    store.remove("x").unwrap();
    store.close().unwrap();
    for _ in 0..3 {
        let (mut store, recipe) = open("letters:2");
        let ask = |store: &mut Store, text| store.query("?", SetMaker::new(recipe).set(text), 5).of;
        assert_eq!(ask(&mut store, "abcdefgh").as_deref(), Some("a"));
        assert_eq!(ask(&mut store, "stuvwxyz").as_deref(), Some("b"));
        store.close().unwrap();
    }
}

/// Similarities survive a round trip through JSON.
#[test]
fn verdicts_are_read_back_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let text = |length: usize| (0..length).map(|n| format!("{}{}", n % 7, n % 89)).collect::<String>();
    let mut store = open(folder.path());
    let verdicts: Vec<Verdict> =
        (50..150).map(|n| store.add(incoming(&n.to_string(), &text(n), 7 * n as i64 % 60)).unwrap()).collect();
    store.commit().unwrap();
    assert!(verdicts.iter().any(|verdict| verdict.similarity.is_some_and(|similarity| similarity < 1.0)));
    drop(store);
    let store = open(folder.path());
    for verdict in verdicts {
        assert_eq!(store.get(&verdict.id).unwrap().unwrap().verdict, verdict);
    }
}

#[test]
fn the_latest_document() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(folder.path());
    assert_eq!(store.last().unwrap(), None);
    for (id, time) in [("a", 500), ("b", 520), ("older than the window", 0)] {
        store.add(incoming(id, id, time)).unwrap();
        store.commit().unwrap();
        assert_eq!(store.last().unwrap().unwrap().verdict.id, id);
    }
    drop(store);
    let store = open(folder.path());
    assert_eq!(store.last().unwrap().unwrap().verdict.id, "older than the window");
    assert!(store.has("a") && !store.has("c"));
}

#[test]
fn an_id_that_comes_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(folder.path());
    let first = store.add(incoming("a", "abcdefgh", 0)).unwrap();
    store.commit().unwrap();
    assert_eq!(store.add(incoming("a", "abcdefgh", 5)).unwrap(), first);
    assert!(matches!(store.add(incoming("a", "something else", 5)), Err(StoreError::IdTaken(_))));
    assert!(store.remove("a").unwrap() && !store.remove("a").unwrap());
    assert_eq!(store.add(incoming("a", "something else", 5)).unwrap().kind, VerdictKind::New);
}

/// A store whose disk is full at times is the same as one that never got the refused documents.
#[test]
fn refused_documents_leave_no_trace() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let [mut plain, mut full] = folders.each_ref().map(|folder| open(folder.path()));
    let mut removed = 0;
    for n in 0..200u32 {
        let (id, text) = (n.to_string(), ["abcdefgh", "abcdefgx", "stuvwxyz"][n as usize % 3]);
        // A refused document has a later time, and must not move the window.
        let time = i64::from(n) * 3;
        let is_refused = n % 7 == 3;
        if is_refused {
            faults::set(Faults { room: Some(full.log.end().offset + u64::from(n % 90)), ..Faults::default() });
            assert!(matches!(
                full.add(incoming(&id, text, time + 1_000)),
                Err(StoreError::Log(LogError::Write { .. }))
            ));
            // Sometimes a deletion still fits.
            let is_removed = full.remove(&(n - 1).to_string()).is_ok();
            removed += u32::from(is_removed);
            faults::set(Faults::default());
            if is_removed {
                plain.remove(&(n - 1).to_string()).unwrap();
            }
            full.try_again();
            assert_eq!(full.trouble(), None);
        } else {
            let document = || incoming(&id, text, time);
            assert_eq!(plain.add(document()).unwrap(), full.add(document()).unwrap());
        }
        plain.commit().unwrap();
        full.commit().unwrap();
        assert_eq!(numbers(&plain), numbers(&full), "{n}");
    }
    assert!((1..28).contains(&removed), "{removed}");
    full.close().unwrap();
    assert_eq!(numbers(&plain), numbers(&open(folders[1].path())));
}

/// Documents that were not synced are still there, and are written again.
#[test]
fn a_sync_that_fails() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(folder.path());
    let first = store.add(incoming("a", "abcdefgh", 0)).unwrap();
    faults::set(Faults { no_syncs: true, ..Faults::default() });
    assert!(matches!(store.commit(), Err(StoreError::Log(LogError::Sync { .. }))));
    assert!(store.trouble().is_some_and(|reason| reason.contains("cannot sync")));
    // Documents are refused, and reads go on.
    assert!(store.add(incoming("b", "abcdefgh", 0)).is_err());
    assert_eq!(store.get("a").unwrap().unwrap().verdict, first);
    assert_eq!(store.query("?", &incoming("?", "abcdefgh", 0).set, 0).of.as_deref(), Some("a"));
    store.try_again();
    assert!(store.trouble().is_some());
    faults::set(Faults::default());
    store.try_again();
    assert_eq!(store.trouble(), None);
    drop(store);
    let mut store = open(folder.path());
    assert_eq!(store.get("a").unwrap().unwrap().verdict, first);
    assert_eq!(store.add(incoming("b", "abcdefgh", 0)).unwrap().of.as_deref(), Some("a"));
}

/// A short document may fit where a longer one does not; the trouble is then not over.
#[test]
fn trouble_ends_when_as_much_fits() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(folder.path());
    faults::set(Faults { room: Some(store.log.end().offset + 300), ..Faults::default() });
    assert!(store.add(incoming("long", &"abcdefgh".repeat(50), 0)).is_err());
    store.add(incoming("a", "abcdefgh", 0)).unwrap();
    store.try_again();
    assert!(store.trouble().is_some());
    faults::set(Faults::default());
    store.add(incoming("long", &"abcdefgh".repeat(50), 0)).unwrap();
    assert_eq!(store.trouble(), None);
    store.commit().unwrap();
}

#[test]
fn how_much_is_lost() {
    let opened = |folder: &Path| {
        let window = SetWindow::new(Threshold::new(Measure::Max, "0.7").unwrap(), Span::new(100, 20).unwrap()).unwrap();
        Store::open(folder, window, recipe()).unwrap()
    };
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(folder.path());
    let mut ends = Vec::new();
    for n in 0..10 {
        store.add(incoming(&format!("d{n}"), "abcdefgh", n)).unwrap();
        store.commit().unwrap();
        ends.push(store.log.end());
    }
    drop(store);
    let path = folder.path().join("00000001.log");
    let whole = std::fs::read(&path).unwrap();

    // The end is gone. Every start reports it until something new is written.
    std::fs::write(&path, &whole[..ends[6].offset as usize + 5]).unwrap();
    for cut in [5, 0] {
        let (mut store, found) = opened(folder.path());
        store.commit().unwrap();
        let lost = Lost { was: ends[9], is: ends[6], documents: 3 };
        assert_eq!((found.log.cut, found.missing, found.lost), (cut, 0, Some(lost)));
        assert_eq!(found.last, Some((6, "d6".to_string())));
    }
    // A record at the beginning and one in the middle are damaged.
    let mut damaged = whole.clone();
    damaged[30] ^= 1;
    damaged[ends[4].offset as usize + 20] ^= 1;
    std::fs::write(&path, damaged).unwrap();
    let (_, found) = opened(folder.path());
    assert_eq!((found.log.damaged.len(), found.missing, found.lost), (2, 2, None));
    // An unfinished record was never acknowledged.
    std::fs::write(&path, [&whole[..], &whole[30..70]].concat()).unwrap();
    let (_, found) = opened(folder.path());
    assert_eq!((found.log.cut, found.missing, found.lost, found.is_end_known), (40, 0, None, true));
    // Earlier versions left no mark.
    std::fs::remove_file(folder.path().join("reached")).unwrap();
    std::fs::write(&path, &whole[..ends[6].offset as usize + 5]).unwrap();
    let (_, found) = opened(folder.path());
    assert_eq!((found.log.cut, found.lost, found.is_end_known), (5, None, false));
}

/// A log of the first version, with every kind of entry.
#[test]
fn a_log_of_the_first_version() {
    let folder = tempfile::tempdir().unwrap();
    let log = include_bytes!("../../tests/data/version-1.log");
    std::fs::write(folder.path().join("00000001.log"), log).unwrap();
    let hour = 3_600_000;
    let span = Span::new(24 * hour, hour).unwrap();
    let window = SetWindow::new(Threshold::new(Measure::Max, "0.8").unwrap(), span).unwrap();
    let recipe = Recipe { tokens: "letters:4".parse().unwrap(), ..Recipe::default() };
    let (mut store, opened) = Store::open(folder.path(), window, recipe).unwrap();
    let last = Some((4, "old".to_string()));
    assert_eq!((opened.log.records, opened.log.cut, opened.missing, opened.last), (6, 0, 0, last));
    let got = |store: &Store, id| store.get(id).unwrap().map(|stored| (stored.verdict.kind, stored.verdict.of));
    assert_eq!(got(&store, "a"), Some((VerdictKind::New, None)));
    assert_eq!(got(&store, "b"), Some((VerdictKind::Exact, Some("a".to_string()))));
    assert_eq!(got(&store, "7"), Some((VerdictKind::Near, Some("a".to_string()))));
    assert_eq!(got(&store, "old"), Some((VerdictKind::Old, None)));
    assert_eq!(got(&store, "gone"), None);
    let text = "The ferry to the island leaves at nine in the morning, and again at noon.";
    let set = SetMaker::new(recipe).set(text).to_vec();
    assert_eq!(store.query("?", &set, 1_794_744_000_000).matches.len(), 3);
    // New records go to the same file.
    store.add(Incoming { set, ..incoming("next", text, 1_794_744_000_000) }).unwrap();
    store.commit().unwrap();
    assert!(std::fs::read(folder.path().join("00000001.log")).unwrap().starts_with(log));
}
