//! What is left of a run that is interrupted, loses its reader or runs out of disk space?

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::fixture::{Folder, Run, numbered};
use crate::skip::skip;

/// More than a megabyte of rows, every second a near-duplicate.
pub fn many_rows() -> String {
    (0..2000).map(|n| numbered(&format!("d{n}"), n / 2 * 1000 + n % 2..n / 2 * 1000 + 100)).collect()
}

pub fn send(signal: &str, child: &Child) {
    assert!(Command::new("kill").arg(signal).arg(child.id().to_string()).status().unwrap().success());
}

#[track_caller]
pub fn wait_until(what: &str, mut happened: impl FnMut() -> bool) {
    let start = Instant::now();
    while !happened() {
        assert!(start.elapsed() < Duration::from_secs(20), "{what} did not happen");
        sleep(Duration::from_millis(5));
    }
}

/// Without a handler, the signal kills the process.
pub fn wait_until_it_catches_interrupts(child: &Child) {
    let status = format!("/proc/{}/status", child.id());
    if !Path::new(&status).exists() {
        return sleep(Duration::from_secs(1));
    }
    const SIGINT: u64 = 1 << (2 - 1);
    wait_until("a handler", || {
        let status = fs::read_to_string(&status).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let ended = status.contains("State:\tZ");
        ended || caught.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).is_ok_and(|mask| mask & SIGINT != 0))
    });
}

#[test]
fn interrupted_while_waiting_for_input() {
    let folder = Folder::with(&[("kept.jsonl", "old")]);
    let mut command = folder.command("dedup - -o kept.jsonl --removed removed.jsonl --force");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(many_rows().as_bytes()).unwrap();
    wait_until_it_catches_interrupts(&child);
    send("-INT", &child);
    let run = Run::of(&folder, child.wait_with_output().unwrap()).ends(130);
    assert_eq!(run.stdout, "");
    drop(stdin);
    assert_eq!(folder.list(), ["kept.jsonl"]);
    assert_eq!(folder.text("kept.jsonl"), "old");
}

/// Nobody reads its output, so it blocks in the middle of writing, with a table written but not renamed.
#[test]
fn interrupted_while_writing() {
    let folder = Folder::with(&[("in.jsonl", many_rows())]);
    for signal in ["-INT", "-TERM"] {
        let mut command = folder.command("dedup in.jsonl -o - --removed removed.jsonl --clusters clusters.csv");
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // Hidden from `wait_with_output`, which would read it and so unblock the command.
        let unread = child.stdout.take();
        wait_until("writing", || folder.list().iter().filter(|name| name.ends_with(".unfinished")).count() == 2);
        send(signal, &child);
        Run::of(&folder, child.wait_with_output().unwrap()).ends(130);
        drop(unread);
        assert_eq!(folder.list(), ["in.jsonl"]);
    }
}

/// All outputs or none, at whatever moment it is interrupted.
#[test]
fn interrupted_at_any_moment() {
    let folder = Folder::with(&[("in.jsonl", many_rows().repeat(4))]);
    let outputs = "-o kept.jsonl --removed removed.jsonl --pairs pairs.csv --annotate rows.jsonl";
    let mut codes = Vec::new();
    for delay in (0..100).step_by(9) {
        let mut command = folder.command(&format!("dedup in.jsonl {outputs} --threads 2"));
        let child = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        wait_until_it_catches_interrupts(&child);
        sleep(Duration::from_millis(delay));
        send("-INT", &child);
        let run = Run::of(&folder, child.wait_with_output().unwrap());
        let all = ["in.jsonl", "kept.jsonl", "pairs.csv", "removed.jsonl", "rows.jsonl"];
        match run.code {
            130 => assert_eq!(folder.list(), ["in.jsonl"]),
            // The signal came after the renaming.
            0 => {
                assert_eq!(folder.list(), all);
                all[1..].iter().for_each(|name| fs::remove_file(folder.path(name)).unwrap());
            }
            _ => panic!("{}", run.stderr),
        }
        codes.push(run.code);
    }
    assert_eq!(codes[0], 130, "{codes:?}");
}

