//! Do large clusters take time and memory in proportion to their documents, unless all pairs are asked for?

use serde_json::Value;

use crate::fixture::{Folder, Run, row, words};

fn json(folder: &Folder, arguments: &str) -> Value {
    let output = folder.command(&format!("{arguments} --json")).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// 100,000 copies have five billion pairs, and nearly all are left out.
fn copies() -> Folder {
    let row = |n: u32| row(&format!("d{n}"), "the same few words in each of the documents");
    Folder::with(&[("in.jsonl", (0..100_000).map(row).collect::<String>())])
}

#[test]
fn copies_under_a_limit() {
    let folder = copies();
    for (name, by) in [("sets", ""), ("texts", "--measure edit -t 2"), ("signatures", "--method minhash")] {
        let report = json(&folder, &format!("pairs in.jsonl -o {name}.csv --limit-per-document 3 {by}"));
        // Every four documents are a clique, so each has three pairs.
        assert_eq!(report["pairs"], 150_000, "{name}");
        assert_eq!(report["left_out"], 100_000_u64 * 99_999 / 2 - 150_000, "{name}");
    }
    let pairs = folder.text("sets.csv");
    let first: Vec<&str> = pairs.lines().skip(1).take(7).collect();
    assert_eq!(first, ["d0,d1,1.0", "d0,d2,1.0", "d0,d3,1.0", "d1,d2,1.0", "d1,d3,1.0", "d2,d3,1.0", "d4,d5,1.0"]);
}

#[test]
fn the_first_of_many_copies() {
    let folder = copies();
    for by in ["", "--measure edit"] {
        let report = json(&folder, &format!("pairs in.jsonl -o pairs.csv --force --top 5 {by}"));
        assert_eq!(report["pairs"], 5);
        assert!(folder.text("pairs.csv").lines().nth(5).unwrap().starts_with("d0,d5,"));
    }
}

#[test]
fn copies_that_are_all_kept() {
    let folder = copies();
    folder.write("none.csv", "id\n");
    let output = folder.command("check in.jsonl --kept in.jsonl --removed none.csv").output().unwrap();
    Run::of(&folder, output).ends(1).says("failed: 4,999,950,000 violations in 100,000 documents");
}

/// 4,000 documents that all resemble each other: eight million pairs.
#[test]
fn components_hold_no_pairs() {
    let text = |n: u32| format!("{} {} {}", words(0..100), words(1000 + n..1001 + n), words(100..200));
    let row = |n: u32| row(&format!("d{n}"), &text(n));
    let folder = Folder::with(&[("in.jsonl", (0..4000).map(row).collect::<String>())]);
    for tokens in ["words:5", "words"] {
        let memory = |how: &str| {
            let report = json(&folder, &format!("dedup in.jsonl -o out.jsonl --force --tokens {tokens} {how}"));
            assert_eq!(report["kept"], 1);
            report["peak_memory_bytes"].as_u64().unwrap()
        };
        let (survivors, components) = (memory(""), memory("--components"));
        assert!(components < 2 * survivors, "{tokens}: {components} bytes, not {survivors}");
    }
}
