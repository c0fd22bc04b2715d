//! Does `pairs --measure edit` find every pair within a distance?

use crate::brute::{Random, printed};
use crate::fixture::{Folder, row};

/// The edit distance by its definition.
pub fn distance(one: &str, two: &str) -> usize {
    let (one, two): (Vec<char>, Vec<char>) = (one.chars().collect(), two.chars().collect());
    let mut above: Vec<usize> = (0..=two.len()).collect();
    for (i, x) in one.iter().enumerate() {
        let mut line = vec![i + 1];
        for (j, y) in two.iter().enumerate() {
            line.push((above[j] + usize::from(x != y)).min(above[j + 1] + 1).min(line[j] + 1));
        }
        above = line;
    }
    above[two.len()]
}

/// Short and longer texts of few letters, many of them copies with a letter changed, some empty.
pub fn texts(count: usize, seed: u64) -> Vec<String> {
    let mut random = Random(seed);
    let letter = |random: &mut Random| ['a', 'b', 'c', 'ü', '漢'][random.below(5) as usize];
    let mut texts: Vec<String> = Vec::new();
    for n in 0..count {
        let mut text: Vec<char> = match random.below(3) {
            0 | 1 if n > 0 => texts[random.below(n as u64) as usize].chars().collect(),
            _ => {
                let longest = if n % 2 == 0 { 6 } else { 30 };
                (0..random.below(longest)).map(|_| letter(&mut random)).collect()
            }
        };
        for _ in 0..random.below(3) {
            let at = random.below(text.len() as u64 + 1) as usize;
            match random.below(3) {
                0 => text.insert(at, letter(&mut random)),
                1 if at < text.len() => _ = text.remove(at),
                _ if at < text.len() => text[at] = letter(&mut random),
                _ => {}
            }
        }
        texts.push(text.into_iter().collect());
    }
    texts
}

pub fn rows(texts: &[String], letter: char) -> String {
    texts.iter().enumerate().map(|(n, text)| row(&format!("{letter}{n}"), text)).collect()
}

fn line(a: &str, b: &str, distance: usize) -> String {
    format!("{{\"a\":\"{a}\",\"b\":\"{b}\",\"distance\":{distance}}}")
}

#[test]
fn those_of_brute_force() {
    let (one, two) = (texts(120, 41), texts(150, 42));
    let folder = Folder::with(&[("one.jsonl", rows(&one, 'a')), ("two.jsonl", rows(&two, 'b'))]);
    let near = |one: &[String], two: &[String], a: usize, b: usize, most: usize| {
        let found = distance(&one[a], &two[b]);
        (!one[a].is_empty() && !two[b].is_empty() && found <= most).then_some(found)
    };
    for most in [0, 1, 2, 3, 7] {
        let mut expected = Vec::new();
        let mut across = Vec::new();
        for a in 0..one.len() {
            for b in a + 1..one.len() {
                expected
                    .extend(near(&one, &one, a, b, most).map(|found| line(&format!("a{a}"), &format!("a{b}"), found)));
            }
            for b in 0..two.len() {
                across
                    .extend(near(&one, &two, a, b, most).map(|found| line(&format!("a{a}"), &format!("b{b}"), found)));
            }
        }
        assert!(expected.len() > 20 && across.len() > 20);
        for q in ["", "--q 1", "--q 2", "--q 5"] {
            let options = format!("--measure edit -t {most} {q} -q");
            assert_eq!(printed(&folder, &format!("pairs one.jsonl {options}")), expected, "{options}");
            assert_eq!(printed(&folder, &format!("pairs one.jsonl --with two.jsonl {options}")), across, "{options}");
        }
    }
}

#[test]
fn distinct_texts_and_limits() {
    let texts = ["kitten", "sitting", "kitten", "", "mitten", "sitting"];
    let rows: String = texts.iter().enumerate().map(|(n, text)| row(&n.to_string(), text)).collect();
    let folder = Folder::with(&[("in.jsonl", &rows), ("other.jsonl", &rows.replace("kitten", "kittens"))]);
    let pairs = |options: &str| printed(&folder, &format!("pairs in.jsonl --measure edit -t 3 {options} -q"));
    assert_eq!(pairs("--distinct"), [line("0", "1", 3), line("0", "4", 1), line("1", "4", 3)]);
    let across = [line("0", "0", 1), line("0", "1", 3), line("0", "4", 1), line("1", "0", 3), line("1", "4", 3)];
    let mut across = across.to_vec();
    across.extend([line("4", "0", 2), line("4", "1", 3)]);
    assert_eq!(pairs("--with other.jsonl --distinct"), across);
    assert_eq!(pairs("--limit-per-document 1"), [line("0", "1", 3), line("2", "4", 1)]);
    let run = folder.run("pairs in.jsonl --measure edit -t 3 -o pairs.csv").ends(0);
    assert_eq!(folder.text("pairs.csv").lines().next(), Some("a,b,distance"));
    run.says("10 pairs, 2 of them identical; 3 distinct texts, joined by edit")
        .says("edit ≤ 3 on characters, exact")
        .says("1 empty (not compared)")
        .says("\ndistance     pairs\n");
    let report = folder.printing("pairs in.jsonl --measure edit -t 3 -o pairs.csv --force --json", "").ends(0).json();
    assert_eq!((&report["measure"], &report["threshold"]), (&"edit".into(), &3.0.into()));
}

