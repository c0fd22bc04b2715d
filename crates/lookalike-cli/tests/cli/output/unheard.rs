//! Is a run the same if its messages cannot be written, because standard error is full or closed?

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::fixture::{CHAIN, Folder, numbered};
use crate::output::cut_short::{send, wait_until_it_catches_interrupts};

/// Three documents of which one is removed, a row that cannot be read, and one without a text.
fn rows() -> String {
    let [a, b, c] = CHAIN;
    [&numbered("a", a), &numbered("b", b), &numbered("c", c), "{\"id\":\n", "{\"id\": \"d\"}\n"].concat()
}

/// Commands with messages, and their exit statuses.
const TALKATIVE: [(&str, i32); 12] = [
    ("dedup in.jsonl -o kept.jsonl --pairs pairs.csv", 3),
    ("dedup in.jsonl --method minhash --removed removed.csv", 3),
    ("dedup in.jsonl --json --clusters clusters.csv", 3),
    ("dedup in.jsonl --fail-if-found --annotate all.jsonl", 1),
    ("pairs in.jsonl -o found.csv --explain --limit-per-document 1", 3),
    ("sketch in.jsonl -o sketches.csv", 3),
    ("stream timed.jsonl -o verdicts.jsonl", 3),
    ("check clean.jsonl --kept clean.jsonl --removed none.jsonl", 0),
    ("check clean.jsonl --kept none.jsonl --removed none.jsonl", 1),
    ("graph broken.jsonl", 3),
    ("dedup missing.jsonl", 2),
    ("dedup in.jsonl --no-such-option", 2),
];

fn folder() -> Folder {
    let timed = format!("{{\"id\": 1, \"time\": 1, \"text\": \"one two\"}}\n{}", rows());
    Folder::with(&[
        ("in.jsonl", &*rows()),
        ("timed.jsonl", &timed),
        ("clean.jsonl", &numbered("a", 0..54)),
        ("none.jsonl", ""),
        ("broken.jsonl", "{\"a\": \"x\", \"b\": \"y\", \"similarity\": 1.0}\n{\"a\"\n"),
    ])
}

/// Everything in a folder with its bytes.
fn contents(folder: &Folder) -> Vec<(String, Vec<u8>)> {
    folder.list().into_iter().map(|name| (name.clone(), folder.read(&name))).collect()
}

#[test]
fn a_full_standard_error_changes_nothing() {
    if !Path::new("/dev/full").exists() {
        return eprintln!("skipped: there is no /dev/full here");
    }
    let (heard, unheard) = (folder(), folder());
    for (arguments, code) in TALKATIVE {
        let run = heard.printing(arguments, "").ends(code);
        assert!(!run.stderr.is_empty(), "{arguments}");
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = unheard.command(arguments).stdin(Stdio::null()).stderr(full).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments}");
        assert_eq!(contents(&unheard), contents(&heard), "{arguments}");
    }
}

#[test]
fn a_standard_error_that_was_closed_changes_nothing() {
    let folder = folder();
    for (arguments, code) in TALKATIVE {
        let mut command = folder.command(arguments);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stderr.take());
        assert_eq!(child.wait().unwrap().code(), Some(code), "{arguments}");
    }
}

/// Both go into one pipe, which is closed before anything is written.
#[test]
fn both_closed() {
    let folder = folder();
    for arguments in ["dedup in.jsonl -o - --removed removed.csv", "pairs in.jsonl", "dedup in.jsonl --json"] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = folder.command(arguments);
        command.stdin(Stdio::null()).stdout(writer.try_clone().unwrap()).stderr(writer);
        assert_eq!(command.status().unwrap().code(), Some(3), "{arguments}");
    }
}

#[test]
fn a_service_and_a_watch_go_on() {
    if !Path::new("/dev/full").exists() {
        return eprintln!("skipped: there is no /dev/full here");
    }
    let folder = Folder::with(&[("in/a.txt", "one two three")]);
    let spawn = |arguments: &str| {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let mut command: Command = folder.command(arguments);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(full).spawn().unwrap()
    };
    for _ in 0..2 {
        // The second time it reports documents in the log.
        let mut service = spawn("serve --listen 127.0.0.1:0 --data data");
        wait_until_it_catches_interrupts(&service);
        send("-INT", &service);
        assert_eq!(service.wait().unwrap().code(), Some(0));
    }
    let mut watch = spawn("watch in --once --accept new --reject known");
    assert_eq!(watch.wait().unwrap().code(), Some(0));
    assert!(fs::exists(folder.path("new/a.txt")).unwrap());
}

/// Help and version are results, and a result that cannot be printed is an error.
#[test]
fn help_that_cannot_be_printed() {
    if !Path::new("/dev/full").exists() {
        return eprintln!("skipped: there is no /dev/full here");
    }
    let folder = Folder::new();
    for arguments in ["--help", "dedup --help", "--version", "completions zsh"] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = folder.command(arguments).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("cannot write to stdout: No space left on device"), "{arguments}: {said}");
    }
}
