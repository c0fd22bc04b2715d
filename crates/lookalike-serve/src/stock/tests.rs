//! A stock that is closed, opened, and on a disk that fails.

use lookalike::VerdictKind;
use lookalike::engine::{SetWindow, Span};
use lookalike::engine::SetMaker;
use lookalike::{Measure, Threshold};
use proptest::prelude::*;

use super::*;
use crate::log::{Faults, faults};

fn open(folder: &Path) -> Stock {
    let span = Span::new(100, 20).unwrap();
    let window = SetWindow::new(Threshold::new(Measure::Max, "0.7").unwrap(), span).unwrap();
    let (stock, opened) = Stock::open(folder, window, recipe()).unwrap();
    assert_eq!((opened.log.cut, opened.log.damaged.len(), opened.missing, opened.lost), (0, 0, 0, None));
    stock
}

fn recipe() -> Recipe {
    Recipe { tokens: "letters:2".parse().unwrap(), ..Recipe::default() }
}

fn incoming(id: &str, text: &str, time: i64) -> Incoming {
    let set = SetMaker::new(recipe()).set(text).to_vec();
    Incoming { id: id.to_string(), time, source: id.get(1..).map(String::from), text: text.to_string(), set }
}

/// All numbers but those of bytes: there is more room in memory that grew than in memory that was asked for.
fn told(stock: &Stock) -> String {
    let mut figures = stock.figures();
    figures.segments.iter_mut().for_each(|row| row.bytes = 0);
    format!("{} {figures:?} {:?}", stock.len(), stock.news(5))
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

/// What is done to a stock, if anything.
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

fn restart_by(how: &Restart, stock: Stock, folder: &Path) -> Stock {
    let path = folder.join("window.snapshot");
    match how {
        Restart::None => return stock,
        Restart::Crash => drop(stock),
        _ => stock.close().unwrap(),
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
            let (other, _) = Stock::open(folder, window.unwrap(), recipe()).unwrap();
            other.close().unwrap();
        }
        _ => (),
    }
    open(folder)
}

proptest! {
    /// A stock that is closed and opened again at any moment answers as one that never was: with the snapshot that it left, with one of
    /// some time before, without one, and with one that is not whole any more.
    #[test]
    fn restarts_change_nothing(events in events(), restarts in prop::collection::vec(restart(), 50)) {
        let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let mut plain = open(folders[0].path());
        let mut restarted = open(folders[1].path());
        for (at, event) in events.into_iter().enumerate() {
            let [one, two] = [&mut plain, &mut restarted].map(|stock| {
                let answer = match &event {
                    Event::Add(id, text, time) => format!("{:?}", stock.add(incoming(&id.to_string(), text, *time))),
                    Event::Query(text, time) => {
                        let document = incoming("?", text, *time);
                        format!("{:?}", stock.query("?", &document.set, *time))
                    }
                    Event::Remove(id) => format!("{:?}", stock.remove(&id.to_string())),
                };
                stock.commit().unwrap();
                stock.tidy().unwrap();
                let got: Vec<_> = (0..30).map(|id| stock.get(&id.to_string()).unwrap()).collect();
                format!("{answer} {:?} {got:?} {}", stock.duplicates(3, 4).unwrap(), told(stock))
            });
            prop_assert_eq!(one, two);
            restarted = restart_by(&restarts[at], restarted, folders[1].path());
        }
    }
}

/// What was taken by one reading has no elements by the next: then documents have other slots.
#[test]
fn another_reading() {
    let folder = tempfile::tempdir().unwrap();
    let open = |tokens: &str| {
        let span = Span::new(100, 20).unwrap();
        let window = SetWindow::new(Threshold::new(Measure::Max, "0.7").unwrap(), span).unwrap();
        let recipe = Recipe { tokens: tokens.parse().unwrap(), ..Recipe::default() };
        (Stock::open(folder.path(), window, recipe).unwrap().0, recipe)
    };
    let (mut stock, recipe) = open("raw");
    for (id, text) in [("x", "…"), ("a", "abcdefgh"), ("b", "stuvwxyz")] {
        let set = SetMaker::new(recipe).set(text).to_vec();
        stock.add(Incoming { set, ..incoming(id, text, 5) }).unwrap();
    }
    stock.remove("x").unwrap();
    stock.close().unwrap();
    for _ in 0..3 {
        let (mut stock, recipe) = open("letters:2");
        let ask = |stock: &mut Stock, text| stock.query("?", SetMaker::new(recipe).set(text), 5).of;
        assert_eq!(ask(&mut stock, "abcdefgh").as_deref(), Some("a"));
        assert_eq!(ask(&mut stock, "stuvwxyz").as_deref(), Some("b"));
        stock.close().unwrap();
    }
}

