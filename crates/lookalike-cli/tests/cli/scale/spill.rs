//! Are more pairs than fit into memory sorted in temporary files, with the same result?

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::fixture::{Folder, Run, row, words};
use crate::output::cut_short::{SmallDisk, send, wait_until, wait_until_it_catches_interrupts};

/// Documents that all resemble each other: 359,976 pairs.
fn alike() -> Folder {
    let row = |n: u32| row(&format!("d{n}"), &format!("{} {}", words(0..50), words(1000 + n..1001 + n)));
    Folder::with(&[("in.jsonl", (0..849).map(row).collect::<String>())])
}

/// With many threads, each has little memory, which is soon full.
const SPILLING: &str = "--threads 16 --tokens words -t 0.5";

#[test]
fn the_same_pairs_with_and_without() {
    let folder = alike();
    folder.run("pairs in.jsonl -o memory.jsonl --threads 1 --tokens words -t 0.5").ends(0).says("359,976 pairs");
    folder.run(&format!("pairs in.jsonl -o spilled.jsonl {SPILLING}")).ends(0);
    folder.run(&format!("dedup in.jsonl --pairs dedup.jsonl {SPILLING}")).ends(0).says("359,976 pairs");
    assert!(folder.read("spilled.jsonl") == folder.read("memory.jsonl"));
    assert!(folder.read("dedup.jsonl") == folder.read("memory.jsonl"));
}

#[track_caller]
fn fails(folder: &Folder, place: &str, reason: &str) {
    let before = folder.list();
    for arguments in ["pairs in.jsonl -o pairs.csv", "dedup in.jsonl --pairs pairs.csv --removed removed.csv"] {
        let mut command = folder.command(&format!("{arguments} {SPILLING}"));
        let output = command.env("TMPDIR", folder.path(place)).stdin(Stdio::null()).output().unwrap();
        Run::of(folder, output).ends(2).says("cannot use temporary space in").says(place).says(reason);
        assert_eq!(folder.list(), before);
    }
}

#[test]
fn no_temporary_space_is_fatal() {
    let folder = alike();
    fails(&folder, "none", "No such file or directory");
    let Some(_disk) = SmallDisk::mount(folder.path("small")) else { return };
    fails(&folder, "small", "No space left on device");
}

/// Nobody reads its output, so it blocks in the middle of writing.
#[test]
fn interrupted_in_the_middle() {
    let folder = alike();
    std::fs::create_dir(folder.path("tmp")).unwrap();
    std::fs::create_dir(folder.path("out")).unwrap();
    let before = folder.list();
    let mut command = folder.command(&format!("pairs in.jsonl {SPILLING} --stats out/stats.json"));
    let command = command.env("TMPDIR", folder.path("tmp")).stdin(Stdio::null());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut unread = child.stdout.take().unwrap();
    wait_until_it_catches_interrupts(&child);
    std::io::Read::read_exact(&mut unread, &mut [0; 100]).unwrap();
    send("-INT", &child);
    Run::of(&folder, child.wait_with_output().unwrap()).ends(130);
    assert_eq!(folder.list(), before);

    // The same with a half-written file.
    let mut command = folder.command(&format!("pairs in.jsonl in.jsonl {SPILLING} -o out/pairs.jsonl"));
    let child = command.env("TMPDIR", folder.path("tmp")).stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("writing", || folder.list().iter().any(|name| name.ends_with(".unfinished")));
    send("-INT", &child);
    Run::of(&folder, child.wait_with_output().unwrap()).ends(130);
    assert_eq!(folder.list(), before);
}

/// The warning comes before the pairs, so this test does not wait for them.
#[test]
fn a_billion_pairs_are_announced() {
    let folder = Folder::with(&[("in.jsonl", "{\"text\":\"one and the same\"}\n".repeat(50_000))]);
    let mut command = folder.command("pairs in.jsonl");
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let unread = child.stdout.take();
    let mut said = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut said).unwrap();
    assert_eq!(said, "lookalike: expecting about 1.2 billion pairs\n");
    send("-INT", &child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    drop(unread);
    folder.run("pairs in.jsonl --distinct -o pairs.csv").ends(0).says("0 pairs");
    assert!(!folder.run("pairs in.jsonl --distinct -o pairs.csv --force").ends(0).stderr.contains("ahead"));
    // No warning without such work.
    for job in [
        "pairs in.jsonl --limit-per-document 2 -o few.csv",
        "pairs in.jsonl --top 5 -o top.csv",
        "dedup in.jsonl --components",
    ] {
        assert!(!folder.run(job).ends(0).stderr.contains("ahead"), "{job}");
    }
}
