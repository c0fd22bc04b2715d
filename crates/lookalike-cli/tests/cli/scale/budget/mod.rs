//! With too little memory for the sets of all documents, is everything that a run writes the same?

mod checks;
mod dense;
mod edit;
mod faults;
mod inputs;
mod limited_group;
mod methods;
mod misleading;
mod plans;
mod same_bytes;

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value, json};

use crate::brute::Random;
use crate::fixture::{Folder, Run};

pub const ALL: &str = "all in memory";
pub const SIEVE: &str = "sieve and read again";
pub const DISK: &str = "sets on disk";

/// Too little for the sets of a [`collection`] of some megabytes: MiB above the least, and threads.
const BUDGETS: [(u32, u32); 5] = [(0, 1), (2, 3), (5, 1), (8, 3), (10, 1)];

/// Everything that `dedup` can write.
pub const OUTPUTS: &str = "-o out/kept.jsonl --removed out/removed.csv --clusters out/clusters.csv --pairs out/pairs.csv \
                           --annotate out/rows.jsonl";

/// A document: an id, two fields, and a text.
pub struct Document {
    pub id: String,
    pub language: &'static str,
    pub score: u64,
    pub text: String,
}

impl Document {
    pub fn row(&self) -> String {
        let Document { id, language, score, text } = self;
        json!({"id": id, "language": language, "score": score, "text": text}).to_string() + "\n"
    }
}

/// Documents with so many bytes of text: new ones, some of them long, copies of any before, changed copies of recent ones, and empty ones.
pub fn documents(bytes: usize, letter: char) -> Vec<Document> {
    let mut random = Random(42);
    let mut texts: Vec<Vec<u64>> = Vec::new();
    let (mut documents, mut written) = (Vec::new(), 0);
    while written < bytes {
        let recent = texts.len().saturating_sub(200) as u64;
        let text = match random.below(100) {
            0..2 => Vec::new(),
            2..10 if recent > 0 => texts[random.below(texts.len() as u64) as usize].clone(),
            10..45 if recent > 0 => {
                let mut text = texts[(recent + random.below(200)) as usize].clone();
                for _ in 0..1 + random.below(1 + text.len() as u64 / 12) {
                    let at = random.below(text.len() as u64) as usize;
                    text[at] = random.below(1_000_000);
                }
                text
            }
            _ => {
                let length = if random.below(200) == 0 { 3000 } else { 30 + random.below(120) };
                (0..length).map(|_| random.below(100_000)).collect()
            }
        };
        let in_words = text.iter().map(|word| format!("w{word}")).collect::<Vec<_>>().join(" ");
        written += in_words.len();
        if (1..1000).contains(&text.len()) {
            texts.push(text);
        }
        documents.push(Document {
            id: format!("{letter}{}", documents.len()),
            language: ["de", "en", "fr"][random.below(3) as usize],
            score: random.below(1000),
            text: in_words,
        });
    }
    documents
}

pub fn rows(documents: &[Document]) -> String {
    documents.iter().map(Document::row).collect()
}

/// A folder with `in.jsonl`, with so many bytes of text, and `other.jsonl`, every third of its documents and some of its own.
pub fn collection(bytes: usize) -> Folder {
    let own = documents(bytes, 'd');
    let mut other: Vec<Document> = documents(bytes + bytes / 8, 'e');
    let mut number = 0;
    other.retain(|_| {
        number += 1;
        number % 3 == 0 || number > own.len()
    });
    Folder::with(&[("in.jsonl", rows(&own)), ("other.jsonl", rows(&other))])
}

/// The report of a run, and all that it wrote to `out/`.
#[track_caller]
fn outcome(folder: &Folder, job: &str, memory: &str, threads: u32) -> (Value, Vec<(String, Vec<u8>)>) {
    let what = format!("{job} --memory {memory} --threads {threads} --json");
    let run = Run::of(folder, folder.command(&what).output().unwrap());
    assert_eq!(run.code, 0, "{what}: {}", run.stderr);
    let names = folder.list().into_iter().filter(|name| name.starts_with("out/") && !name.ends_with('/'));
    let files: Vec<(String, Vec<u8>)> = names.map(|name| (name.clone(), folder.read(&name))).collect();
    files.iter().for_each(|(name, _)| fs::remove_file(folder.path(name)).unwrap());
    assert!(!files.is_empty(), "{what} wrote nothing");
    (run.json(), files)
}

/// The least memory for a job on so many threads, in MiB: what the message says if there is too little.
#[track_caller]
pub fn least(folder: &Folder, job: &str, threads: u32) -> u32 {
    let run = folder.run(&format!("{job} --memory 1MiB --threads {threads}")).ends(2);
    let said = run.stderr.split_once("use --memory ").and_then(|(_, said)| said.split_once("MiB or more"));
    said.and_then(|(needed, _)| needed.parse().ok()).unwrap_or_else(|| panic!("{job}: {}", run.stderr))
}

/// Runs a job in ample memory and under each of these budgets, and expects the same files. Each of the plans must have been used.
#[track_caller]
pub fn same_under(folder: &Folder, job: &str, budgets: &[(u32, u32)], plans: &[&str]) {
    fs::create_dir_all(folder.path("out")).unwrap();
    let (report, expected) = outcome(folder, job, "64GiB", 3);
    assert_eq!(report["memory"]["plan"], ALL, "{job}");
    let mut seen = BTreeSet::new();
    for &(more, threads) in budgets {
        let megabytes = least(folder, job, threads) + more;
        let (report, found) = outcome(folder, job, &format!("{megabytes}MiB"), threads);
        let memory = &report["memory"];
        assert_eq!(memory["budget_bytes"], u64::from(megabytes) << 20, "{job}");
        for (expected, found) in expected.iter().zip(&found) {
            assert!(expected == found, "{job}: {} differs on {threads} threads: {memory}", expected.0);
        }
        assert_eq!(found.len(), expected.len(), "{job}");
        seen.insert(memory["plan"].as_str().unwrap().to_string());
    }
    assert!(plans.iter().all(|&plan| seen.contains(plan)), "{job}: {plans:?} and not only {seen:?}");
}

/// The same under the budgets of small collections.
#[track_caller]
pub fn same(folder: &Folder, job: &str, plans: &[&str]) {
    same_under(folder, job, &BUDGETS, plans);
}
