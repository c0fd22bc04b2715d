//! A run that keeps 32 bits of each element writes what one writes that keeps whole sets.

use crate::fixture::{Folder, gzip};
use crate::scale::budget::{ALL, documents};

const DIGESTS: &str = "digests in memory";

/// More than the least size at which a run keeps digests, in a build for tests.
const BYTES: usize = 3 << 20;

/// The rows of a file that is large enough.
fn rows(letter: char, bytes: usize) -> String {
    documents(bytes, letter).iter().map(|document| document.row()).collect()
}

/// Runs `dedup` on the file and on its compressed copy, whose sets are kept, and compares everything written.
#[track_caller]
fn compare(folder: &Folder, options: &str, status: i32) {
    let [plain, compressed] = [("in.jsonl", "a"), ("in.jsonl.gz", "b")].map(|(input, out)| {
        let outputs = format!("-o {out}.jsonl --removed {out}.csv --clusters {out}-clusters.csv --force");
        let run = folder.printing(&format!("dedup {input} {outputs} {options} --json"), "").ends(status);
        run.json()
    });
    assert_eq!((&plain["memory"]["plan"], &compressed["memory"]["plan"]), (&DIGESTS.into(), &ALL.into()), "{options}");
    assert!(plain["near"].as_u64() > Some(100), "{plain}");
    for key in ["documents", "identical", "near", "kept", "clusters", "histogram", "empty", "references"] {
        assert_eq!(plain[key], compressed[key], "{key} with {options}");
    }
    for name in [".jsonl", ".csv", "-clusters.csv"] {
        assert!(folder.read(&format!("a{name}")) == folder.read(&format!("b{name}")), "{name} with {options}");
    }
}

#[test]
fn the_same_bytes_as_with_whole_sets() {
    let rows = rows('d', BYTES);
    let folder = Folder::with(&[("in.jsonl", rows.as_bytes()), ("in.jsonl.gz", &gzip(&rows))]);
    folder.write("old.jsonl", documents(1 << 20, 'e').iter().map(|document| document.row()).collect::<String>());
    for options in [
        "",
        "--keep longest -t 0.6 --threads 3",
        "--measure cosine -t 3/4 --keep max:score --threads 1",
        "--measure max -t 0.9 --within language",
        "--against old.jsonl --measure dice -t 0.7",
    ] {
        compare(&folder, options, 0);
    }
}

#[test]
fn bad_rows_and_blank_lines_are_no_documents() {
    let mut text = String::from("\u{feff}");
    for (number, row) in rows('d', BYTES).lines().enumerate() {
        text += row;
        text += ["\n", "\r\n", "\n\n \n", "\n{\"id\": 5}\n"][number % 97 % 4];
    }
    let folder = Folder::with(&[("in.jsonl", text.as_bytes()), ("in.jsonl.gz", &gzip(&text))]);
    compare(&folder, "--max-document 900", 3);
}

#[test]
fn what_needs_sets_keeps_them() {
    let folder = Folder::with(&[("in.jsonl", rows('d', BYTES))]);
    for options in ["--pairs out.csv", "--components", "-t 0.4", "--measure containment"] {
        let run = folder.printing(&format!("dedup in.jsonl {options} --json --force"), "").ends(0);
        assert_eq!(run.json()["memory"]["plan"], ALL, "{options}");
    }
}
