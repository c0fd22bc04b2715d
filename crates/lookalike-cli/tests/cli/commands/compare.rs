//! Does `compare` print the right numbers, verdicts and differences?

use serde_json::Value;

use crate::fixture::{Folder, numbered, row, words};

fn compared(folder: &Folder, arguments: &str) -> Value {
    folder.printing(&format!("compare {arguments} --json"), "").ends(0).json()
}

fn measure(comparison: &Value, name: &str) -> f64 {
    let all = comparison["measures"].as_array().unwrap();
    all.iter().find(|one| one["measure"] == name).unwrap()["value"].as_f64().unwrap()
}

fn verdict<'a>(comparison: &'a Value, method: &str) -> &'a Value {
    comparison["verdicts"].as_array().unwrap().iter().find(|one| one["method"] == method).unwrap()
}

#[test]
fn numbers_that_can_be_counted_by_hand() {
    // Fifty shingles each, forty-six of them common; four words removed and four added.
    let folder = Folder::with(&[("a.txt", words(0..54)), ("b.txt", words(4..58))]);
    let comparison = compared(&folder, "a.txt b.txt");
    assert_eq!((&comparison["a"]["words"], &comparison["a"]["elements"]), (&54.into(), &50.into()));
    assert_eq!((&comparison["common"], &comparison["term_difference"]), (&46.into(), &8.into()));
    for (name, value) in [
        ("jaccard", 46.0 / 54.0),
        ("cosine", 0.92),
        ("dice", 0.92),
        ("max", 0.92),
        ("overlap", 46.0),
        ("containment", 0.92),
        ("hamming", 8.0),
    ] {
        assert_eq!(measure(&comparison, name), value, "{name}");
    }
    assert_eq!((&comparison["containment_a"], &comparison["containment_b"]), (&0.92.into(), &0.92.into()));
    assert_eq!(comparison["resemblance"], 46.0 / 54.0);
    assert!(measure(&comparison, "edit") > 8.0);
    assert_eq!(verdict(&comparison, "exact")["pair"], true);
    assert_eq!(verdict(&compared(&folder, "a.txt b.txt -t 0.86"), "exact")["pair"], false);
    assert_eq!(verdict(&compared(&folder, "a.txt b.txt -t 46/54"), "exact")["pair"], true);
    assert_eq!(verdict(&compared(&folder, "a.txt b.txt --measure hamming -t 7"), "exact")["pair"], false);
    assert_eq!(verdict(&comparison, "by-site")["pair"], Value::Null);
}

#[test]
fn the_same_document_is_its_own_near_duplicate() {
    let folder = Folder::with(&[("a.txt", words(0..54))]);
    let comparison = compared(&folder, "a.txt a.txt");
    for method in ["exact", "b", "c", "combined"] {
        assert_eq!(verdict(&comparison, method)["pair"], true, "{method}");
    }
    assert_eq!(comparison["identical"], true);
    assert_eq!((&comparison["b_similarity"], &comparison["c_similarity"]), (&6.into(), &384.into()));
    assert_eq!((&comparison["shared_features"], &comparison["term_difference"]), (&6.into(), &0.into()));
    // All parameters changed.
    let other = compared(&folder, "a.txt a.txt --features 4,3,1 --bits 64 --shingle 5 --element 2 --weighted");
    assert_eq!((&other["b_similarity"], &other["c_similarity"]), (&4.into(), &64.into()));
}

#[test]
fn what_is_empty_resembles_nothing() {
    let folder = Folder::with(&[("empty.txt", ""), ("a.txt", "some words")]);
    for arguments in ["empty.txt empty.txt", "empty.txt a.txt"] {
        let comparison = compared(&folder, arguments);
        assert_eq!(comparison["resemblance"], 0.0);
        assert!(comparison["verdicts"].as_array().unwrap().iter().all(|verdict| verdict["pair"] != true));
        let run = folder.printing(&format!("compare {arguments}"), "").ends(0);
        assert!(!run.stdout.contains("NaN"), "{}", run.stdout);
    }
}

