//! Is an input that changes during a run an error that names the file, with nothing written?

use std::fs::{self, File};
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::fixture::{Folder, Run, numbered};

/// Runs a command on `in.jsonl` and a pipe. When the pipe is opened, the command has checked the file. It changes before the pipe ends
/// and anything is read.
#[track_caller]
fn changed_by(arguments: &str, change: impl Fn(&Folder)) -> (Folder, Run) {
    let folder = Folder::with(&[("in.jsonl", numbered("a", 0..54)), ("other.jsonl", numbered("b", 4..58))]);
    assert!(Command::new("mkfifo").arg(folder.path("pipe.jsonl")).status().unwrap().success());
    let mut command = folder.command(arguments);
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut pipe = File::options().write(true).open(folder.path("pipe.jsonl")).unwrap();
    change(&folder);
    pipe.write_all(numbered("c", 0..54).as_bytes()).unwrap();
    drop(pipe);
    let run = Run::of(&folder, child.wait_with_output().unwrap());
    (folder, run)
}

fn append(folder: &Folder) {
    let mut file = File::options().append(true).open(folder.path("in.jsonl")).unwrap();
    file.write_all(numbered("new", 0..54).as_bytes()).unwrap();
}

/// The same length and the same rows, another text.
fn replace(folder: &Folder) {
    folder.write("new.jsonl", numbered("z", 0..54));
    fs::rename(folder.path("new.jsonl"), folder.path("in.jsonl")).unwrap();
}

fn remove(folder: &Folder) {
    fs::remove_file(folder.path("in.jsonl")).unwrap();
}

#[test]
fn every_command_that_reads_whole_files_notices() {
    for arguments in [
        "dedup in.jsonl pipe.jsonl -o kept.jsonl",
        "dedup in.jsonl pipe.jsonl --method minhash --removed removed.csv",
        "dedup other.jsonl --against in.jsonl pipe.jsonl --removed removed.csv",
        "pairs in.jsonl pipe.jsonl -o pairs.csv",
        "pairs other.jsonl --with in.jsonl pipe.jsonl -o pairs.csv",
        "check in.jsonl pipe.jsonl --kept other.jsonl --removed other.jsonl",
        "sketch in.jsonl pipe.jsonl -o sketches.csv",
        "stream in.jsonl pipe.jsonl -o verdicts.jsonl",
        "compare a c --in in.jsonl pipe.jsonl",
        "graph in.jsonl pipe.jsonl",
    ] {
        for change in [append, replace] {
            let (folder, run) = changed_by(arguments, change);
            assert_eq!(run.code, 2, "{arguments}: {}", run.stderr);
            run.says("in.jsonl changed while it was being read; run again when nothing writes to it");
            assert_eq!(folder.list(), ["in.jsonl", "other.jsonl", "pipe.jsonl"], "{arguments}");
        }
    }
    let (_, run) = changed_by("dedup in.jsonl pipe.jsonl", remove);
    run.ends(2).says("cannot read in.jsonl: No such file");
}

#[test]
fn a_file_that_stays_as_it_is_and_a_pipe_are_read() {
    let (folder, run) = changed_by("dedup in.jsonl pipe.jsonl --removed removed.jsonl", |_| {});
    run.ends(0);
    assert_eq!(folder.field("removed.jsonl", "id"), ["c"]);
}

/// Rows are read once to be compared and once to be written. The second time they have the same number and length, and another text.
#[test]
fn a_file_with_other_texts_the_second_time() {
    let rows = [numbered("a", 0..54), numbered("b", 4..58), numbered("c", 500..560)].concat();
    let folder = Folder::with(&[("in.jsonl", &rows)]);
    assert!(Command::new("mkfifo").arg(folder.path("pipe.jsonl")).status().unwrap().success());
    let mut command = folder.command("dedup in.jsonl -o pipe.jsonl --removed removed.jsonl");
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // It has compared, and waits for a reader of the pipe.
    while !folder.list().iter().any(|name| name.ends_with(".unfinished")) {
        std::thread::sleep(Duration::from_millis(2));
    }
    folder.write("in.jsonl", rows.replace("w51 ", "x51 "));
    std::io::copy(&mut File::open(folder.path("pipe.jsonl")).unwrap(), &mut std::io::sink()).unwrap();
    Run::of(&folder, child.wait_with_output().unwrap()).ends(2).says("in.jsonl changed while it was being read");
    assert_eq!(folder.list(), ["in.jsonl", "pipe.jsonl"]);
}
