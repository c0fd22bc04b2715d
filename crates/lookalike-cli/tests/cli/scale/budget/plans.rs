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
        // The report repeats the plan.
        let report = &report["memory"];
        let parts = plan["memory"].as_array().unwrap().iter().map(|part| part["bytes"].as_u64().unwrap());
        assert_eq!(report["planned_bytes"].as_u64(), Some(parts.sum()), "{job} in {memory}");
        assert_eq!(report["planned_temporary_bytes"], plan["temporary_bytes"], "{job} in {memory}");
        let (bytes, peak) = (report["planned_bytes"].as_u64().unwrap(), report["peak_bytes"].as_u64().unwrap());
        // A program that was not optimised has more pages of its own.
        assert!(peak <= bytes + (4 << 20), "{job} in {memory}: {bytes} planned, and {peak} used");
        assert!(bytes <= 4 * peak, "{job} in {memory}: {bytes} planned, and only {peak} used");
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

/// A run whose state is kept counts and reads again, though all sets would fit. What an index asks for is asked for here, too.
#[test]
fn what_a_run_and_an_index_need() {
    let folder = collection(1_500_000);
    let job = "dedup in.jsonl -o out/kept.jsonl --run state --threads 2";
    folder.run(&format!("{job} --plan")).ends(0).says("the inputs are read twice, and once more to write rows");
    assert!(!folder.path("state").exists());
    let plan = folder.printing(&format!("{job} --plan --json"), "").ends(0).json();
    let input = fs::metadata(folder.path("in.jsonl")).unwrap().len();
    assert_eq!((plan["read_bytes"].as_u64(), plan["written_bytes"].as_u64()), (Some(3 * input), Some(input)));
    fs::create_dir(folder.path("out")).unwrap();
    let report = folder.printing(&format!("{job} --json"), "").ends(0).json();
    assert_eq!(report["memory"]["plan"], plan["plan"]);
    assert_eq!(report["memory"]["passes"], plan["passes"]);
    assert!(fs::metadata(folder.path("out/kept.jsonl")).unwrap().len() <= input);
    folder.run("pairs in.jsonl --plan").ends(0).says("read once").says("time: ");
    let too_little = "dedup in.jsonl --index index --memory 36MiB --threads 2";
    folder.run(&format!("{too_little} --plan")).ends(2).says("add fewer files at a time");
    folder.run(too_little).ends(2).says("add fewer files at a time");
}

/// The summary says both.
#[test]
fn planned_and_used() {
    let folder = collection(5_500_000);
    let memory = least(&folder, "dedup in.jsonl", 1) + 2;
    let said = folder.run(&format!("dedup in.jsonl --memory {memory}MiB --threads 1")).ends(0);
    said.says("planned ").says(" of disk; used ");
}
