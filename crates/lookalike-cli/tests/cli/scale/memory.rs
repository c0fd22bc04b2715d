//! With any amount of memory, does a run succeed, or report the lack of it, exit with status 2 and leave no file?

use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::fixture::{BINARY, Folder, words, zstd};

/// Documents of which some are copies and some resemble others.
fn documents(count: u32) -> String {
    let text = |n: u32| match n % 10 {
        0 => words(0..300),
        1 => format!("{} {}", words(0..300), words(100_000 + n..100_001 + n)),
        _ => words(n * 100..n * 100 + 200),
    };
    let row = |n: u32| serde_json::json!({"id": format!("d{n}"), "time": 60 * n, "text": text(n)}).to_string() + "\n";
    (0..count).map(row).collect()
}

/// Limits the address space, in kB: other limits kill the process without an error.
fn limited(folder: &Folder, kilobytes: u64, arguments: &str) -> Child {
    let mut command = Command::new("sh");
    let script = format!("ulimit -v {kilobytes}; exec {BINARY} {arguments}");
    // A backtrace takes memory too.
    command.args(["-c", &script]).env("RUST_BACKTRACE", "1").current_dir(folder.path(""));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Returns the exit status and the messages.
fn wait(mut child: Child, what: &str) -> (Option<i32>, String) {
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_secs(120) {
            child.kill().unwrap();
            panic!("{what} hangs");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Returns the least memory with which the command prints its version.
fn least() -> u64 {
    let folder = Folder::new();
    let starts = |megabytes: &u64| wait(limited(&folder, megabytes << 10, "--version"), "--version").0 == Some(0);
    (1..500).find(starts).expect("500 MB are enough to start") << 10
}

/// Tries limits from the least that lets it start up to one that is enough.
fn at_any_limit(folder: &Folder, arguments: &str, least: u64, steps: u64) {
    let out = folder.path("out");
    let run = |kilobytes: u64| {
        fs::create_dir(&out).unwrap();
        let what = format!("`{arguments}` with {kilobytes} kB");
        let (status, said) = wait(limited(folder, kilobytes, arguments), &what);
        // This `check` fails on purpose.
        let is_done = matches!(status, Some(0)) || arguments.starts_with("check") && status == Some(1);
        if !is_done {
            assert_eq!(status, Some(2), "{what}: {said}");
            assert!(said.contains("out of memory") || said.contains("cannot start "), "{what}: {said}");
            assert!(said.contains("more memory"), "{what}: {said}");
            assert_eq!(fs::read_dir(&out).unwrap().count(), 0, "{what}: {said}");
        }
        fs::remove_dir_all(&out).unwrap();
        is_done
    };
    let (mut enough, mut failed) = (least, 0);
    while !run(enough) {
        enough += enough / 4;
        assert!(enough < 8 << 20, "`{arguments}` never ends well");
    }
    for step in 0..steps {
        failed += u64::from(!run(least + (enough - least) * step / steps));
    }
    assert!(failed > 0, "`{arguments}` never lacked memory");
}

const COMMANDS: [&str; 14] = [
    "dedup in.jsonl -o out/out.jsonl --removed out/removed.csv",
    "dedup in.jsonl -o out/new/folder/ --annotate out/annotated.parquet",
    "dedup in.jsonl -o out/out.jsonl.zst --tokens words -t 0.7 --clusters out/clusters.csv.gz",
    "dedup in.jsonl.zst -o out/out.jsonl --components",
    "dedup in.jsonl -o out/out.jsonl --components --tokens chars:3 --pairs out/pairs.parquet",
    "dedup in.jsonl -o out/out.jsonl --method minhash",
    "dedup in.jsonl -o out/out.jsonl --method sketch --against in.jsonl",
    "pairs in.jsonl -o out/pairs.csv --stats out/stats.json",
    "pairs in.jsonl -o out/pairs.jsonl --algorithm heavy --tokens words -t 0.5",
    "pairs in.jsonl -o out/pairs.jsonl --measure edit -t 40 --limit-per-document 3",
    "pairs in.jsonl -o out/pairs.jsonl --top 50",
    "sketch in.jsonl -o out/sketches.parquet",
    "stream in.jsonl",
    "check in.jsonl --kept in.jsonl --removed none.csv -t 1",
];

#[test]
fn any_limit_is_enough_or_an_error() {
    let folder = Folder::with(&[("in.jsonl", documents(2000).into_bytes()), ("none.csv", b"id\n".to_vec())]);
    folder.write("in.jsonl.zst", zstd(documents(2000)));
    let least = least();
    for arguments in COMMANDS {
        at_any_limit(&folder, &format!("{arguments} --threads 3"), least, 12);
    }
}
