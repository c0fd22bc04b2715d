//! Both indexes against brute force, over streams with late, repeated, equal and removed documents.

use proptest::prelude::*;

use super::*;
use crate::measure::{Measure, Threshold};

/// A document of the stream.
struct Came {
    set: Vec<u64>,
    time: i64,
    arrival: usize,
    is_there: bool,
}

/// The window by its definition.
struct Plain {
    threshold: Threshold,
    span: Span,
    compare_with: CompareWith,
    newest: Option<i64>,
    came: Vec<Came>,
}

/// The expected verdict: the kind, and the document, similarity and age of every match.
type Judged = (VerdictKind, Vec<(usize, f64, i64)>);

impl Plain {
    fn judge(&mut self, set: &[u64], time: i64, adds: bool) -> Judged {
        let (segment, reach) = (self.span.segment(time), self.span.segments());
        if adds {
            self.newest = Some(self.newest.map_or(segment, |newest| newest.max(segment)));
        }
        let arrival = self.came.len();
        let newest = self.newest.unwrap_or(segment);
        if segment < newest - reach {
            if adds {
                self.came.push(Came { set: Vec::new(), time, arrival, is_there: false });
            }
            return (VerdictKind::Old, Vec::new());
        }
        let common = |came: &Came| set.iter().filter(|element| came.set.contains(element)).count() as u32;
        let in_window = |came: &&Came| {
            let other = self.span.segment(came.time);
            came.is_there && other >= newest - reach && (other - segment).abs() <= reach
        };
        let mut matches: Vec<(&Came, u32)> = self
            .came
            .iter()
            .filter(in_window)
            .map(|came| (came, common(came)))
            .filter(|(came, common)| {
                *common > 0 && self.threshold.reaches(*common, set.len() as u32, came.set.len() as u32)
            })
            .collect();
        matches.sort_by(|(one, in_one), (two, in_two)| {
            let equal = |came: &Came| came.set == set;
            let size = |came: &Came| came.set.len() as u32;
            let by_similarity = self.threshold.compare(set.len() as u32, (*in_two, size(two)), (*in_one, size(one)));
            equal(two).cmp(&equal(one)).then(by_similarity).then(one.arrival.cmp(&two.arrival))
        });
        let kind = match matches.first() {
            None => VerdictKind::New,
            Some((came, _)) if came.set == set => VerdictKind::Exact,
            Some(_) => VerdictKind::Near,
        };
        let similarity =
            |came: &Came, common| self.threshold.similarity(common, set.len() as u32, came.set.len() as u32);
        let found = matches.iter().map(|(came, common)| (came.arrival, similarity(came, *common), time - came.time));
        let judged = (kind, found.collect());
        if adds {
            let is_there = !set.is_empty() && (kind == VerdictKind::New || self.compare_with == CompareWith::All);
            self.came.push(Came { set: set.to_vec(), time, arrival, is_there });
        }
        judged
    }
}

/// A step of the test.
#[derive(Clone, Debug)]
enum Event {
    Add(Vec<u64>, i64),
    Query(Vec<u64>, i64),
    /// Removes one of the earlier documents.
    Remove(usize),
}

