//! Are outputs renamed all or none, with the right permissions, through links, and over the leftovers of killed runs?

use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::fixture::{BINARY, Folder, Run, numbered};
use crate::output::cut_short::{many_rows, send, wait_until, wait_until_it_catches_interrupts};

/// Creates this many small, different files in the folder `in`.
fn many_files(files: usize) -> Folder {
    let folder = Folder::new();
    fs::create_dir(folder.path("in")).unwrap();
    for n in 0..files {
        fs::write(folder.path(&format!("in/{n:05}.txt")), format!("this is the file number {n}")).unwrap();
    }
    folder
}

fn is_unfinished(name: &&String) -> bool {
    name.ends_with(".unfinished")
}

/// A run with two finished tables that blocks in the middle of writing, because nobody reads its output.
fn stuck(folder: &Folder, outputs: &str) -> Child {
    let mut command = folder.command(&format!("dedup in.jsonl -o - {outputs}"));
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("writing", || folder.list().iter().filter(is_unfinished).count() == 2);
    child
}

#[test]
fn interrupted_while_outputs_get_their_names() {
    let files = 4000;
    let folder = many_files(files);
    for signal in ["-INT", "-TERM"] {
        let mut command = folder.command("dedup in -o kept/ --fail-if-found --removed kept/removed.csv");
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let first = folder.path("kept/00000.txt");
        while !first.exists() {
            sleep(Duration::from_micros(100));
        }
        send(signal, &child);
        // The renaming has begun, so the run completes as usual.
        Run::of(&folder, child.wait_with_output().unwrap()).ends(0);
        assert_eq!(fs::read_dir(folder.path("kept")).unwrap().count(), files + 1);
        fs::remove_dir_all(folder.path("kept")).unwrap();
    }
}

/// Interrupted repeatedly: with status 130 no output exists, with 0 all do.
#[test]
fn interrupted_at_any_moment_with_many_outputs() {
    let files = 1500;
    let folder = many_files(files);
    for round in 0..16 {
        let mut command = folder.command("dedup in -o kept/");
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        wait_until_it_catches_interrupts(&child);
        sleep(Duration::from_millis(round * 12));
        while child.try_wait().unwrap().is_none() {
            let _ = Command::new("kill").arg("-INT").arg(child.id().to_string()).stderr(Stdio::null()).status();
        }
        let run = Run::of(&folder, child.wait_with_output().unwrap());
        if run.code == 0 {
            assert_eq!(fs::read_dir(folder.path("kept")).unwrap().count(), files);
            fs::remove_dir_all(folder.path("kept")).unwrap();
        } else {
            run.ends(130);
            assert!(!folder.path("kept").exists(), "round {round}");
        }
    }
}

/// If one output cannot be renamed, the outputs before it are restored: an old file, or none.
#[test]
fn all_or_none_if_a_name_cannot_be_had() {
    for old in [Some("old"), None] {
        let folder = Folder::with(&[("in.jsonl", many_rows())]);
        old.iter().for_each(|old| folder.write("removed.jsonl", old));
        assert!(Command::new("mkfifo").arg(folder.path("pipe.jsonl")).status().unwrap().success());
        let before = folder.list();
        let outputs = "-o pipe.jsonl --removed removed.jsonl --clusters clusters.csv";
        let mut command = folder.command(&format!("dedup in.jsonl {outputs} --force"));
        let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // Both tables are finished, and it waits for a reader of the pipe. Meanwhile a folder takes the second name.
        wait_until("writing", || folder.list().iter().filter(is_unfinished).count() == 2);
        fs::create_dir(folder.path("clusters.csv")).unwrap();
        std::io::copy(&mut File::open(folder.path("pipe.jsonl")).unwrap(), &mut std::io::sink()).unwrap();
        Run::of(&folder, child.wait_with_output().unwrap()).ends(2).says("cannot write clusters.csv: Is a directory");
        fs::remove_dir(folder.path("clusters.csv")).unwrap();
        assert_eq!(folder.list(), before);
        old.iter().for_each(|old| assert_eq!(folder.text("removed.jsonl"), *old));
    }
}

/// If the files are in place and only the report cannot be printed, the message says so.
#[test]
fn a_report_that_cannot_be_printed() {
    if !Path::new("/dev/full").exists() {
        return eprintln!("skipped: there is no /dev/full here");
    }
    let folder = Folder::with(&[("in.jsonl", numbered("a", 0..54))]);
    let full = || File::options().write(true).open("/dev/full").unwrap();
    let output = folder.command("dedup in.jsonl -o kept.jsonl --json").stdout(full()).output().unwrap();
    Run::of(&folder, output)
        .ends(2)
        .says("cannot write to stdout: No space left on device (os error 28); the files were written");
    assert_eq!(folder.list(), ["in.jsonl", "kept.jsonl"]);
    let run = Run::of(&folder, folder.command("dedup in.jsonl --json").stdout(full()).output().unwrap()).ends(2);
    assert!(!run.stderr.contains("written"), "{}", run.stderr);
}

