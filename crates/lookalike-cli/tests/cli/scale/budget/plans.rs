//! Does `--plan` say enough about the temporary files of a run?

use std::fs;

use super::{ALL, collection, least, outcome};
use crate::fixture::Folder;

/// The planned bytes of temporary files are at least three quarters of those of the run, and not beyond reason.
#[track_caller]
fn planned(folder: &Folder, job: &str) {
    fs::create_dir_all(folder.path("out")).unwrap();
    for (more, threads) in [(0, 1), (3, 3), (8, 1)] {
        let memory = format!("{}MiB", least(folder, job, threads) + more);
        let (report, _) = outcome(folder, job, &memory, threads);
        let plan = folder.printing(&format!("{job} --memory {memory} --threads {threads} --plan --json"), "");
        let plan = plan.ends(0).json();
        let actual = report["memory"]["temporary_bytes"].as_u64().unwrap();
        let (planned, elements) = (plan["temporary_bytes"].as_u64().unwrap(), plan["elements"].as_u64().unwrap());
        assert!(4 * planned >= 3 * actual, "{job} in {memory}: {planned} planned, and {actual} written");
        assert!(planned <= 40 * elements, "{job} in {memory}: {planned} planned for {elements} elements");
        assert_eq!(plan["plan"] == ALL, report["memory"]["plan"] == ALL, "{job} in {memory}");
    }
}

#[test]
fn temporary_files_of_text() {
    let folder = collection(5_500_000);
    for options in ["-t 0.8", "-t 0.5", "-t 0.3", "--measure containment -t 0.9", "--measure overlap -t 40"] {
        planned(&folder, &format!("dedup in.jsonl {options} --removed out/removed.csv"));
    }
    planned(&folder, "pairs in.jsonl -t 0.6 -o out/pairs.csv");
    planned(&folder, "pairs in.jsonl --with other.jsonl -o out/pairs.csv");
}

#[test]
fn temporary_files_of_few_elements() {
    let folder = collection(1_500_000);
    for options in ["--tokens chars:4 -t 0.9", "--tokens chars:3 -t 0.85"] {
        planned(&folder, &format!("dedup in.jsonl {options} --removed out/removed.csv"));
    }
}