/// Similarities are not numbers that come out even.
#[test]
fn what_is_read_again_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let text = |length: usize| (0..length).map(|n| format!("{}{}", n % 7, n % 89)).collect::<String>();
    let mut stock = open(folder.path());
    let answers: Vec<Verdict> =
        (50..150).map(|n| stock.add(incoming(&n.to_string(), &text(n), 7 * n as i64 % 60)).unwrap()).collect();
    stock.commit().unwrap();
    assert!(answers.iter().any(|answer| answer.similarity.is_some_and(|similarity| similarity < 1.0)));
    drop(stock);
    let stock = open(folder.path());
    for answer in answers {
        assert_eq!(stock.get(&answer.id).unwrap().unwrap().answer, answer);
    }
}

#[test]
fn the_last_that_came() {
    let folder = tempfile::tempdir().unwrap();
    let mut stock = open(folder.path());
    assert_eq!(stock.last().unwrap(), None);
    for (id, time) in [("a", 500), ("b", 520), ("older than the window", 0)] {
        stock.add(incoming(id, id, time)).unwrap();
        stock.commit().unwrap();
        assert_eq!(stock.last().unwrap().unwrap().answer.id, id);
    }
    drop(stock);
    let stock = open(folder.path());
    assert_eq!(stock.last().unwrap().unwrap().answer.id, "older than the window");
    assert!(stock.has("a") && !stock.has("c"));
}

#[test]
fn an_id_that_comes_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut stock = open(folder.path());
    let first = stock.add(incoming("a", "abcdefgh", 0)).unwrap();
    stock.commit().unwrap();
    assert_eq!(stock.add(incoming("a", "abcdefgh", 5)).unwrap(), first);
    assert!(matches!(stock.add(incoming("a", "something else", 5)), Err(StockError::IdTaken(_))));
    assert!(stock.remove("a").unwrap() && !stock.remove("a").unwrap());
    assert_eq!(stock.add(incoming("a", "something else", 5)).unwrap().kind, VerdictKind::New);
}

/// A stock whose log could not grow now and then is as one that was never asked for what was refused.
#[test]
fn what_does_not_fit_was_never_there() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let [mut plain, mut full] = folders.each_ref().map(|folder| open(folder.path()));
    let mut removed = 0;
    for n in 0..200u32 {
        let (id, text) = (n.to_string(), ["abcdefgh", "abcdefgx", "stuvwxyz"][n as usize % 3]);
        // Time goes on, and what is refused would have moved it further.
        let time = i64::from(n) * 3;
        let is_refused = n % 7 == 3;
        if is_refused {
            faults::set(Faults { room: Some(full.log.end().offset + u64::from(n % 90)), ..Faults::default() });
            assert!(matches!(
                full.add(incoming(&id, text, time + 1_000)),
                Err(StockError::Log(LogError::Write { .. }))
            ));
            // For some there is room enough to be deleted.
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
        assert_eq!(told(&plain), told(&full), "{n}");
    }
    assert!((1..28).contains(&removed), "{removed}");
    full.close().unwrap();
    assert_eq!(told(&plain), told(&open(folders[1].path())));
}

/// What was not synced is still there, and is written again.
#[test]
fn a_sync_that_fails() {
    let folder = tempfile::tempdir().unwrap();
    let mut stock = open(folder.path());
    let first = stock.add(incoming("a", "abcdefgh", 0)).unwrap();
    faults::set(Faults { no_syncs: true, ..Faults::default() });
    assert!(matches!(stock.commit(), Err(StockError::Log(LogError::Sync { .. }))));
    assert!(stock.trouble().is_some_and(|reason| reason.contains("cannot sync")));
    // Nothing is taken, and what is there is read.
    assert!(stock.add(incoming("b", "abcdefgh", 0)).is_err());
    assert_eq!(stock.get("a").unwrap().unwrap().answer, first);
    assert_eq!(stock.query("?", &incoming("?", "abcdefgh", 0).set, 0).of.as_deref(), Some("a"));
    stock.try_again();
    assert!(stock.trouble().is_some());
    faults::set(Faults::default());
    stock.try_again();
    assert_eq!(stock.trouble(), None);
    drop(stock);
    let mut stock = open(folder.path());
    assert_eq!(stock.get("a").unwrap().unwrap().answer, first);
    assert_eq!(stock.add(incoming("b", "abcdefgh", 0)).unwrap().of.as_deref(), Some("a"));
}

