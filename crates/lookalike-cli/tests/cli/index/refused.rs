//! What does an index refuse, and does it say why?

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;

use super::{add, batches, with_batches};
use crate::fixture::{Folder, numbered};

#[test]
fn other_settings() {
    let folder = with_batches(&batches(2, 10, 30));
    add(&folder, 0..1, "");
    for (options, made, asked) in [
        ("-t 0.9", "--threshold 0.8", "--threshold 0.9"),
        ("-t 0.7", "--threshold 0.8", "--threshold 0.7"),
        ("--measure cosine", "--measure jaccard", "--measure cosine"),
        ("--bag", "no --bag", "--bag"),
        ("--case keep", "--case fold", "--case keep"),
        ("--within lang", "no --within", "--within lang"),
    ] {
        let run = folder.run(&format!("dedup b1.jsonl --index archive -o x.jsonl {options}")).ends(2);
        let expected = format!("was made with {made}, but this run has {asked};");
        assert!(run.stderr.contains(&expected), "{}", run.stderr);
        assert!(!folder.path("x.jsonl").exists());
    }
    folder.run("dedup b1.jsonl --index archive -t 4/5").ends(0);
}

#[test]
fn what_it_cannot_do() {
    let folder = with_batches(&batches(1, 10, 30));
    for (options, says) in [
        ("--measure hamming -t 3", "hamming is a distance"),
        ("--measure edit -t 3", "--index works with sets, not with --measure edit"),
        ("--method minhash", "only with --method exact"),
        ("--components", "cannot be used with"),
        ("--against b0.jsonl", "cannot be used with"),
        ("--existing sometimes", "'sometimes' is not one of refuse, replace, allow"),
    ] {
        folder.run(&format!("dedup b0.jsonl --index archive {options}")).ends(2).says(says);
    }
    folder.run("dedup b0.jsonl --existing replace").ends(2).says("--index");
    for action in ["show archive", "query archive b0.jsonl", "remove archive x", "merge archive", "check archive"] {
        folder.run(&format!("index {action}")).ends(2).says("there is no index in archive");
    }
    assert!(!folder.path("archive").exists());
}

#[test]
fn folders_with_other_files() {
    let folder = with_batches(&batches(1, 10, 30));
    folder.write("photos/holiday.jpg", "");
    folder
        .run("dedup b0.jsonl --index photos")
        .ends(2)
        .says("contains files that are not part of an index (holiday.jpg)");
    folder.run("dedup b0.jsonl --index b0.jsonl").ends(2).says("b0.jsonl");
    assert_eq!(folder.list(), ["all.jsonl", "b0.jsonl", "photos/", "photos/holiday.jpg"]);
}

#[test]
fn a_second_writer() {
    let folder = with_batches(&batches(2, 10, 30));
    add(&folder, 0..1, "");
    let mut lock = File::options().read(true).write(true).open(folder.path("archive/lock")).unwrap();
    lock.lock().unwrap();
    lock.set_len(0).unwrap();
    lock.write_all(b"4242 1795000000\n").unwrap();
    for arguments in ["dedup b1.jsonl --index archive -o x.jsonl", "index merge archive", "index remove archive b0-1"] {
        let run = folder.run(arguments).ends(2);
        run.says("archive is being written to by process 4242 since 2026-11-18 11:06:40 UTC");
    }
    assert!(!folder.path("x.jsonl").exists());
    // Readers need no lock.
    folder.run("index query archive b1.jsonl -o matches.csv").ends(0);
    folder.run("index check archive").ends(0);
    drop(lock);
    add(&folder, 1..2, "");
}

#[test]
fn a_folder_that_cannot_be_written() {
    let folder = with_batches(&batches(2, 10, 30));
    add(&folder, 0..1, "");
    let (archive, lock) = (folder.path("archive"), folder.path("archive/lock"));
    let set = |mode| fs::set_permissions(&archive, fs::Permissions::from_mode(mode)).unwrap();
    set(0o555);
    fs::set_permissions(&lock, fs::Permissions::from_mode(0o444)).unwrap();
    let is_root = File::create(folder.path("archive/x")).is_ok();
    let run = folder.run("index query archive b1.jsonl -o matches.csv");
    let refused = folder.run("dedup b1.jsonl --index archive -o x.jsonl");
    set(0o755);
    run.ends(0);
    // Root may write everywhere.
    if is_root {
        return;
    }
    refused.ends(2).says("cannot write archive/lock");
    assert!(!folder.path("x.jsonl").exists());
}

/// Inputs that cannot be read leave the index as it was.
#[test]
fn a_failed_run_adds_nothing() {
    let folder = Folder::with(&[("good.jsonl", numbered("a", 0..54)), ("bad.jsonl", "{\"text\": 5".to_string())]);
    folder.run("dedup good.jsonl --index archive").ends(0);
    let before = folder.printing("index show archive --json", "").stdout;
    folder.run("dedup bad.jsonl --index archive --strict").ends(2);
    folder.write("kept.jsonl", "");
    folder.run("dedup good.jsonl --index archive -o kept.jsonl").ends(2).says("--force");
    assert_eq!(folder.printing("index show archive --json", "").stdout, before);
}
