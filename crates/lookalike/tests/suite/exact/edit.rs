//! The edit distance join finds exactly the pairs that the textbook finds, with their distances.

use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};

use lookalike::engine::{EditJoin, Fate, PairSource, PaperAlgorithm, SetPair, Side, Stage, Texts, survivors};
use proptest::prelude::*;

use crate::oracle::with_threads;

/// The distance by the table of all beginnings (Wagner and Fischer).
fn textbook(x: &str, y: &str) -> u32 {
    let y: Vec<char> = y.chars().collect();
    let mut row: Vec<u32> = (0..=y.len() as u32).collect();
    for (i, a) in x.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i as u32 + 1;
        for (j, &b) in y.iter().enumerate() {
            let replaced = diagonal + u32::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[y.len()]
}

/// Which documents are compared: all, or those of different collections, or those of one group.
#[derive(Clone, Debug, Default)]
struct Rules {
    split: Option<u32>,
    within: Option<Vec<u64>>,
}

fn pairs_by_definition(texts: &[String], distance: u32, rules: &Rules) -> Vec<SetPair> {
    let mut pairs = Vec::new();
    for b in 0..texts.len() {
        for a in (0..b).filter(|&a| !texts[a].is_empty() && !texts[b].is_empty()) {
            let across = rules.split.is_none_or(|split| (a as u32) < split && b as u32 >= split);
            if across && rules.within.as_ref().is_none_or(|groups| groups[a] == groups[b]) {
                let pair = SetPair { a: a as u32, b: b as u32, common: textbook(&texts[a], &texts[b]) };
                pairs.extend(Some(pair).filter(|pair| pair.common <= distance));
            }
        }
    }
    pairs.sort();
    pairs
}

fn join(texts: &Texts, distance: u32, q: u32, rules: &Rules) -> Vec<SetPair> {
    ruled(distance, q, rules).pairs(texts.clone()).unwrap()
}

fn ruled(distance: u32, q: u32, rules: &Rules) -> EditJoin {
    let join = EditJoin::new(distance).grams(NonZeroU32::new(q)).within(rules.within.clone().unwrap_or_default());
    rules.split.map_or(join.clone(), |split| join.across(split))
}

/// The pairs of some texts, on sides, of those that stand for their equals.
fn join_among(texts: &Texts, distance: u32, among: &[(u32, Side)]) -> Vec<SetPair> {
    let found = Mutex::new(Vec::new());
    let mut source = EditJoin::new(distance).prepare(Arc::new(texts.clone()));
    let add = |some: &[SetPair]| found.lock().unwrap().extend_from_slice(some);
    source.pairs_among(among, &Stage::silent(), &add).unwrap();
    let mut found = found.into_inner().unwrap();
    found.sort_unstable();
    found
}

#[derive(Clone, Debug)]
enum Edit {
    Insert(char),
    Delete,
    Replace(char),
}

fn edited(text: &str, edits: &[(Edit, prop::sample::Index)]) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for (edit, at) in edits {
        let at = at.index(characters.len() + 1);
        match *edit {
            Edit::Insert(character) => characters.insert(at, character),
            Edit::Replace(character) if at < characters.len() => characters[at] = character,
            Edit::Delete if at < characters.len() => drop(characters.remove(at)),
            _ => (),
        }
    }
    characters.into_iter().collect()
}

/// Texts over two letters, over ASCII, or over characters of one to four bytes and combining marks; most of them edited copies.
fn collections() -> impl Strategy<Value = Vec<String>> {
    let ascii: Vec<char> = (' '..='~').collect();
    let many: Vec<char> = "aeßé\u{301}\u{308}ñЖא漢字か한𝒳😀👩\u{200d}\0".chars().collect();
    let lengths = prop_oneof![Just(0..4usize), Just(0..12), Just(0..40), Just(60..70), Just(30..200)];
    (prop::sample::select(vec![vec!['a', 'b'], vec!['a', 'é'], ascii, many]), lengths).prop_flat_map(
        |(alphabet, lengths)| {
            let character = prop::sample::select(alphabet);
            let edit = prop_oneof![
                character.clone().prop_map(Edit::Insert),
                Just(Edit::Delete),
                character.clone().prop_map(Edit::Replace),
            ];
            let fresh = proptest::collection::vec(character, lengths).prop_map(String::from_iter);
            let edits = proptest::collection::vec((edit, any::<prop::sample::Index>()), 0..8);
            let copy = proptest::option::weighted(0.7, (any::<prop::sample::Index>(), edits));
            proptest::collection::vec((fresh, copy), 0..24).prop_map(|drafts| {
                let mut texts: Vec<String> = Vec::new();
                for (fresh, copy) in drafts {
                    texts.push(match copy {
                        Some((of, edits)) if !texts.is_empty() => edited(&texts[of.index(texts.len())], &edits),
                        _ => fresh,
                    });
                }
                texts
            })
        },
    )
}