#[test]
fn a_closed_pipe_is_no_error() {
    let folder = Folder::with(&[("in.jsonl", many_rows())]);
    folder.run("dedup in.jsonl --removed expected.jsonl").ends(0);
    let mut command = folder.command("dedup in.jsonl -o - --removed removed.jsonl");
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    Run::of(&folder, child.wait_with_output().unwrap()).ends(0).says("removed 1,000");
    assert_eq!(folder.text("removed.jsonl"), folder.text("expected.jsonl"));

    // After some bytes, as head does.
    let mut command = folder.command("dedup in.jsonl -o - --removed again.jsonl");
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdout.take().unwrap().read_exact(&mut [0; 100]).unwrap();
    Run::of(&folder, child.wait_with_output().unwrap()).ends(0);
    assert_eq!(folder.text("again.jsonl"), folder.text("expected.jsonl"));

    // The same pipe by another name.
    if Path::new("/dev/stdout").exists() {
        let mut command = folder.command("dedup in.jsonl -o /dev/stdout --removed named.jsonl");
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        Run::of(&folder, child.wait_with_output().unwrap()).ends(0);
        assert_eq!(folder.text("named.jsonl"), folder.text("expected.jsonl"));
    }

    for arguments in
        ["dedup in.jsonl --json", "pairs in.jsonl", "tokens in.jsonl --limit 0", "completions bash", "--help"]
    {
        let mut child = folder.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        Run::of(&folder, child.wait_with_output().unwrap()).ends(0);
    }
}

/// A file system with room for a few rows, unmounted at the end of the test.
pub struct SmallDisk(pub PathBuf);

impl SmallDisk {
    /// Returns `None` and skips the test without the permission to mount.
    #[track_caller]
    pub fn mount(place: PathBuf) -> Option<SmallDisk> {
        SmallDisk::of_size(place, "64k")
    }

    #[track_caller]
    pub fn of_size(place: PathBuf, size: &str) -> Option<SmallDisk> {
        fs::create_dir(&place).unwrap();
        let size = format!("size={size}");
        let mount = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(&place).output();
        match mount {
            Ok(output) if output.status.success() => Some(SmallDisk(place)),
            Ok(output) => {
                skip(format!("cannot mount a small disk: {}", String::from_utf8_lossy(&output.stderr).trim()));
                None
            }
            Err(error) => {
                skip(format!("cannot mount a small disk: {error}"));
                None
            }
        }
    }

