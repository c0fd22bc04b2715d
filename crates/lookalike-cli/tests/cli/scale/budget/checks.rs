//! Does `check` find the same violations under any budget?

use std::fs;

use serde_json::Value;

use super::{ALL, DISK, SIEVE, collection, documents, least, rows};
use crate::fixture::Folder;

const SMALL: usize = 5_500_000;

/// The verdict under a budget, and the plan.
#[track_caller]
fn verdict(folder: &Folder, job: &str, memory: &str, threads: u32) -> (Value, String) {
    let run = folder.printing(&format!("{job} --memory {memory} --threads {threads} --json"), "");
    let mut verdict: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{job}: {}", run.stderr));
    let plan = verdict["memory"]["plan"].as_str().unwrap().to_string();
    verdict.as_object_mut().unwrap().remove("memory");
    (verdict, plan)
}

/// Checks in ample memory and in little, and returns the number of violations.
#[track_caller]
fn same_verdict(folder: &Folder, options: &str) -> u64 {
    let job = format!("check in.jsonl --kept kept.jsonl --removed removed.csv {options}");
    let (expected, plan) = verdict(folder, &job, "64GiB", 3);
    assert_eq!(plan, ALL);
    for (more, threads) in [(0, 1), (3, 3)] {
        let memory = format!("{}MiB", least(folder, &job, threads) + more);
        let (found, plan) = verdict(folder, &job, &memory, threads);
        assert!([SIEVE, DISK].contains(&&*plan), "{job}: {plan}");
        assert!(found == expected, "{job}: {found}");
    }
    expected["breaches"].as_u64().unwrap()
}

#[test]
fn what_dedup_wrote() {
    let folder = collection(SMALL);
    let options =
        ["", "--against other.jsonl", "--measure overlap -t 40", "--measure hamming -t 20", "--within language -t 0.5"];
    for options in options {
        folder.run(&format!("dedup in.jsonl -o kept.jsonl --removed removed.csv --force {options}")).ends(0);
        assert_eq!(same_verdict(&folder, options), 0, "{options}");
    }
}

#[test]
fn what_is_wrong() {
    let folder = collection(SMALL);
    folder.run("dedup in.jsonl -o kept.jsonl --removed removed.csv").ends(0);
    let (kept, removed) = (folder.text("kept.jsonl"), folder.text("removed.csv"));
    // Twins and similarities that are too low, and pairs that are kept.
    assert!(same_verdict(&folder, "-t 0.9") > 100);
    assert!(same_verdict(&folder, "--tokens words:1") > 100);
    // No twins are stated, and every third kept document is gone.
    let ids: String = removed.lines().map(|row| format!("{}\n", row.split(',').next().unwrap())).collect();
    folder.write("removed.csv", &ids);
    assert_eq!(same_verdict(&folder, ""), 0);
    let some = kept.lines().enumerate().filter(|(number, _)| number % 3 > 0);
    folder.write("kept.jsonl", some.map(|(_, row)| format!("{row}\n")).collect::<String>());
    for options in ["", "--measure overlap -t 40", "--against other.jsonl"] {
        assert!(same_verdict(&folder, options) > 100, "{options}");
    }
    // Everything is kept.
    fs::copy(folder.path("in.jsonl"), folder.path("kept.jsonl")).unwrap();
    folder.write("removed.csv", "id,twin,similarity\n");
    assert!(same_verdict(&folder, "") > 100);
}

#[test]
fn ids_that_documents_share() {
    let mut documents = documents(SMALL, 'd');
    for (number, document) in documents.iter_mut().enumerate() {
        document.id = format!("d{}", number / 3);
    }
    let folder = Folder::with(&[("in.jsonl", rows(&documents))]);
    folder.run("dedup in.jsonl -o kept.jsonl --removed removed.csv").ends(0);
    same_verdict(&folder, "");
    folder.run("dedup in.jsonl -o kept.jsonl --removed removed.csv --components -t 0.6 --force").ends(0);
    assert!(same_verdict(&folder, "-t 0.6") > 0);
}
