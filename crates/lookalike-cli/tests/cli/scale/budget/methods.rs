//! Are signatures that do not fit in memory compared with the same result?

use std::fs;

use super::{ALL, OUTPUTS, collection, least, outcome};
use crate::fixture::Folder;

const SIGNATURES: &str = "signatures on disk";

/// Runs a job in ample memory and in little, and expects the same files, and the same of its signatures.
#[track_caller]
fn same(folder: &Folder, job: &str) {
    fs::create_dir_all(folder.path("out")).unwrap();
    let (expected, files) = outcome(folder, job, "64GiB", 3);
    assert_eq!(expected["memory"]["plan"], ALL, "{job}");
    assert!(expected["signatures"]["candidates"].as_u64().unwrap() > 20, "{job}: {}", expected["signatures"]);
    for (more, threads) in [(0, 1), (3, 3)] {
        let memory = format!("{}MiB", least(folder, job, threads) + more);
        let (report, found) = outcome(folder, job, &memory, threads);
        assert_eq!(report["memory"]["plan"], SIGNATURES, "{job}: {}", report["memory"]);
        assert!(report["memory"]["temporary_bytes"].as_u64().unwrap() > 100_000, "{job}: {}", report["memory"]);
        assert_eq!(report["signatures"], expected["signatures"], "{job}");
        assert!(files == found, "{job} on {threads} threads: {}", report["memory"]);
    }
}

#[test]
fn dedup_by_features() {
    let folder = collection(6_000_000);
    for options in ["", "--components --keep longest", "--against other.jsonl", "--within language -t 0.6"] {
        same(&folder, &format!("dedup in.jsonl {OUTPUTS} --method minhash {options}"));
    }
    for method in ["sketch", "lsh"] {
        same(&folder, &format!("dedup in.jsonl {OUTPUTS} --method {method}"));
    }
    same(&folder, "dedup in.jsonl --removed out/removed.csv --method sketch --against other.jsonl -t 0.6");
}

#[test]
fn pairs_by_features() {
    let folder = collection(6_000_000);
    for options in ["", "--with other.jsonl", "--distinct --counts", "--features 6,2,2 --limit-per-document 1"] {
        same(&folder, &format!("pairs in.jsonl -o out/pairs.csv --method minhash {options}"));
    }
    for method in ["sketch --functions 40", "mega-shingles --features 6,4,2"] {
        same(&folder, &format!("pairs in.jsonl -o out/pairs.csv --method {method}"));
    }
}

#[test]
fn dedup_by_simhashes_and_pages() {
    let folder = collection(6_000_000);
    for options in ["--agree 320", "--agree 320 -t 0.8 --components", "--agree 320 -t 0.7 --against other.jsonl"] {
        same(&folder, &format!("dedup in.jsonl {OUTPUTS} --method simhash {options}"));
    }
    for options in ["b --within language", "by-site --site field:language --agree 320 --combined-agree 300"] {
        same(&folder, &format!("dedup in.jsonl {OUTPUTS} --method {options}"));
    }
}

#[test]
fn pairs_by_simhashes_and_pages() {
    let folder = collection(6_000_000);
    for options in [
        "simhash --agree 320 --with other.jsonl",
        "b --features 8,2,1",
        "c --agree 320 -t 0.8 --distinct",
        "combined --features 8,2,1 --combined-agree 300",
        "by-site --site field:language --features 8,2,1 --agree 320 --combined-agree 300 --with other.jsonl",
    ] {
        same(&folder, &format!("pairs in.jsonl -o out/pairs.csv --method {options}"));
    }
}

/// The plan says it before, and the summary after.
#[test]
fn what_is_said() {
    let folder = collection(6_000_000);
    let job = "dedup in.jsonl --method minhash";
    let job = format!("{job} --threads 1 --memory {}MiB", least(&folder, job, 1));
    folder.run(&format!("{job} --plan")).ends(0).says("plan: signatures on disk; the inputs are read twice");
    let plan = folder.printing(&format!("{job} --plan --json"), "").ends(0).json();
    let report = folder.printing(&format!("{job} --json"), "").ends(0).json();
    let (planned, written) = (&plan["temporary_bytes"], &report["memory"]["temporary_bytes"]);
    assert!(4 * planned.as_u64().unwrap() >= 3 * written.as_u64().unwrap(), "{planned}, {written}");
    folder.run(&job).ends(0).says(": signatures on disk; ").says("sets that may have a partner");
    // What has no such plan says so before the run, too.
    for options in ["--method minhash --unverified", "--method simhash --unverified", "--method ddebit"] {
        let run = folder.run(&format!("dedup in.jsonl {options} --threads 1 --memory 31MiB --plan")).ends(2);
        run.says("31 MiB of memory is too little: the signatures and candidates of about ");
    }
}