#[test]
fn a_file_that_is_replaced_keeps_its_rights() {
    let folder = Folder::with(&[("in.jsonl", &*many_rows()), ("removed.jsonl", "old"), ("clusters.csv", "old")]);
    let mode = |name: &str| folder.path(name).metadata().unwrap().mode() & 0o7777;
    let set_mode = |name: &str, mode| fs::set_permissions(folder.path(name), fs::Permissions::from_mode(mode)).unwrap();
    set_mode("removed.jsonl", 0o600);
    set_mode("clusters.csv", 0o664);
    let is_root = chown(folder.path("clusters.csv"), Some(4321), Some(1234)).is_ok();
    let child = stuck(&folder, "--removed removed.jsonl --clusters clusters.csv --force");
    // From the first byte on.
    for name in folder.list().iter().filter(is_unfinished) {
        assert_eq!(mode(name), if name.contains("removed") { 0o600 } else { 0o664 }, "{name}");
    }
    Run::of(&folder, child.wait_with_output().unwrap()).ends(0);
    assert_ne!(folder.text("removed.jsonl"), "old");
    assert_eq!((mode("removed.jsonl"), mode("clusters.csv")), (0o600, 0o664));
    if is_root {
        let metadata = folder.path("clusters.csv").metadata().unwrap();
        assert_eq!((metadata.uid(), metadata.gid()), (4321, 1234));
    }
    // A read-only file is replaced too, because only the permissions of its folder matter.
    set_mode("removed.jsonl", 0o400);
    folder.run("dedup in.jsonl --removed removed.jsonl --force").ends(0);
    assert_eq!(mode("removed.jsonl"), 0o400);
}

#[test]
fn links_are_followed_whether_or_not_there_is_a_file_behind() {
    let folder = Folder::with(&[("in.jsonl", numbered("a", 0..54)), ("there/live.jsonl", "old".to_string())]);
    symlink("there/live.jsonl", folder.path("live.jsonl")).unwrap();
    symlink("there/link.jsonl", folder.path("dangling.jsonl")).unwrap();
    symlink("deep.jsonl", folder.path("there/link.jsonl")).unwrap();
    symlink("nowhere/kept.jsonl", folder.path("lost.jsonl")).unwrap();
    symlink("loop.jsonl", folder.path("loop.jsonl")).unwrap();
    symlink("there/made", folder.path("new")).unwrap();

    folder.run("dedup in.jsonl -o live.jsonl").ends(2).says("it already exists. Use --force to replace it");
    folder
        .run("dedup in.jsonl -o lost.jsonl")
        .ends(2)
        .says("cannot write lost.jsonl: the folder nowhere does not exist");
    folder.run("dedup in.jsonl -o loop.jsonl --force").ends(2).says("cannot write loop.jsonl: Too many levels");
    let run = folder.run("dedup in.jsonl -o dangling.jsonl --annotate there/deep.jsonl").ends(2);
    run.says("is used for two outputs");

    folder.run("dedup in.jsonl -o live.jsonl --force").ends(0);
    folder.run("dedup in.jsonl -o dangling.jsonl").ends(0);
    folder.run("dedup in.jsonl -o new/").ends(0);
    for name in ["live.jsonl", "dangling.jsonl", "there/link.jsonl", "new"] {
        assert!(folder.path(name).is_symlink(), "{name}");
    }
    for name in ["there/live.jsonl", "there/deep.jsonl", "there/made/in.jsonl"] {
        assert!(!folder.path(name).is_symlink(), "{name}");
        assert_eq!(folder.text(name), numbered("a", 0..54));
    }
    // Now the link points to a file.
    folder.run("dedup in.jsonl -o dangling.jsonl").ends(2).says("it already exists");
}

#[test]
fn the_next_run_removes_what_a_killed_one_left() {
    let folder = Folder::with(&[("in.jsonl", many_rows())]);
    let mut killed = stuck(&folder, "--removed removed.jsonl --clusters clusters.csv");
    let left: Vec<String> = folder.list().into_iter().filter(|name| is_unfinished(&name)).collect();
    // While it is alive, other runs do not touch its files, finished or not.
    let output = folder.command("dedup in.jsonl --removed removed.jsonl").output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(left.iter().all(|name| folder.list().contains(name)), "{:?}", folder.list());
    send("-KILL", &killed);
    killed.wait().unwrap();
    // The next run that writes the same output removes leftovers of that output only.
    folder.write(".removed.jsonl.old.unfinished", "someone's");
    let output = folder.command("dedup in.jsonl --removed removed.jsonl --force").output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let list = folder.list();
    let unfinished: Vec<&String> = list.iter().filter(is_unfinished).collect();
    assert_eq!(unfinished.len(), 2, "{unfinished:?}");
    assert!(unfinished[0].starts_with(".clusters.csv."), "{unfinished:?}");
    assert_eq!(unfinished[1], ".removed.jsonl.old.unfinished");
    fs::remove_file(folder.path(".removed.jsonl.old.unfinished")).unwrap();
    folder.run("dedup in.jsonl --clusters clusters.csv").ends(0);
}

/// A name may have 255 bytes, and the unfinished file needs a longer one.
#[test]
fn names_as_long_as_can_be() {
    let names: Vec<String> = ["a", "b"].map(|end| "ü".repeat(125) + end + ".txt").to_vec();
    let folder = Folder::new();
    names.iter().for_each(|name| folder.write(&format!("in/{name}"), name));
    folder.run("dedup in -o kept/").ends(0);
    names.iter().for_each(|name| assert_eq!(folder.text(&format!("kept/{name}")), *name));
}

/// The time is that of the files, not of their square. A limit on the processor's seconds is the same however busy the machine is.
#[test]
fn many_outputs_take_no_longer_than_they_must() {
    let files = 20_000;
    let folder = many_files(files);
    for force in ["", "--force"] {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("ulimit -t 10; exec {BINARY} dedup in -o kept/ -q {force}")]);
        let output = command.current_dir(folder.path("")).output().unwrap();
        Run::of(&folder, output).ends(0);
        assert_eq!(fs::read_dir(folder.path("kept")).unwrap().count(), files);
    }
}