/// Texts are brought to their normal form, as for any other measure.
#[test]
fn what_counts_as_a_difference() {
    let texts = ["Zürich  am See", "zu\u{308}rich am\tsee ", "ZURICH AM SEE", "ｚürich am see"];
    let rows: String = texts.iter().enumerate().map(|(n, text)| row(&n.to_string(), text)).collect();
    let folder = Folder::with(&[("in.jsonl", rows)]);
    let pairs = |options: &str| printed(&folder, &format!("pairs in.jsonl --measure edit {options} -q"));
    assert_eq!(pairs("-t 0"), [line("0", "1", 0), line("0", "3", 0), line("1", "3", 0)]);
    assert_eq!(pairs("-t 1").len(), 6);
    assert_eq!(pairs("-t 2 --case keep"), [line("0", "1", 2), line("0", "3", 2), line("1", "3", 0)]);
}

#[test]
fn within_fields() {
    let row =
        |id: &str, city: &str, name: &str| format!("{{\"id\":\"{id}\",\"city\":\"{city}\",\"name\":\"{name}\"}}\n");
    let rows =
        [row("1", "x", "Jon"), row("2", "y", "John"), row("3", "x", "John"), row("4", "y", "Jon"), row("5", "z", "A")];
    let folder = Folder::with(&[("in.jsonl", rows.concat())]);
    let found = printed(&folder, "pairs in.jsonl --text name --within city --measure edit -t 4 -q");
    assert_eq!(found, [line("1", "3", 1), line("2", "4", 1)]);
}

#[test]
fn the_nearest_without_a_threshold() {
    let texts = texts(60, 43);
    let folder = Folder::with(&[("in.jsonl", rows(&texts, 'd'))]);
    for distinct in [false, true] {
        let mut all = Vec::new();
        for b in 0..texts.len() {
            for a in 0..b {
                let equal_before = |at: usize| texts[..at].contains(&texts[at]);
                let is_wanted = !distinct || !equal_before(a) && !equal_before(b);
                if is_wanted && !texts[a].is_empty() && !texts[b].is_empty() {
                    all.push((distance(&texts[a], &texts[b]), a, b));
                }
            }
        }
        all.sort_unstable();
        let all: Vec<String> =
            all.into_iter().map(|(found, a, b)| line(&format!("d{a}"), &format!("d{b}"), found)).collect();
        let option = if distinct { "--distinct" } else { "" };
        for most in [1, 5, 40, 400, 100_000] {
            let found = printed(&folder, &format!("pairs in.jsonl --measure edit --top {most} {option} -q"));
            assert!(found == all[..most.min(all.len())], "{most} {option}");
        }
    }
}

#[test]
fn what_cannot_be() {
    let folder = Folder::with(&[("in.jsonl", row("a", "x"))]);
    let refused = [
        ("", "--measure edit has no default threshold; set one with -t, a whole number"),
        ("-t 1.5", "threshold 1.5 for edit must be a whole number, 0 or more"),
        ("-t=-1", "threshold -1 for edit must be a whole number, 0 or more"),
        ("-t 99999999999", "must be a whole number"),
        ("-t 1 --counts", "--counts does not work with --measure edit"),
        ("-t 1 --algorithm light", "--algorithm light does not work with --measure edit"),
        ("-t 1 --tokens words:5", "--tokens does not work with --measure edit, which compares texts"),
        ("--top 3 --tokens chars:3", "--tokens does not work with --measure edit"),
        ("-t 1 --bag", "--bag does not work with --measure edit, which compares texts"),
        ("-t 1 --q 0", "--q"),
    ];
    for (options, reason) in refused {
        folder.run(&format!("pairs in.jsonl --measure edit {options}")).ends(2).says(reason);
    }
    folder.run("pairs in.jsonl --q 3").ends(2).says("--q works only with --measure edit");
    folder
        .run("check in.jsonl --kept in.jsonl --removed in.jsonl --measure edit -t 1")
        .ends(2)
        .says("only `lookalike pairs` and `lookalike dedup` do that");
}