/// Rules for up to as many documents as a collection has.
fn rules() -> impl Strategy<Value = Rules> {
    let groups = proptest::collection::vec(0..3u64, 24);
    (proptest::option::of(0..24u32), proptest::option::of(groups)).prop_map(|(split, within)| Rules { split, within })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2500))]

    #[test]
    fn pairs_are_those_of_the_textbook(texts in collections(), rules in rules(), distance in 0..7u32, q in 0..5u32) {
        let expected = pairs_by_definition(&texts, distance, &rules);
        let collection: Texts = texts.iter().collect();
        for threads in [1, 3] {
            let found = with_threads(threads, || join(&collection, distance, q, &rules));
            prop_assert_eq!(&found, &expected);
        }
    }

    /// The PPJoin paper's own way finds the same, with candidates for every pair.
    #[test]
    fn pairs_by_the_papers_bounds(texts in collections(), rules in rules(), distance in 0..7u32, q in 0..5u32) {
        let expected = pairs_by_definition(&texts, distance, &rules);
        let collection: Texts = texts.iter().collect();
        let mut candidates = Vec::new();
        for algorithm in PaperAlgorithm::ALL {
            let join = ruled(distance, q, &rules).paper(Some(algorithm));
            prop_assert_eq!(&join.clone().pairs(collection.clone()).unwrap(), &expected, "{:?}", algorithm);
            let counts = join.prepare(Arc::new(collection.clone())).pairs(&Stage::silent(), &|_| ()).unwrap();
            prop_assert!(counts.verified >= counts.results);
            candidates.push(counts.after_suffix);
        }
        prop_assert!(candidates[2] <= candidates[1] && candidates[1] <= candidates[0], "{:?}", candidates);
    }

    /// As a source of pairs: some texts on sides, and who survives.
    #[test]
    fn a_source_like_others(
        texts in collections(),
        distance in 0..5u32,
        sides in proptest::collection::vec(proptest::option::of(prop::sample::select(vec![Side::First, Side::Second, Side::Both])), 24),
    ) {
        let collection: Texts = texts.iter().collect();
        let all = pairs_by_definition(&texts, distance, &Rules::default());
        let is_first = |at: usize| !texts[at].is_empty() && !texts[..at].contains(&texts[at]);
        let side = |at: u32| sides.get(at as usize).copied().flatten().filter(|_| is_first(at as usize));
        let among: Vec<(u32, Side)> = (0..texts.len() as u32).filter_map(|at| Some((at, side(at)?))).collect();
        let faces = |pair: &&SetPair| side(pair.a).zip(side(pair.b)).is_some_and(|(one, two)| one.faces(two));
        let expected: Vec<SetPair> = all.iter().filter(faces).copied().collect();
        prop_assert_eq!(join_among(&collection, distance, &among), expected);

        let mut source = EditJoin::new(distance).prepare(Arc::new(collection));
        let fates = survivors(&mut source, &Stage::silent()).unwrap();
        let mut kept: Vec<u32> = Vec::new();
        for document in 0..texts.len() as u32 {
            let near = |&&other: &&u32| all.iter().any(|pair| (pair.a, pair.b) == (other, document));
            let text = &texts[document as usize];
            let is_copy = !text.is_empty() && texts[..document as usize].contains(text);
            let is_kept = !is_copy && !kept.iter().any(|other| near(&other));
            prop_assert_eq!(fates[document as usize] == Fate::Kept, is_kept);
            kept.extend(is_kept.then_some(document));
        }
    }

    #[test]
    fn distances_are_those_of_the_textbook(texts in collections()) {
        let (front, back) = texts.split_at(texts.len() / 2);
        let mut collection: Texts = front.iter().collect();
        collection.append(&back.iter().collect());
        prop_assert_eq!(collection.len(), texts.len());
        for (b, y) in texts.iter().enumerate() {
            prop_assert_eq!(collection.length(b as u32) as usize, y.chars().count());
            for (a, x) in texts[..b].iter().enumerate() {
                let distance = textbook(x, y);
                for most in [0, 1, 2, 3, 5, 8, 13, 500, u32::MAX] {
                    let expected = (distance <= most).then_some(distance);
                    prop_assert_eq!(collection.distance(a as u32, b as u32, most), expected);
                    prop_assert_eq!(collection.distance(b as u32, a as u32, most), expected);
                }
            }
        }
    }
}

