//! Does a run stay within its budget if the system enforces little more?

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::{documents, rows};
use crate::fixture::{BINARY, Folder, Run};
use crate::skip::skip;

/// A group of processes whose memory is limited. Dropping it removes it.
struct Group(PathBuf);

impl Group {
    /// Returns `None` and skips the test without the permission to create a group.
    fn new(bytes: u64) -> Option<Group> {
        let versions = [("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max")];
        for (root, limit) in versions {
            let path = PathBuf::from(root).join(format!("lookalike-test-{}", std::process::id()));
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

#[test]
fn a_group_with_little_more_than_the_budget() {
    let folder = Folder::with(&[("in.jsonl", rows(&documents(56_000_000, 'd')))]);
    let Some(group) = Group::new(BUDGET + BUDGET / 10) else { return };
    let jobs =
        ["dedup in.jsonl -o kept.jsonl --removed removed.csv --clusters clusters.csv", "pairs in.jsonl -o pairs.csv"];
    for job in jobs {
        // The shell enters the group, and becomes the command.
        let enter = format!(
            "echo $$ > {}/cgroup.procs && exec {BINARY} {job} --memory 48MiB --threads 2 --json",
            group.0.display()
        );
        let mut command = Command::new("sh");
        command.args(["-c", &enter]).current_dir(folder.path("")).stdin(Stdio::null());
        let report = Run::of(&folder, command.output().unwrap()).ends(0).json();
        let memory = &report["memory"];
        assert_ne!(memory["plan"], super::ALL, "{job}: {memory}");
        assert!(memory["peak_bytes"].as_u64().unwrap() <= BUDGET, "{job}: {memory}");
    }
}
