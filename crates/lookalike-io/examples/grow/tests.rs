//! Do the same seed and a smaller size give the same documents, and are the edits as many as their rate says?

use crate::history::{History, KINDS};
use crate::model::{Model, word_length};
use crate::{Grown, escape, grow, parse_size};

fn history(seed: u64, longest: u64) -> History {
    let words = ["the", "a\n", "ship", "sails", "at", "\"dawn\"", "日本", "and", "over", "river", "C:\\", "é"];
    let texts = (0..40)
        .map(|text: usize| (0..20 + 9 * text).map(|at| words[(at * at + text * at) % words.len()]).collect::<Vec<_>>())
        .map(|words| words.join(" "));
    History { model: Model::new(texts.collect(), seed).expect("there is text"), seed, longest }
}

fn grown(history: &History, size: u64, documents: u64) -> (Grown, Vec<u8>, String) {
    let (mut out, mut truth) = (Vec::new(), Vec::new());
    let grown = grow(history, size, documents, &mut out, Some(&mut truth)).expect("memory takes everything");
    (grown, out, String::from_utf8(truth).expect("the table is text"))
}

#[test]
fn a_smaller_size_is_a_prefix() {
    let (all, text, _) = grown(&history(7, u64::MAX), 300_000, u64::MAX);
    assert!(all.bytes <= 300_000 && all.bytes == text.len() as u64);
    for size in [0, 1000, 100_000, 299_999] {
        let (part, start, _) = grown(&history(7, u64::MAX), size, u64::MAX);
        assert!(part.bytes <= size && text.starts_with(&start));
    }
    let (_, start, _) = grown(&history(7, u64::MAX), u64::MAX, 20);
    assert!(text.starts_with(&start));
    let (_, other, _) = grown(&history(8, u64::MAX), 300_000, u64::MAX);
    assert_ne!(text, other);
}

#[test]
fn rows_are_json_and_copies_are_copies() {
    let (all, text, truth) = grown(&history(1, 200), u64::MAX, 3000);
    let texts: Vec<String> = text
        .split_inclusive(|&byte| byte == b'\n')
        .map(|row| {
            let row: serde_json::Value = serde_json::from_slice(row).expect("a row is JSON");
            row["text"].as_str().expect("text is a string").to_string()
        })
        .collect();
    assert_eq!(texts.len() as u64, all.documents);
    let mut copies = 0;
    for (number, line) in truth.lines().enumerate() {
        let cells: Vec<&str> = line.split('\t').collect();
        assert_eq!(cells[0], format!("g{number:09}"));
        let kind = KINDS.iter().position(|&(name, ..)| name == cells[1]).expect("a known kind");
        assert_eq!(kind == 0, cells[2].is_empty());
        if kind == 0 {
            continue;
        }
        let original: usize = cells[2][1..].parse().expect("an id");
        assert!(original < number);
        let edits: u64 = cells[3].parse().expect("a number");
        assert!(edits > 0 || texts[number] == texts[original]);
        copies += u64::from(kind == 1);
    }
    assert_eq!(copies, all.kinds[1]);
    // 40 in a thousand, within four standard deviations.
    assert!((77..=163).contains(&copies), "{copies} copies of 3000");
}

#[test]
fn edits_are_as_many_as_their_rate_says() {
    let history = history(3, u64::MAX);
    let (mut text, mut spare, mut original) = (Vec::new(), Vec::new(), Vec::new());
    let (mut edits, mut words) = (0, 0);
    for number in 0..20_000 {
        let origin = history.origin(number);
        if KINDS[origin.kind].2 != 1000 {
            continue;
        }
        edits += history.write(number, &mut text, &mut spare);
        history.write(origin.original.expect("an edited copy has an original"), &mut original, &mut spare);
        let mut rest = original.as_slice();
        while !rest.is_empty() {
            rest = &rest[word_length(rest)..];
            words += 1;
        }
    }
    // Ten words from one edit to the next; texts end in between, and some edits take several words.
    assert!((10 * edits).abs_diff(words) < words / 5, "{edits} edits in {words} words");
}

#[test]
fn text_is_escaped() {
    for text in ["", "plain", "a \"b\" \\ \n\t\r\u{1} é 日本"] {
        let mut row = Vec::from(b"\"");
        escape(text.as_bytes(), &mut row);
        row.push(b'"');
        assert_eq!(serde_json::from_slice::<String>(&row).expect("a JSON string"), text);
    }
}

#[test]
fn sizes_have_units() {
    assert_eq!(parse_size("17"), Some(17));
    assert_eq!(parse_size("8GB"), Some(8_000_000_000));
    assert_eq!(parse_size("512MiB"), Some(512 << 20));
    assert_eq!(parse_size("8 apples"), None);
}
