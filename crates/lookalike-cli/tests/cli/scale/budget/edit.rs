//! Are texts that do not fit in memory compared with the same result?

use super::{OUTPUTS, collection, documents, least, rows, same_under};
use crate::fixture::Folder;

const TEXTS: &str = "texts on disk";

/// Little memory, and a little more: MiB above the least, and threads.
const BUDGETS: [(u32, u32); 2] = [(0, 1), (6, 3)];

fn same(folder: &Folder, job: &str) {
    same_under(folder, job, &BUDGETS, &[TEXTS]);
}

#[test]
fn dedup_of_texts() {
    let folder = collection(1_500_000);
    for options in ["", "--components", "--keep longest --within language", "--against other.jsonl"] {
        same(&folder, &format!("dedup in.jsonl {OUTPUTS} --measure edit -t 12 {options}"));
    }
    same(&folder, &format!("dedup in.jsonl {OUTPUTS} --measure edit -t 12 --against other.jsonl --components"));
    same(&folder, "dedup in.jsonl --removed out/removed.csv --measure edit -t 6 --components");
}

#[test]
fn pairs_of_texts() {
    let folder = collection(1_500_000);
    for options in ["", "--with other.jsonl", "--distinct --within language", "--limit-per-document 1"] {
        same(&folder, &format!("pairs in.jsonl -o out/pairs.csv --measure edit -t 12 {options}"));
    }
    for options in ["", "--with other.jsonl --distinct"] {
        same(&folder, &format!("pairs in.jsonl -o out/pairs.csv --measure edit --top 40 {options}"));
    }
}

/// Records of a few characters, of which most have the same length.
#[test]
fn short_records() {
    let mut documents = documents(16_000_000, 'd');
    documents.iter_mut().for_each(|one| {
        let start = one.text.len().saturating_sub(14);
        one.text = format!("{} {}", one.language, &one.text[start..]);
    });
    let folder = Folder::with(&[("in.jsonl", rows(&documents))]);
    let budgets = [(1, 1), (4, 3)];
    let job = format!("dedup in.jsonl {OUTPUTS} --measure edit -t 1");
    same_under(&folder, &job, &budgets, &[TEXTS]);
    same_under(&folder, "pairs in.jsonl -o out/pairs.csv --measure edit -t 1", &budgets, &[TEXTS]);
}

/// The plan says it before, and the summary after.
#[test]
fn what_is_said() {
    let folder = collection(1_500_000);
    let job = "dedup in.jsonl --measure edit -t 12";
    let job = format!("{job} --threads 1 --memory {}MiB", least(&folder, job, 1));
    folder.run(&format!("{job} --plan")).ends(0).says("plan: texts on disk; the inputs are read once");
    let plan = folder.printing(&format!("{job} --plan --json"), "").ends(0).json();
    assert_eq!(plan["plan"], TEXTS);
    let report = folder.printing(&format!("{job} --json"), "").ends(0).json();
    let (planned, written) = (&plan["temporary_bytes"], &report["memory"]["temporary_bytes"]);
    let (planned, written) = (planned.as_u64().unwrap(), written.as_u64().unwrap());
    assert!(written > 1_500_000 && 4 * planned >= 3 * written && planned < 2 * written, "{planned}, {written}");
    folder.run(&job).ends(0).says(": texts on disk; 1.");
}