#[test]
fn by_id_in_a_collection() {
    let rows = [numbered("x", 0..54), numbered("y", 4..58), numbered("z", 0..9), numbered("z", 0..9)].concat();
    let folder = Folder::with(&[("all.jsonl", rows)]);
    assert_eq!(compared(&folder, "x y --in all.jsonl")["common"], 46);
    assert_eq!(compared(&folder, "y x --in all.jsonl")["a"]["id"], "y");
    assert_eq!(compared(&folder, "x x --in all.jsonl")["common"], 50);
    folder.run("compare x none --in all.jsonl").ends(2).says("no document has the id none");
    folder.run("compare x z --in all.jsonl").ends(2).says("more than one document has the id z");
    folder.run("compare all.jsonl all.jsonl").ends(2).says("--in all.jsonl");
    folder.run("compare all.jsonl missing.txt").ends(2).says("missing.txt");
}

#[test]
fn what_cannot_be_is_refused() {
    let folder = Folder::with(&[("a.txt", words(0..54)), ("bad.jsonl", "{\"id\":\"x\"}\n{\n".to_string())]);
    for (arguments, part) in [
        ("a.txt a.txt --bits 100", "multiple of 64"),
        ("a.txt a.txt --shingle 0", "--shingle"),
        ("a.txt a.txt -t 2", "threshold 2"),
        ("a.txt a.txt --measure edit", "--measure"),
        ("a.txt a.txt --features 6,14,7", "r from 1 to k"),
        ("- -", "stdin"),
        ("x x --in bad.jsonl", "bad.jsonl, row 1"),
    ] {
        folder.run(&format!("compare {arguments}")).ends(2).says(part);
    }
}

#[test]
fn pages_have_sites() {
    let page = |id: &str, address: &str| {
        let body = format!("<p>{}", words(0..54));
        format!("{}\n", serde_json::json!({"id": id, "body": body, "address": address}))
    };
    let rows = [page("1", "http://www.a.org/x"), page("2", "http://a.org/y"), page("3", "http://b.org/")].concat();
    let folder = Folder::with(&[("crawl.jsonl", rows)]);
    for (two, why) in [("1 2", "same site"), ("1 3", "different sites")] {
        let comparison = compared(&folder, &format!("{two} --in crawl.jsonl --html body --url address"));
        let verdict = verdict(&comparison, "by-site");
        assert_eq!(verdict["pair"], true);
        assert!(verdict["why"].as_str().unwrap().starts_with(why), "{verdict}");
    }
}

#[test]
fn a_diff_in_colours_or_in_brackets() {
    let rows = [row("x", "one two three four five"), row("y", "one two 3 four five six")].concat();
    let folder = Folder::with(&[("all.jsonl", rows)]);
    let shown = |options: &str| {
        let run = folder.printing(&format!("compare x y --in all.jsonl {options}"), "").ends(0);
        run.stdout.lines().last().unwrap().to_string()
    };
    // Not on a terminal.
    assert_eq!(shown(""), "one two [-three-] {+3+} four five {+six+}");
    assert_eq!(shown("--color never --context 1"), "… two [-three-] {+3+} four five {+six+}");
    assert_eq!(shown("--context 0"), "… [-three-] {+3+} … {+six+}");
    assert_eq!(
        shown("--color always --context 1"),
        "… two \x1b[31mthree\x1b[0m \x1b[32m3\x1b[0m four five \x1b[32msix\x1b[0m"
    );
}

#[test]
fn nothing_of_a_strangers_text_acts_on_the_terminal() {
    let rows = [row("x", "a\u{202e}b one\u{1b}[31m"), row("y", "other words")].concat();
    let folder = Folder::with(&[("all.jsonl", rows)]);
    let run = folder.printing("compare x y --in all.jsonl", "").ends(0);
    assert!(!run.stdout.contains(['\u{1b}', '\u{202e}']), "{}", run.stdout);
}
