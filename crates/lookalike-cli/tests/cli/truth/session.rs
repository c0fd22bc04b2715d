//! Labels given in a terminal.

use std::fs::File;
use std::io::{Read, Write};
use std::process::Stdio;

use crate::fixture::{Folder, row};

/// Types lines into a pseudo-terminal, and returns what the program printed.
fn type_into(folder: &Folder, arguments: &str, lines: &str) -> String {
    let pty = nix::pty::openpty(None, None).unwrap();
    let slave = || Stdio::from(pty.slave.try_clone().unwrap());
    let mut child = folder.command(arguments).stdin(slave()).stdout(slave()).stderr(slave()).spawn().unwrap();
    drop(pty.slave);
    let mut master = File::from(pty.master);
    master.write_all(lines.as_bytes()).unwrap();
    let mut said = Vec::new();
    // A pseudo-terminal that the other side has closed reports an error, and not the end.
    let mut buffer = [0; 4096];
    while let Ok(read @ 1..) = master.read(&mut buffer) {
        said.extend_from_slice(&buffer[..read]);
    }
    let said = String::from_utf8_lossy(&said).into_owned();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{said}");
    said
}

fn documents() -> Folder {
    let text = |n: u32, last: &str| format!("the old harbour wall of town{n} was rebuilt in {last}");
    let documents: String = (0..6)
        .flat_map(|n| [row(&format!("a{n}"), &text(n, "spring")), row(&format!("b,{n}"), &text(n, "autumn \u{1b}[2J"))])
        .collect();
    Folder::with(&[("in.jsonl", documents)])
}

const COMMAND: &str = "calibrate in.jsonl --tokens words --labels answers.csv -t 0.7 -q --label";

#[test]
fn answers_undo_and_quit() {
    let folder = documents();
    let said = type_into(&folder, &format!("{COMMAND} 4"), "y\nn\nb\nu\nd\nhelp\ny\nq\n");
    assert!(said.contains("1 of 4") && said.contains("3 answers in answers.csv"), "{said}");
    assert!(said.contains("\u{1b}[1;33m"), "differences are in colour: {said}");
    assert!(!said.contains("\u{1b}[2J"), "a document cannot clear the screen");
    let answers: Vec<String> = folder.text("answers.csv").lines().map(String::from).collect();
    assert_eq!(answers[0], "a,b,label");
    let labels: Vec<char> = answers[1..].iter().map(|line| line.chars().last().unwrap()).collect();
    assert_eq!(labels, ['1', 'u', '1']);
    // The next session asks about others, and adds to the file.
    let said = type_into(&folder, &format!("{COMMAND} 1"), "n\n");
    assert!(said.contains("1 answer in answers.csv"), "{said}");
    assert_eq!(folder.text("answers.csv").lines().count(), 5);
    assert_eq!(folder.list(), ["answers.csv", "in.jsonl"]);
}

#[test]
fn nothing_is_lost_at_the_end_of_input() {
    let folder = documents();
    // Control-D: the end of input.
    let said = type_into(&folder, &format!("{COMMAND} 4"), "b\ny\n\u{4}");
    assert!(said.contains("this is the first pair") && said.contains("1 answer in answers.csv"), "{said}");
    assert_eq!(folder.text("answers.csv").lines().count(), 2);
}

#[test]
fn a_file_of_another_kind_is_left_alone() {
    let folder = documents();
    folder.write("other.csv", "x,y,z\n1,2,3\n");
    let pty = nix::pty::openpty(None, None).unwrap();
    let slave = || Stdio::from(pty.slave.try_clone().unwrap());
    let mut command =
        folder.command("calibrate in.jsonl --tokens words --labels other.csv --label 2 --label-columns x,y,z -q");
    let status = command.stdin(slave()).stdout(slave()).stderr(Stdio::null()).status().unwrap();
    assert_eq!(status.code(), Some(2));
    assert_eq!(folder.text("other.csv"), "x,y,z\n1,2,3\n");
}
