//! Does a run stay within its budget if the system enforces little more?

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use serde_json::Value;

use super::{documents, least, rows};
use crate::fixture::{BINARY, Folder, Run};
use crate::skip::skip;

/// A group of processes whose memory is limited. Dropping it removes it.
struct Group(PathBuf);

impl Group {
    /// Returns `None` and skips the test without the permission to create a group.
    fn new(bytes: u64) -> Option<Group> {
        let versions = [("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max")];
        // Tests that run at the same time have a group each.
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("lookalike-test-{}-{}", std::process::id(), NEXT.fetch_add(1, Relaxed));
        for (root, limit) in versions {
            let path = PathBuf::from(root).join(&name);
            if fs::create_dir(&path).is_err() {
                continue;
            }
            let group = Group(path);
            if fs::write(group.0.join(limit), bytes.to_string()).is_ok() {
                return Some(group);
            }
        }
        skip("cannot create a control group with a limit of memory");
        None
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0);
    }
}

const BUDGET: u64 = 48 << 20;

/// Runs a job on two threads in a group with a tenth more than this budget.
fn run_in_group(folder: &Folder, job: &str, megabytes: u64) -> Option<Run> {
    let budget = megabytes << 20;
    let group = Group::new(budget + budget / 10)?;
    // The shell enters the group, and becomes the command.
    let enter = format!(
        "echo $$ > {}/cgroup.procs && exec {BINARY} {job} --memory {megabytes}MiB --threads 2 --json",
        group.0.display()
    );
    let mut command = Command::new("sh");
    command.args(["-c", &enter]).current_dir(folder.path("")).stdin(Stdio::null());
    Some(Run::of(folder, command.output().unwrap()))
}

/// Runs a job in a group, and returns what it says of its memory.
#[track_caller]
pub fn in_group(folder: &Folder, job: &str, megabytes: u64) -> Option<Value> {
    let run = run_in_group(folder, job, megabytes)?;
    Some(within(&run.ends(0).json(), job, megabytes))
}

/// What a report says of the memory of a job, which must be within its budget.
#[track_caller]
fn within(report: &Value, job: &str, megabytes: u64) -> Value {
    // A job without a plan reports only its peak.
    let memory = if report["memory"].is_null() { report } else { &report["memory"] };
    let peak = memory["peak_bytes"].as_u64().or(memory["peak_memory_bytes"].as_u64());
    assert!(peak.unwrap() <= megabytes << 20, "{job} in {megabytes} MiB: {memory}");
    memory.clone()
}

/// Runs a job in a group, with as much memory as it asks for at the start. Returns that in MiB.
#[track_caller]
fn in_group_as_asked(folder: &Folder, job: &str) -> Option<u64> {
    let (mut megabytes, before) = (30, folder.list());
    for _ in 0..5 {
        let run = run_in_group(folder, job, megabytes)?;
        if run.code != 2 {
            within(&run.ends(0).json(), job, megabytes);
            return Some(megabytes);
        }
        assert_eq!(folder.list(), before, "{job}");
        let said = run.stderr.split_once("se --memory ").and_then(|(_, said)| said.split_once("MiB or more"));
        let needed = said.and_then(|(needed, _)| needed.parse::<u64>().ok());
        megabytes = needed.unwrap_or_else(|| panic!("{job}: {}", run.stderr));
    }
    panic!("{job}: {megabytes} MiB were not enough");
}

/// What a job that holds everything in memory asks for at the start, in MiB.
#[track_caller]
fn asked_for(folder: &Folder, job: &str) -> u64 {
    let before = folder.list();
    let run = folder.run(&format!("{job} --memory 40MiB --threads 2")).ends(2);
    assert_eq!(folder.list(), before, "{job}");
    let said = run.stderr.split_once("Use --memory ").and_then(|(_, said)| said.split_once("MiB or more"));
    said.and_then(|(needed, _)| needed.parse().ok()).unwrap_or_else(|| panic!("{job}: {}", run.stderr))
}

#[test]
fn a_group_with_little_more_than_the_budget() {
    let folder = Folder::with(&[("in.jsonl", rows(&documents(56_000_000, 'd')))]);
    for job in
        ["dedup in.jsonl -o kept.jsonl --removed removed.csv --clusters clusters.csv", "pairs in.jsonl -o pairs.csv"]
    {
        let Some(memory) = in_group(&folder, job, BUDGET >> 20) else { return };
        assert_ne!(memory["plan"], super::ALL, "{job}: {memory}");
    }
}