/// Numbers that are always the same.
fn random() -> impl FnMut(usize) -> usize {
    let mut seed = 7u64;
    move |below| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % below
    }
}

/// Lengths around those of vectors and machine words, in both widths and in one of each, with edits at both ends and within.
#[test]
fn distances_around_whole_words() {
    let mut random = random();
    let lengths = [1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257];
    for (length, wide) in lengths.into_iter().flat_map(|length| [(length, false), (length, true)]) {
        for edits in 0..6 {
            let letter = |number: usize| char::from(b'a' + number as u8);
            let x: String = (0..length).map(|_| letter(random(3))).collect();
            let mut y: Vec<char> = x.chars().collect();
            for _ in 0..edits {
                let at = [0, y.len(), random(y.len() + 1)][random(3)];
                match random(3) {
                    0 => y.insert(at, letter(random(3))),
                    1 if at < y.len() => drop(y.remove(at)),
                    _ => y.push(if wide { '漢' } else { letter(random(3)) }),
                }
            }
            let y = String::from_iter(y);
            let (texts, distance) = ([&x, &y].into_iter().collect::<Texts>(), textbook(&x, &y));
            for most in 0..9 {
                assert_eq!(texts.distance(0, 1, most), (distance <= most).then_some(distance), "{x} {y}");
            }
        }
    }
}

/// Some hundreds of texts, from a letter to a few lines, so that lists are long and all kinds of texts meet.
#[test]
fn a_larger_collection() {
    let mut random = random();
    let mut texts: Vec<String> = Vec::new();
    for number in 0..600 {
        let mut text = if number % 3 == 0 {
            let most = [6, 30, 90][random(3)];
            (0..=random(most)).map(|_| ["a", "e", "n", "t", " ", "ü", "字"][random(7).min(random(7))]).collect()
        } else {
            texts[random(texts.len())].clone()
        };
        for _ in 0..random(4) {
            let at = text.char_indices().map(|(at, _)| at).nth(random(text.len().max(1))).unwrap_or(0);
            if random(2) == 0 && !text.is_empty() {
                text.remove(at);
            } else {
                text.insert(at, 't');
            }
        }
        texts.push(text);
    }
    let collection: Texts = texts.iter().collect();
    for distance in [1, 3] {
        let expected = pairs_by_definition(&texts, distance, &Rules::default());
        assert!(expected.len() > 1000);
        for q in [0, 2, 12] {
            assert!(join(&collection, distance, q, &Rules::default()) == expected, "{distance} {q}");
        }
    }
}

/// Copies cost what their pairs cost to write down: comparing each with each would take minutes.
#[test]
fn many_copies() {
    let (copies, length) = (3000, 2000);
    let one = "the same again ".repeat(length / 15);
    let other = format!("{one}!");
    let texts: Texts = [&one, &other].into_iter().cycle().take(2 * copies).collect();
    let pairs = EditJoin::new(2).pairs(texts).unwrap();
    let equal = pairs.iter().filter(|pair| pair.common == 0).count();
    assert_eq!((equal, pairs.len() - equal), (copies * (copies - 1), copies * copies));
}

/// A hundred thousand characters, of one period and of none; the whole table would have ten billion cells.
#[test]
fn long_texts() {
    let mut random = random();
    let plain: String = (0..100_000).map(|_| char::from(b'a' + random(26) as u8)).collect();
    let (periodic, repeated) = ("ab".repeat(50_000), "a".repeat(100_000));
    for text in [plain, periodic, repeated] {
        let middle = text.len() / 2;
        let near = format!("x{}y{}", &text[..middle], &text[middle + 1..]);
        let far = format!("xx{}yy{}zz", &text[..middle], &text[middle..]);
        let texts: Texts = [&text, &near, &far].into_iter().collect();
        assert_eq!(texts.distance(0, 2, 6), Some(6));
        assert_eq!(texts.distance(0, 2, 5), None);
        let pairs = join(&texts, 3, 0, &Rules::default());
        assert_eq!(pairs, [SetPair { a: 0, b: 1, common: 2 }]);
    }
}

/// A distance beyond all lengths makes a pair of any two texts that are not empty.
#[test]
fn any_distance() {
    let texts: Vec<String> = ["a", "", "bcd", "漢字", "a much longer text than the others"].map(String::from).to_vec();
    let collection: Texts = texts.iter().collect();
    for distance in [40, u32::MAX] {
        let expected = pairs_by_definition(&texts, distance, &Rules::default());
        assert_eq!(expected.len(), 6);
        assert_eq!(join(&collection, distance, 0, &Rules::default()), expected);
    }
}