    /// Changes an option of the disk: `ro`, `rw` or another size. Returns false and skips the test if the system refuses.
    #[track_caller]
    pub fn remount(&self, option: &str) -> bool {
        let options = format!("remount,{option}");
        let remount = Command::new("mount").args(["-o", &options]).arg(&self.0).output().unwrap();
        if !remount.status.success() {
            skip(format!("cannot remount a disk with {option}: {}", String::from_utf8_lossy(&remount.stderr)));
        }
        remount.status.success()
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily, because other processes may be looking at all file systems.
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_is_fatal_and_nothing_stays() {
    let folder = Folder::with(&[("in.jsonl", many_rows())]);
    let Some(disk) = SmallDisk::mount(folder.path("small")) else { return };
    let outputs = [
        "-o small/kept.jsonl --removed removed.jsonl",
        "-o kept.jsonl --annotate small/rows.jsonl",
        "-o kept.jsonl --annotate small/rows.jsonl.gz",
        "-o kept.jsonl --clusters small/clusters.jsonl",
        "-o small/kept.jsonl.zst --removed small/removed.csv",
    ];
    for outputs in outputs {
        let run = folder.run(&format!("dedup in.jsonl {outputs}")).ends(2);
        run.says("cannot write ").says("small/").says("No space left on device");
        assert_eq!(folder.list(), ["in.jsonl", "small/"]);
    }
    // Standard input is read twice, so it is copied to a temporary file.
    let mut command = assert_cmd::Command::from_std(folder.command("dedup - -o kept.jsonl"));
    let output = command.env("TMPDIR", &disk.0).write_stdin(many_rows()).output().unwrap();
    Run::of(&folder, output).ends(2).says("cannot use temporary space in").says("No space left on device");
    assert_eq!(folder.list(), ["in.jsonl", "small/"]);
}

#[test]
fn a_full_device_is_fatal() {
    if !Path::new("/dev/full").exists() {
        return skip("there is no /dev/full here");
    }
    let folder = Folder::with(&[("in.jsonl", [numbered("a", 0..54), numbered("b", 4..58)].concat())]);
    std::os::unix::fs::symlink("/dev/full", folder.path("full.jsonl")).unwrap();
    let before = folder.list();
    for outputs in
        ["-o /dev/full --removed removed.jsonl", "-o kept.jsonl --removed full.jsonl", "-o full.jsonl --force"]
    {
        let run = folder.run(&format!("dedup in.jsonl {outputs}")).ends(2);
        run.says("cannot write /dev/full: No space left on device");
        assert_eq!(folder.list(), before);
    }
}

/// A folder created for the outputs is removed with them.
#[test]
fn a_failed_run_leaves_no_empty_folder() {
    if !Path::new("/dev/full").exists() {
        return skip("there is no /dev/full here");
    }
    let folder = Folder::with(&[("in.jsonl", numbered("a", 0..54))]);
    std::os::unix::fs::symlink("/dev/full", folder.path("full.jsonl")).unwrap();
    folder.run("dedup in.jsonl -o kept/deep/ --annotate full.jsonl").ends(2);
    assert_eq!(folder.list(), ["full.jsonl", "in.jsonl"]);
}

/// Rows are read twice, to be compared and to be written: an input that changes in between is noticed.
#[test]
fn an_input_that_changes_meanwhile_is_fatal() {
    let input = many_rows();
    let half = input[..input.len() / 2].rfind('\n').unwrap() + 1;
    for changed in [input.clone() + &numbered("new", 0..54), input[..half].to_string(), String::new()] {
        let folder = Folder::with(&[("in.jsonl", &input)]);
        assert!(Command::new("mkfifo").arg(folder.path("pipe.jsonl")).status().unwrap().success());
        let mut command = folder.command("dedup in.jsonl -o pipe.jsonl --removed removed.jsonl");
        let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // It has compared, written a table, and now waits for a reader of the pipe.
        wait_until("writing", || folder.list().iter().any(|name| name.ends_with(".unfinished")));
        folder.write("in.jsonl", changed);
        let reader = File::open(folder.path("pipe.jsonl")).unwrap();
        std::io::copy(&mut &reader, &mut std::io::sink()).unwrap();
        Run::of(&folder, child.wait_with_output().unwrap()).ends(2).says("in.jsonl changed while it was being read");
        assert_eq!(folder.list(), ["in.jsonl", "pipe.jsonl"]);
    }
}

#[test]
fn results_that_cannot_be_printed_are_not_taken_for_printed() {
    if !Path::new("/dev/full").exists() {
        return skip("there is no /dev/full here");
    }
    let folder = Folder::with(&[("in.jsonl", &*numbered("a", 0..54)), ("none.jsonl", "")]);
    for arguments in [
        "dedup in.jsonl -o - --removed removed.jsonl",
        "dedup in.jsonl --json",
        "pairs in.jsonl --with in.jsonl --stats stats.json",
        "tokens in.jsonl",
        "completions bash",
        "check in.jsonl --kept in.jsonl --removed none.jsonl --json",
    ] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = folder.command(arguments).stdin(Stdio::null()).stdout(full).output().unwrap();
        let run = Run::of(&folder, output);
        assert_eq!(run.code, 2, "{arguments}: {}", run.stderr);
        assert_eq!(folder.list(), ["in.jsonl", "none.jsonl"]);
    }
}