#[test]
fn texts_and_signatures_in_a_group() {
    let folder = Folder::with(&[("in.jsonl", rows(&documents(12_000_000, 'd')))]);
    for (number, options) in
        ["--measure edit -t 12", "--method minhash", "--method lsh", "--method sketch", "--method simhash --agree 320"]
            .into_iter()
            .enumerate()
    {
        for job in [
            format!("dedup in.jsonl -o kept{number}.jsonl {options}"),
            format!("pairs in.jsonl -o pairs{number}.csv {options}"),
        ] {
            let megabytes = u64::from(least(&folder, &job, 2));
            let Some(memory) = in_group(&folder, &job, megabytes) else { return };
            assert_ne!(memory["plan"], super::ALL, "{job}: {memory}");
        }
    }
}

/// These hold everything in memory. What they ask for at the start is enough.
#[test]
fn all_in_the_memory_of_a_group() {
    let folder = Folder::with(&[("in.jsonl", rows(&documents(12_000_000, 'd')))]);
    for (number, options) in ["--method i-match", "--method ddebit", "--method minhash --unverified"].iter().enumerate()
    {
        let job = format!("dedup in.jsonl -o kept{number}.jsonl {options}");
        let megabytes = asked_for(&folder, &job);
        let Some(memory) = in_group(&folder, &job, megabytes) else { return };
        assert_eq!(memory["plan"], super::ALL, "{job}: {memory}");
    }
}

/// Other rules, outputs and jobs, each with the least memory that it asks for.
#[test]
fn other_jobs_in_a_group() {
    let own = documents(12_000_000, 'd');
    let folder = Folder::with(&[("in.jsonl", rows(&own)), ("other.jsonl", rows(&documents(6_000_000, 'e')))]);
    folder.run("dedup in.jsonl -o kept.jsonl --removed removed.csv").ends(0);
    for job in [
        "dedup in.jsonl -o components.jsonl --components",
        "dedup in.jsonl -o against.jsonl --against other.jsonl",
        "dedup in.jsonl -o most.jsonl --pairs most.csv --clusters clusters.csv --annotate rows.jsonl",
        "dedup in.jsonl -o linked.jsonl --pairs linked.csv --components",
        "pairs in.jsonl --with other.jsonl -o with.csv",
        "check in.jsonl --kept kept.jsonl --removed removed.csv",
    ] {
        let megabytes = u64::from(least(&folder, job, 2));
        let Some(memory) = in_group(&folder, job, megabytes) else { return };
        assert_ne!(memory["plan"], super::ALL, "{job}: {memory}");
    }
}

/// The index is much larger than the budget of each job on it: an addition, one of documents that it has, a query, a merge, a check.
#[test]
fn an_index_in_a_group() {
    let archive = documents(56_000_000, 'a');
    let known = archive.iter().filter(|document| document.text.len() > 200).step_by(40).take(600);
    let known: String = known.map(|document| document.row().replacen("\"a", "\"k", 1)).collect();
    let folder = Folder::with(&[
        ("archive.jsonl", rows(&archive)),
        ("new.jsonl", rows(&documents(300_000, 'n'))),
        ("known.jsonl", known),
    ]);
    folder.run("dedup archive.jsonl --index index -q").ends(0);
    folder.run("dedup archive.jsonl --index same -q").ends(0);
    let bytes = folder.printing("index show index --json", "").ends(0).json()["bytes"].as_u64().unwrap();
    for job in [
        "dedup new.jsonl --index index -o new-kept.jsonl --removed new-removed.csv",
        "dedup known.jsonl --index index --existing replace -o known-kept.jsonl --removed known-removed.csv",
        "index query index known.jsonl -o found.csv",
        "index merge index",
    ] {
        let Some(megabytes) = in_group_as_asked(&folder, job) else { return };
        assert!(megabytes << 20 < bytes, "{job}: {megabytes} MiB for an index of {bytes} bytes");
    }
    // The same as with ample memory.
    for file in ["new-kept.jsonl", "new-removed.csv", "known-kept.jsonl", "known-removed.csv", "found.csv"] {
        fs::rename(folder.path(file), folder.path(&format!("limited-{file}"))).unwrap();
    }
    for job in [
        "dedup new.jsonl --index same -o new-kept.jsonl --removed new-removed.csv",
        "dedup known.jsonl --index same --existing replace -o known-kept.jsonl --removed known-removed.csv",
        "index query same known.jsonl -o found.csv",
        "index check same",
        "index check index",
    ] {
        folder.run(job).ends(0);
    }
    for file in ["new-kept.jsonl", "new-removed.csv", "known-kept.jsonl", "known-removed.csv", "found.csv"] {
        assert_eq!(folder.text(file), folder.text(&format!("limited-{file}")), "{file}");
    }
}