/// Sets made from each other, with times that mostly advance and sometimes jump.
fn events() -> impl Strategy<Value = Vec<Event>> {
    let set = prop_oneof![
        6 => prop::collection::btree_set(0u64..12, 0..8),
        3 => prop::collection::btree_set(0u64..200, 30..60),
        1 => Just((0..40).collect()),
    ];
    let step = prop_oneof![8 => 0i64..30, 2 => -150i64..0, 1 => 0i64..400];
    let what = prop_oneof![8 => Just(0u8), 2 => Just(1), 1 => Just(2)];
    prop::collection::vec((set, step, what, 0usize..60), 0..60).prop_map(|made| {
        let mut time = -50;
        let mut last: Vec<u64> = Vec::new();
        made.into_iter()
            .map(|(set, step, what, which)| {
                let at = time + step;
                time = time.max(at);
                // Often slightly changed, or the same again.
                let mut set: Vec<u64> = if which % 3 == 0 { last.clone() } else { set.into_iter().collect() };
                if which % 6 == 0 && !set.is_empty() {
                    set.remove(which % set.len());
                }
                last = set.clone();
                // Elements are hashes.
                let mut set: Vec<u64> = set.into_iter().map(crate::sets::mix).collect();
                set.sort_unstable();
                match what {
                    0 => Event::Add(set, at),
                    1 => Event::Query(set, at),
                    _ => Event::Remove(which),
                }
            })
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn as_by_brute_force(
        events in events(),
        measure in prop::sample::select(vec![Measure::Max, Measure::Jaccard, Measure::Cosine, Measure::Dice, Measure::Containment, Measure::Overlap]),
        value in 1u32..=10,
        window in 0i64..200,
        segment in 1i64..60,
        accepted: bool,
        saves in any::<u64>(),
        refusals in any::<u64>(),
    ) {
        let value = if measure == Measure::Overlap { value.to_string() } else { format!("{value}/10") };
        let threshold = Threshold::new(measure, &value).unwrap();
        let span = Span::new(window, segment).unwrap();
        let compare_with = if accepted { CompareWith::Accepted } else { CompareWith::All };
        let mut plain = Plain { threshold, span, compare_with, newest: None, came: Vec::new() };
        let kinds = [WindowIndex::Prefix, WindowIndex::Bitmaps];
        let mut windows = kinds.map(|kind| SetWindow::new(threshold, span).unwrap().with_index(kind).comparing_with(compare_with));
        // By document and window, where it is, if it was added.
        let mut places: Vec<[Option<DocumentRef>; 2]> = Vec::new();
        for (number, event) in events.into_iter().enumerate() {
            if saves >> number & 1 == 1 {
                windows[0] = read_again(&windows[0]);
            }
            match event {
                Event::Add(set, time) => {
                    let expected = plain.judge(&set, time, true);
                    if refusals >> number & 1 == 1 {
                        // A refused document leaves no trace.
                        for (number, window) in windows.iter_mut().enumerate() {
                            let mut seen = None;
                            let refused = window.add_if(&set, time, |verdict| {
                                seen = Some(judged(verdict, &places, number));
                                Err::<(), _>("refused")
                            });
                            prop_assert_eq!((refused.is_err(), seen), (true, Some(expected.clone())));
                        }
                    }
                    let verdicts = [0, 1].map(|number| windows[number].add(&set, time));
                    for (number, verdict) in verdicts.iter().enumerate() {
                        prop_assert_eq!(judged(verdict, &places, number), expected.clone(), "{:?}", kinds[number]);
                    }
                    places.push([verdicts[0].document, verdicts[1].document]);
                }
                Event::Query(set, time) => {
                    let expected = plain.judge(&set, time, false);
                    for number in [0, 1] {
                        let verdict = windows[number].query(&set, time);
                        prop_assert_eq!(judged(&verdict, &places, number), expected.clone(), "{:?}", kinds[number]);
                    }
                }
                Event::Remove(which) if which < places.len() => {
                    let came = &mut plain.came[which];
                    let newest = plain.newest.unwrap_or(0);
                    let was_there = came.is_there && span.segment(came.time) >= newest - span.segments();
                    came.is_there = false;
                    for number in [0, 1] {
                        let is_removed = places[which][number].is_some_and(|at| windows[number].remove(at));
                        prop_assert_eq!(is_removed, was_there);
                    }
                }
                Event::Remove(_) => {}
            }
            let newest = plain.newest.unwrap_or(0);
            let expected = plain.came.iter().filter(|came| came.is_there && span.segment(came.time) >= newest - span.segments());
            let expected = expected.count();
            prop_assert!(windows.iter().all(|window| window.len() == expected));
        }
    }
}

/// Sets with more common elements than a byte counts, close to the threshold: both indexes find the same.
#[test]
fn large_sets() {
    for (measure, value) in
        [(Measure::Max, "0.8"), (Measure::Jaccard, "0.5"), (Measure::Containment, "0.9"), (Measure::Overlap, "700")]
    {
        let threshold = Threshold::new(measure, value).unwrap();
        let kinds = [WindowIndex::Prefix, WindowIndex::Bitmaps];
        let mut windows =
            kinds.map(|kind| SetWindow::new(threshold, Span::new(1000, 100).unwrap()).unwrap().with_index(kind));
        let mut found = 0;
        for number in 0..240u64 {
            let size = [300, 700, 1_000, 3_000, 25_000][number as usize % 5];
            // A few families of each size, whose members lose some of the first elements and gain their own.
            let first = (number % 5) << 40 | (number / 5 % 3) << 32;
            let changed = size / 5 + number % 7 - 3;
            let (lost, won) = if number % 2 == 0 { (changed, changed) } else { (changed / 2, number % 11) };
            let own = (1 << 50 | number << 20)..(1 << 50 | number << 20) + won;
            let mut set: Vec<u64> = (first + lost..first + size).chain(own).map(crate::sets::mix).collect();
            set.sort_unstable();
            let [one, two] = windows.each_mut().map(|window| window.add(&set, 7 * number as i64));
            assert_eq!((one.kind, &one.matches), (two.kind, &two.matches), "{measure} {number}");
            found += one.matches.len();
        }
        assert!(found > 200, "{measure}: {found}");
    }
}

fn saved(window: &SetWindow) -> Vec<u8> {
    let mut bytes = Vec::new();
    window.save(&mut bytes).unwrap();
    bytes
}

/// The same window, saved and loaded.
fn read_again(window: &SetWindow) -> SetWindow {
    let mut again = window.emptied();
    again.load(&mut &saved(window)[..]).unwrap();
    again
}

#[test]
fn what_is_written_is_what_this_version_reads() {
    let span = Span::new(100, 10).unwrap();
    let mut window = SetWindow::new(Threshold::new(Measure::Max, "0.8").unwrap(), span).unwrap();
    for n in 0..300u64 {
        let mut set: Vec<u64> = (n % 7..n % 7 + 40 + n).map(crate::sets::mix).collect();
        set.sort_unstable();
        window.add(&set, n as i64);
    }
    let bytes = saved(&window);
    assert_eq!(saved(&read_again(&window)), bytes);
    // If this number changes, the format has changed: increase VERSION too.
    assert_eq!((bytes.len(), crate::sets::hash_token(&bytes)), (94_509, 4_574_057_860_357_342_942));
    // Truncated bytes, and those of a window with other settings, are rejected.
    for length in (0..bytes.len()).step_by(101) {
        assert!(window.emptied().load(&mut &bytes[..length]).is_err());
    }
    let mut other = SetWindow::new(Threshold::new(Measure::Max, "0.7").unwrap(), span).unwrap();
    assert!(other.load(&mut &bytes[..]).is_err());
    assert!(window.with_index(WindowIndex::Bitmaps).save(&mut Vec::new()).is_err());
}

#[test]
fn a_segment_has_bytes_as_long_as_it_is_there() {
    for kind in [WindowIndex::Prefix, WindowIndex::Bitmaps] {
        let threshold = Threshold::new(Measure::Max, "0.8").unwrap();
        let mut window = SetWindow::new(threshold, Span::new(10, 10).unwrap()).unwrap().with_index(kind);
        window.add(&[1, 2, 3], 0);
        let few = window.segment_bytes(0);
        (1..100).for_each(|n| drop(window.add(&[n, 1000 * n, 2000 * n], 1)));
        assert!(few > 0 && window.segment_bytes(0) > 2 * few, "{kind:?}");
        window.add(&[1], 20);
        assert_eq!(window.segment_bytes(0), 0);
    }
}

/// Converts a verdict to the form of the definition.
fn judged(verdict: &SetVerdict, places: &[[Option<DocumentRef>; 2]], number: usize) -> Judged {
    let who = |at: DocumentRef| places.iter().rposition(|place| place[number] == Some(at)).unwrap();
    (verdict.kind, verdict.matches.iter().map(|found| (who(found.document), found.similarity, found.age)).collect())
}