/// One that is short may fit where a longer one does not: then it is not over yet.
#[test]
fn trouble_ends_when_as_much_fits() {
    let folder = tempfile::tempdir().unwrap();
    let mut stock = open(folder.path());
    faults::set(Faults { room: Some(stock.log.end().offset + 300), ..Faults::default() });
    assert!(stock.add(incoming("long", &"abcdefgh".repeat(50), 0)).is_err());
    stock.add(incoming("a", "abcdefgh", 0)).unwrap();
    stock.try_again();
    assert!(stock.trouble().is_some());
    faults::set(Faults::default());
    stock.add(incoming("long", &"abcdefgh".repeat(50), 0)).unwrap();
    assert_eq!(stock.trouble(), None);
    stock.commit().unwrap();
}

#[test]
fn how_much_is_lost() {
    let opened = |folder: &Path| {
        let window = SetWindow::new(Threshold::new(Measure::Max, "0.7").unwrap(), Span::new(100, 20).unwrap()).unwrap();
        Stock::open(folder, window, recipe()).unwrap()
    };
    let folder = tempfile::tempdir().unwrap();
    let mut stock = open(folder.path());
    let mut ends = Vec::new();
    for n in 0..10 {
        stock.add(incoming(&format!("d{n}"), "abcdefgh", n)).unwrap();
        stock.commit().unwrap();
        ends.push(stock.log.end());
    }
    drop(stock);
    let path = folder.path().join("00000001.log");
    let whole = std::fs::read(&path).unwrap();

    // Two thirds of it are left, and that is told until something else is there.
    std::fs::write(&path, &whole[..ends[6].offset as usize + 5]).unwrap();
    for cut in [5, 0] {
        let (mut stock, found) = opened(folder.path());
        stock.commit().unwrap();
        let lost = Lost { was: ends[9], is: ends[6], documents: 3 };
        assert_eq!((found.log.cut, found.missing, found.lost), (cut, 0, Some(lost)));
        assert_eq!(found.last, Some((6, "d6".to_string())));
    }
    // Or the beginning is gone, or something in the middle.
    let mut damaged = whole.clone();
    damaged[30] ^= 1;
    damaged[ends[4].offset as usize + 20] ^= 1;
    std::fs::write(&path, damaged).unwrap();
    let (_, found) = opened(folder.path());
    assert_eq!((found.log.damaged.len(), found.missing, found.lost), (2, 2, None));
    // What was being written was not acknowledged.
    std::fs::write(&path, [&whole[..], &whole[30..70]].concat()).unwrap();
    let (_, found) = opened(folder.path());
    assert_eq!((found.log.cut, found.missing, found.lost, found.is_end_known), (40, 0, None, true));
    // Versions before this one left no mark.
    std::fs::remove_file(folder.path().join("reached")).unwrap();
    std::fs::write(&path, &whole[..ends[6].offset as usize + 5]).unwrap();
    let (_, found) = opened(folder.path());
    assert_eq!((found.log.cut, found.lost, found.is_end_known), (5, None, false));
}

/// A log that the first version wrote, with everything that can be in one.
#[test]
fn a_log_of_the_first_version() {
    let folder = tempfile::tempdir().unwrap();
    let log = include_bytes!("../../tests/data/version-1.log");
    std::fs::write(folder.path().join("00000001.log"), log).unwrap();
    let hour = 3_600_000;
    let span = Span::new(24 * hour, hour).unwrap();
    let window = SetWindow::new(Threshold::new(Measure::Max, "0.8").unwrap(), span).unwrap();
    let recipe = Recipe { tokens: "letters:4".parse().unwrap(), ..Recipe::default() };
    let (mut stock, opened) = Stock::open(folder.path(), window, recipe).unwrap();
    let last = Some((4, "old".to_string()));
    assert_eq!((opened.log.records, opened.log.cut, opened.missing, opened.last), (6, 0, 0, last));
    let got = |stock: &Stock, id| stock.get(id).unwrap().map(|added| (added.answer.kind, added.answer.of));
    assert_eq!(got(&stock, "a"), Some((VerdictKind::New, None)));
    assert_eq!(got(&stock, "b"), Some((VerdictKind::Exact, Some("a".to_string()))));
    assert_eq!(got(&stock, "7"), Some((VerdictKind::Near, Some("a".to_string()))));
    assert_eq!(got(&stock, "old"), Some((VerdictKind::Old, None)));
    assert_eq!(got(&stock, "gone"), None);
    let text = "The ferry to the island leaves at nine in the morning, and again at noon.";
    let set = SetMaker::new(recipe).set(text).to_vec();
    assert_eq!(stock.query("?", &set, 1_794_744_000_000).matches.len(), 3);
    // It goes on in the same file.
    stock.add(Incoming { set, ..incoming("next", text, 1_794_744_000_000) }).unwrap();
    stock.commit().unwrap();
    assert!(std::fs::read(folder.path().join("00000001.log")).unwrap().starts_with(log));
}
