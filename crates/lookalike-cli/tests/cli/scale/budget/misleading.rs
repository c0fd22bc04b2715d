//! Does a run keep to its budget if a sample of its inputs tells too little?

use std::fs;

use super::limited_group::in_group;
use super::{ALL, OUTPUTS, documents, outcome, rows};
use crate::brute::Random;
use crate::fixture::{Folder, gzip, row};

/// Rows of some hundred bytes whose texts are short, and so many that a sample of a compressed file reads no others.
fn poor(random: &mut Random, count: u32) -> String {
    let row = |n: u32| {
        let noise: String =
            (0..20).map(|_| format!("{:016x}", random.below(1 << 31) << 33 | random.below(1 << 31))).collect();
        format!("{{\"id\": \"p{n}\", \"noise\": \"{noise}\", \"text\": \"p{n}\"}}\n")
    };
    (0..count).map(row).collect()
}

/// Rows whose sets need more than the budget.
const RICH: usize = 12_000_000;
const BUDGET: u64 = 48;

/// A file that begins with poor rows, the same compressed, and the same in files of which every second has only poor rows.
fn folder() -> Folder {
    let mut random = Random(7);
    let rich = rows(&documents(RICH, 'd'));
    let folder = Folder::with(&[("in.jsonl", &(poor(&mut random, 6000) + &rich))]);
    folder.write("in.jsonl.gz", gzip(folder.read("in.jsonl")));
    let lines: Vec<&str> = rich.lines().collect();
    for (number, some) in lines.chunks(lines.len().div_ceil(16)).enumerate() {
        folder.write(&format!("parts/{number:02}-a.jsonl"), poor(&mut random, 1000));
        folder.write(&format!("parts/{number:02}-b.jsonl"), some.join("\n") + "\n");
    }
    folder
}

#[test]
fn reading_begins_again() {
    let folder = folder();
    fs::create_dir(folder.path("out")).unwrap();
    for (job, is_noticed_before) in [
        (format!("dedup in.jsonl {OUTPUTS}"), true),
        (format!("dedup in.jsonl.gz {OUTPUTS}"), false),
        (format!("dedup parts {OUTPUTS} --components"), false),
        ("dedup parts --removed out/removed.csv".to_string(), false),
        ("pairs in.jsonl -o out/pairs.csv".to_string(), true),
        ("pairs in.jsonl.gz -o out/pairs.csv".to_string(), false),
    ] {
        let (_, expected) = outcome(&folder, &job, "64GiB", 2);
        let (report, found) = outcome(&folder, &job, &format!("{BUDGET}MiB"), 2);
        let memory = &report["memory"];
        assert!(expected == found, "{job}: {memory}");
        assert_ne!(memory["plan"], ALL, "{job}: {memory}");
        assert_eq!(memory["restarts"] == 0, is_noticed_before, "{job}: {memory}");
    }
    let said = folder.run("dedup in.jsonl.gz --removed removed.csv --memory 48MiB --threads 2").ends(0);
    said.says("reading them again, with less in memory").says("reading began again with less in memory");
}

#[test]
fn within_the_budget_in_a_group() {
    let folder = folder();
    for (number, input) in ["in.jsonl", "in.jsonl.gz", "parts"].into_iter().enumerate() {
        for job in [
            format!("dedup {input} -o kept{number}.jsonl --removed removed{number}.csv"),
            format!("pairs {input} -o pairs{number}.csv"),
        ] {
            let Some(memory) = in_group(&folder, &job, BUDGET) else { return };
            assert_ne!(memory["plan"], ALL, "{job}: {memory}");
        }
    }
}

/// Few long documents, then very many short ones.
#[test]
fn more_documents_than_the_sample_tells() {
    let mut random = Random(9);
    let mut text = |words: u32| (0..words).map(|_| format!("w{} ", random.below(100_000))).collect::<String>();
    let long: String = (0..100).map(|n| row(&format!("l{n}"), &text(3000))).collect();
    let short: String = (0..270_000).map(|n| row(&format!("s{n}"), &text(2))).collect();
    let folder = Folder::with(&[("in.jsonl.gz", gzip(long + &short))]);
    fs::create_dir(folder.path("out")).unwrap();
    let job = "dedup in.jsonl.gz --removed out/removed.csv";
    let (_, expected) = outcome(&folder, job, "64GiB", 2);
    let (report, found) = outcome(&folder, job, "60MiB", 2);
    assert!(expected == found);
    assert!(report["memory"]["restarts"].as_u64().unwrap() > 0, "{}", report["memory"]);
    assert!(report["memory"]["peak_bytes"].as_u64().unwrap() <= 60 << 20, "{}", report["memory"]);
    // Too many for this: an error that says what is enough, and no output.
    let run = folder.run(&format!("{job} --memory 48MiB --threads 2")).ends(2);
    run.says("48 MiB of memory is too little").says("MiB or more");
    assert!(!folder.path("out/removed.csv").exists());
}

/// What must be in memory cannot be planned in another way.
#[test]
fn a_method_that_needs_memory_stops() {
    let folder = folder();
    let run = folder.run("dedup in.jsonl.gz --removed removed.csv --method ddebit --memory 48MiB --threads 2").ends(2);
    run.says("48 MiB of memory is too little").says("other methods");
    folder.run("dedup in.jsonl.gz --index index --memory 48MiB --threads 2").ends(2).says("add fewer files at a time");
    assert!(!folder.path("removed.csv").exists());
}
